'use client';

import { DropdownMenu as Radix } from 'radix-ui';
import { type ReactNode, useRef } from 'react';

export interface MenuEntry {
  label: string;
  icon?: ReactNode;
  danger?: boolean;
  onSelect(): void;
}

/** A menu of commands behind a trigger. A command runs when the menu has closed, so that it can take the focus. */
export function Menu({ trigger, entries }: { trigger: ReactNode; entries: readonly MenuEntry[] }) {
  const chosen = useRef<() => void>(undefined);
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align="end"
          sideOffset={4}
          onCloseAutoFocus={() => {
            chosen.current?.();
            chosen.current = undefined;
          }}
          className="z-50 min-w-44 rounded-md border border-line bg-raised p-1 shadow-float"
        >
          {entries.map(({ label, icon, danger, onSelect }) => (
            <Radix.Item
              key={label}
              onSelect={() => {
                chosen.current = onSelect;
              }}
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
