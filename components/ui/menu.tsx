'use client';

import { DropdownMenu as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

export interface MenuEntry {
  label: string;
  icon?: ReactNode;
  danger?: boolean;
  onSelect(): void;
}

/** A menu of commands behind a trigger. */
export function Menu({ trigger, entries }: { trigger: ReactNode; entries: readonly MenuEntry[] }) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align="end"
          sideOffset={4}
          className="z-50 min-w-44 rounded-md border border-line bg-raised p-1 shadow-float"
        >
          {entries.map(({ label, icon, danger, onSelect }) => (
            <Radix.Item
              key={label}
              onSelect={onSelect}
              className={`flex cursor-pointer items-center gap-2 rounded-sm px-2 py-1.5 text-sm outline-none data-highlighted:bg-hover ${danger ? 'text-failed' : ''}`}
            >
              {icon}
              {label}
            </Radix.Item>
          ))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
