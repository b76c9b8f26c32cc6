'use client';

import * as Radix from '@radix-ui/react-dropdown-menu';
import { type ReactNode, useRef } from 'react';

export interface MenuEntry {
  label: string;
  icon?: ReactNode;
  danger?: boolean;
  onSelect(): void;
}

interface MenuListProps {
  trigger: ReactNode;
  entries: readonly MenuEntry[];
  /** Whether it was opened by keyboard; then the first command is selected at once. */
  byKeyboard: boolean;
  align: 'start' | 'end';
  onClose?(): void;
  /** The element that gets the focus back if the trigger cannot take it. */
  opener?: Element | null;
}

/** A menu that opens as soon as it mounts. A command runs after the menu has closed, so that it can take the focus. */
export default function MenuList({ trigger, entries, byKeyboard, align, onClose, opener }: MenuListProps) {
  const chosen = useRef<() => void>(undefined);
  const first = useRef<HTMLDivElement>(null);
  return (
    // Not modal: what is around it would be hidden from assistive technology, but could still get the focus.
    <Radix.Root defaultOpen modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          sideOffset={4}
          onFocus={() => {
            if (byKeyboard) first.current?.focus();
            first.current = null;
          }}
          onCloseAutoFocus={(event) => {
            // A point on the screen cannot take the focus, so the focus returns to where it was.
            if (opener !== undefined) {
              event.preventDefault();
              if (opener instanceof HTMLElement) opener.focus();
            }
            chosen.current?.();
            chosen.current = undefined;
            onClose?.();
          }}
          className="z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-44 overflow-y-auto rounded-md border border-line bg-raised p-1 shadow-float"
        >
          {entries.map(({ label, icon, danger, onSelect }, index) => (
            <Radix.Item
              key={label}
              ref={index === 0 ? first : null}
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
