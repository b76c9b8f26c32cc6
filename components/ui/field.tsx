import type { ComponentProps } from 'react';

interface FieldProps extends ComponentProps<'input'> {
  label: string;
  /** Whether the typed text is hidden. Unlike for `type="password"`, browsers do not offer to save it. */
  isSecret?: boolean;
}

/** A text field with its label above. `isSecret`: whether the typed text is hidden; the browser does not offer to save it. */
export function Field({ label, isSecret = false, className = '', ...props }: FieldProps) {
  return (
    <label className="block text-sm">
      <span className="text-muted">{label}</span>
      <input
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        className={`mt-1 h-9 w-full rounded-md border border-line-strong bg-surface px-2 ${isSecret ? '[-webkit-text-security:disc]' : ''} ${className}`}
        {...props}
      />
    </label>
  );
}
