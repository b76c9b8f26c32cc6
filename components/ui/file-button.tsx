'use client';

import { type ChangeEvent, useRef } from 'react';
import { Button } from './button.tsx';

interface FileButtonProps {
  label: string;
  /** The extensions and media types of files that can be chosen, separated by commas. */
  accept: string;
  disabled?: boolean;
  onFile(file: File): void;
}

/** A button with which the person chooses a file. */
export function FileButton({ label, accept, disabled = false, onFile }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  const onChange = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0];
    event.target.value = '';
    if (file !== undefined) onFile(file);
  };
  return (
    <>
      <input ref={input} type="file" accept={accept} aria-label={label} hidden onChange={onChange} />
      <Button disabled={disabled} onClick={() => input.current?.click()}>
        {label}
      </Button>
    </>
  );
}
