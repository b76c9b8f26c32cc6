'use client';

import * as Radix from '@radix-ui/react-select';
import { Check } from 'lucide-react';
import { classNames } from './class-names.ts';
import { COMBOBOX, SelectFace, type SelectProps } from './combobox.tsx';

/** A `Select` once it has been opened: the combobox, and the list, which is open as soon as this mounts. */
export default function SelectList(props: SelectProps) {
  const { label, value, options, onValueChange, onOpenChange, placeholder, className } = props;
  return (
    <Radix.Root
      defaultOpen
      value={value}
      onValueChange={onValueChange}
      {...(onOpenChange === undefined ? {} : { onOpenChange })}
    >
      <Radix.Trigger aria-label={label} data-tooltip={label} className={classNames(COMBOBOX, className)}>
        <SelectFace>
          <Radix.Value placeholder={placeholder}>{options.find((option) => option.value === value)?.label}</Radix.Value>
        </SelectFace>
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
