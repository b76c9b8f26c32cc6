'use client';

import { type ComponentProps, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';

interface SuggestedFieldProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange'> {
  label: string;
  value: string;
  /** The values that can be chosen instead of typing on. If there are none, no list is shown. */
  suggestions: readonly string[];
  onChange(value: string): void;
  /** Called when the field gets the focus, and with each change, so that new suggestions can be found. */
  onAsk(value: string): void;
}

/**
 * A text field that suggests values: arrow keys choose one, Enter takes it, and Esc hides them. `onAsk`: called with each
 * new text, to get suggestions for it.
 */
export function SuggestedField({ label, value, suggestions, onChange, onAsk, ...props }: SuggestedFieldProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const list = useRef<HTMLDivElement>(null);
  const isShown = isOpen && suggestions.length > 0 && !(suggestions.length === 1 && suggestions[0] === value);
  const chosen = isShown ? suggestions[active] : undefined;
  useEffect(() => {
    if (chosen !== undefined) list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active, chosen]);
  const change = (next: string, opens: boolean) => {
    setActive(-1);
    setOpen(opens);
    onChange(next);
    onAsk(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      if (!isShown) setOpen(true);
      // -1, before the first suggestion, stands for the typed text.
      else setActive(((active + 1 + step + suggestions.length + 1) % (suggestions.length + 1)) - 1);
    } else if (event.key === 'Enter' && chosen !== undefined) {
      event.preventDefault();
      change(chosen, false);
    } else if (event.key === 'Escape') setOpen(false);
  };
  return (
    <div className="relative text-sm">
      <label htmlFor={id} className="text-muted">
        {label}
      </label>
      <input
        {...props}
        id={id}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={isShown ? `${id}-list` : undefined}
        aria-activedescendant={chosen === undefined ? undefined : `${id}-${active}`}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={value}
        onChange={({ target }) => change(target.value, true)}
        onFocus={() => {
          setOpen(true);
          onAsk(value);
        }}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
        className="mt-1 h-9 w-full rounded-md border border-line-strong bg-surface px-2"
      />
      {isShown ? (
        <div
          ref={list}
          id={`${id}-list`}
          role="listbox"
          aria-label={label}
          className="absolute inset-x-0 top-full z-10 mt-1 max-h-40 overflow-y-auto rounded-md border border-line bg-raised p-1 shadow-float"
        >
          {suggestions.map((suggestion, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the field has the focus and the keys
            <div
              key={suggestion}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === active}
              // The field keeps the focus.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => change(suggestion, false)}
              className="cursor-default break-words content-center rounded-sm px-2 py-1 hover:bg-hover aria-selected:bg-hover"
            >
              {suggestion}
            </div>
          ))}
        </div>
      ) : null}
    </div>
  );
}
