'use client';

import { Suspense, useState } from 'react';
import { classNames } from './class-names.ts';
import { COMBOBOX, SelectFace, type SelectProps } from './combobox.tsx';
import { lazyView } from './lazy-view.tsx';

const SelectList = lazyView(() => import('./select-list.tsx'));

export const preloadSelect = SelectList.preload;

/** A choice of options, as a combobox with a list. Until it is first opened, only the combobox is rendered. */
export function Select(props: SelectProps) {
  const [isWanted, setIsWanted] = useState(false);
  const { label, value, options, placeholder, className, onOpenChange } = props;
  const chosen = options.find((option) => option.value === value)?.label;
  const open = () => {
    setIsWanted(true);
    onOpenChange?.(true);
  };
  const closed = (
    <button
      type="button"
      role="combobox"
      aria-label={label}
      aria-haspopup="listbox"
      aria-expanded={false}
      data-tooltip={label}
      data-placeholder={chosen === undefined ? '' : undefined}
      className={classNames(COMBOBOX, className)}
      onClick={open}
      onKeyDown={({ key }) => (key === 'ArrowDown' || key === 'ArrowUp') && open()}
    >
      <SelectFace>{chosen ?? placeholder}</SelectFace>
    </button>
  );
  if (!isWanted) return closed;
  return (
    <Suspense fallback={closed}>
      <SelectList {...props} />
    </Suspense>
  );
}
