'use client';

import { type KeyboardEvent, useRef, useState } from 'react';

interface NameFieldProps {
  label: string;
  name: string;
  maxLength: number;
  /** Called with the trimmed text, unless it is blank or the same as when the field was opened. */
  onRename(name: string): void;
  /** `isByKey`: the user has pressed a key for it, so the focus should go on from here. */
  onClose(isByKey: boolean): void;
}

/** Edits a name in its place: Enter and leaving the field save it, Esc does not. */
export default function NameField({ label, name, maxLength, onRename, onClose }: NameFieldProps) {
  // Another tab may change the name meanwhile: a text that was left as it was does not undo that.
  const [before] = useState(name);
  const [text, setText] = useState(name);
  // The field loses the focus when it goes.
  const isClosed = useRef(false);
  const close = (saves: boolean, isByKey: boolean) => {
    if (isClosed.current) return;
    isClosed.current = true;
    const wanted = text.trim();
    if (saves && wanted !== '' && wanted !== before.trim()) onRename(wanted);
    onClose(isByKey);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    close(event.key === 'Enter', true);
  };
  return (
    <input
      // biome-ignore lint/a11y/noAutofocus: the user has asked to edit this name.
      autoFocus
      dir="auto"
      aria-label={label}
      value={text}
      maxLength={maxLength}
      onChange={(event) => setText(event.target.value)}
      onFocus={({ target }) => target.select()}
      onKeyDown={onKeyDown}
      onBlur={() => close(true, false)}
      className="relative z-10 h-7 min-w-0 flex-1 rounded-sm border border-accent bg-surface px-1 text-sm outline-none"
    />
  );
}
