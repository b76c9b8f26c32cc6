import { type ReactNode, useId } from 'react';

interface SwitchProps {
  label: string;
  /** The visible text; by default the label, which is the accessible name. */
  shown?: string;
  help?: string | undefined;
  icon?: ReactNode;
  isOn: boolean;
  onChange(): void;
}

/** A row that is switched on and off by a click anywhere on it. */
export function Switch({ label, shown = label, help, icon, isOn, onChange }: SwitchProps) {
  const helpId = useId();
  return (
    <button
      type="button"
      role="switch"
      aria-label={label}
      aria-checked={isOn}
      aria-describedby={help === undefined ? undefined : helpId}
      onClick={onChange}
      className="flex w-full items-center gap-3 rounded-md px-2 py-1.5 text-left text-sm hover:bg-hover"
    >
      {icon === undefined ? null : <span className="text-muted">{icon}</span>}
      <span className="min-w-0 flex-1">
        {shown}
        {help === undefined ? null : (
          <span id={helpId} className="block text-muted text-xs">
            {help}
          </span>
        )}
      </span>
      <span
        aria-hidden
        className={`flex h-5 w-9 shrink-0 items-center rounded-full border px-0.5 transition-colors ${isOn ? 'justify-end border-accent bg-accent' : 'border-line-strong bg-sunken'}`}
      >
        <span className={`size-3.5 rounded-full ${isOn ? 'bg-accent-text' : 'bg-line-strong'}`} />
      </span>
    </button>
  );
}
