'use client';

import { type FormEvent, useState } from 'react';
import { useMessages } from '#components/i18n/i18n.tsx';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

interface NameDialogProps {
  title: string;
  label: string;
  name: string;
  maxLength: number;
  /** The label of the button; “Rename” by default. */
  submit?: string;
  /** Whether the name must not be blank. */
  isRequired?: boolean;
  /** Called with the trimmed text, which may be empty unless `isRequired`. */
  onRename(name: string): void;
  onClose(): void;
}

/**
 * A dialog that asks for a new name, which `onRename` gets trimmed. The name may be blank unless `isRequired`. `submit`: the
 * label of the button, “Rename” by default.
 */
export function NameDialog({
  title,
  label,
  name,
  maxLength,
  submit: action,
  isRequired = false,
  onRename,
  onClose,
}: NameDialogProps) {
  const t = useMessages();
  const [text, setText] = useState(name);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onRename(text.trim());
    onClose();
  };
  return (
    <Dialog open onOpenChange={onClose} title={title}>
      <form onSubmit={submit}>
        <label className="block text-sm">
          <span className="text-muted">{label}</span>
          <input
            value={text}
            onChange={(event) => setText(event.target.value)}
            maxLength={maxLength}
            data-initial-focus
            className="mt-1 h-9 w-full rounded-md border border-line-strong bg-surface px-2"
          />
        </label>
        <div className="mt-4 flex justify-end gap-2">
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button type="submit" variant="primary" disabled={isRequired && text.trim() === ''}>
            {action ?? t.common.rename}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
