'use client';

import { type KeyboardEvent, useRef, useState } from 'react';

interface NameFieldProps {
  label: string;
  name: string;
  maxLength: number;
  /** Called with the trimmed text, unless it is blank or the same as when the field was opened. */
  onRename(name: string): void;
  /** Called when the field closes. `isByKey`: whether Enter or Esc has closed it, so that the focus should stay here. */
  onClose(isByKey: boolean): void;
}

/**
 * Edits a name in its place: Enter and leaving the field save it, Esc does not. An empty or unchanged name is not saved.
 * `onClose`: called with whether Enter or Esc has closed the field.
 */
export default function NameField({ label, name, maxLength, onRename, onClose }: NameFieldProps) {
  // If another tab changes the name meanwhile, leaving the field with an unchanged text must not undo that.
  const [before] = useState(name);
  const [text, setText] = useState(name);
  // Removing the field also makes it lose the focus, which must not close it a second time.
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
