'use client';

import { Check, ChevronDown } from 'lucide-react';
import { Select as Radix } from 'radix-ui';
import { classNames } from './class-names.ts';

export interface SelectOption {
  value: string;
  label: string;
  detail?: string;
}

interface SelectProps {
  /** The accessible name of the combobox. */
  label: string;
  value: string;
  options: readonly SelectOption[];
  onValueChange(value: string): void;
  onOpenChange?(open: boolean): void;
  placeholder?: string;
  className?: string;
}

/** One choice of several, as a combobox with a list. */
export function Select({ label, value, options, onValueChange, onOpenChange, placeholder, className }: SelectProps) {
  return (
    <Radix.Root value={value} onValueChange={onValueChange} {...(onOpenChange === undefined ? {} : { onOpenChange })}>
      <Radix.Trigger
        aria-label={label}
        title={label}
        className={classNames(
          'inline-flex h-8 min-w-0 items-center gap-1 rounded-md border border-line px-2 text-sm hover:bg-hover data-placeholder:text-muted',
          className,
        )}
      >
        <span className="truncate">
          <Radix.Value placeholder={placeholder}>{options.find((option) => option.value === value)?.label}</Radix.Value>
        </span>
        <Radix.Icon>
          <ChevronDown aria-hidden size={14} className="shrink-0 text-muted" />
        </Radix.Icon>
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          position="popper"
          sideOffset={4}
          className="z-50 max-h-(--radix-select-content-available-height) max-w-96 rounded-md border border-line bg-raised p-1 shadow-float"
        >
          <Radix.Viewport>
            {options.map((option) => (
              <Radix.Item
                key={option.value}
                value={option.value}
                className="flex cursor-pointer items-start gap-2 rounded-sm px-2 py-1.5 text-sm outline-none data-highlighted:bg-hover"
              >
                <span className="flex h-5 w-4 shrink-0 items-center">
                  <Radix.ItemIndicator>
                    <Check aria-hidden size={14} />
                  </Radix.ItemIndicator>
                </span>
                <span className="min-w-0">
                  <Radix.ItemText>{option.label}</Radix.ItemText>
                  {option.detail === undefined ? null : (
                    <span className="block text-muted text-xs">{option.detail}</span>
                  )}
                </span>
              </Radix.Item>
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
