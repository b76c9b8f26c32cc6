'use client';

import * as Radix from '@radix-ui/react-dropdown-menu';
import { type ReactNode, useRef } from 'react';

export interface MenuEntry {
  label: string;
  /** A name that is unique in the menu, if the label is not. */
  id?: string;
  /** The depth below other entries, from 0. */
  depth?: number;
  icon?: ReactNode;
  danger?: boolean;
  onSelect(): void;
}

interface MenuListProps {
  trigger: ReactNode;
  entries: readonly MenuEntry[];
  /** Whether the menu was opened by keyboard. If so, the first command has the focus at once. */
  byKeyboard: boolean;
  align: 'start' | 'end';
  onClose?(): void;
  /** The element that gets the focus when the menu closes, for a trigger that cannot take it. */
  opener?: Element | null;
}

/**
 * A menu that opens as soon as it mounts. A command runs after the menu has closed, so that it can take the focus.
 * `byKeyboard`: whether the first command has the focus at once. `opener`: the element that gets the focus when the menu
 * closes, for a trigger that cannot take it.
 */
export default function MenuList({ trigger, entries, byKeyboard, align, onClose, opener }: MenuListProps) {
  const chosen = useRef<() => void>(undefined);
  const first = useRef<HTMLDivElement>(null);
  return (
    // A modal menu would hide everything around it from assistive technology, where the focus could still go.
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
            // The trigger of a context menu is a point on the screen, which cannot take the focus.
            if (opener !== undefined) {
              event.preventDefault();
              if (opener instanceof HTMLElement) opener.focus();
            }
            chosen.current?.();
            chosen.current = undefined;
            onClose?.();
          }}
          className="z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-44 max-w-[min(28rem,calc(100vw-1rem))] overflow-y-auto rounded-md border border-line bg-raised p-1 shadow-float"
        >
          {entries.map(({ label, id = label, depth = 0, icon, danger, onSelect }, index) => (
            <Radix.Item
              key={id}
              ref={index === 0 ? first : null}
              onSelect={() => {
                chosen.current = onSelect;
              }}
              {...(depth > 0 && { style: { paddingInlineStart: `${depth + 0.5}rem` } })}
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
