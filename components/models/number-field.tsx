'use client';

import { useState } from 'react';

interface NumberFieldProps {
  label: string;
  /** The text of the empty field. */
  placeholder: string;
  stored: number | undefined;
  /** Returns the number in a text; undefined if the text is empty, NaN if it is not a number. */
  read(text: string): number | undefined;
  isValid(number: number | undefined): boolean;
  /** Checks whether a text is invalid only until more characters are typed, so that the problem is not shown yet. */
  isBeginning?(text: string): boolean;
  /** The text that is shown for an invalid number. */
  problem: string;
  onChange(number: number | undefined): void;
}

/** A field for a number. The number is stored while it is typed, whenever it is valid. */
export function NumberField(props: NumberFieldProps) {
  const { label, placeholder, stored, read, isBeginning = () => false, problem, onChange } = props;
  /** The text that is being typed, or is invalid; if undefined, the field shows the stored number. */
  const [typed, setTyped] = useState<string>();
  const [isFocused, setFocused] = useState(false);
  const isValid = (text: string) => props.isValid(read(text));
  const isWrong = typed !== undefined && !isValid(typed) && !(isFocused && isBeginning(typed));
  const type = (text: string) => {
    setTyped(text);
    if (isValid(text)) onChange(read(text));
  };
  return (
    <span className="grid gap-1 max-sm:w-full sm:justify-items-end">
      <input
        aria-label={label}
        aria-invalid={isWrong}
        inputMode="decimal"
        autoComplete="off"
        placeholder={placeholder}
        value={typed ?? String(stored ?? '')}
        onChange={(event) => type(event.target.value)}
        onFocus={() => setFocused(true)}
        onBlur={() => {
          setFocused(false);
          if (typed !== undefined && isValid(typed)) setTyped(undefined);
        }}
        className="h-8 rounded-md border border-line-strong bg-surface px-2 sm:w-64 sm:text-right"
      />
      {isWrong ? (
        <span role="alert" className="text-failed text-xs">
          {problem}
        </span>
      ) : null}
    </span>
  );
}
