'use client';

import { cloneElement, type KeyboardEvent, type MouseEvent, type ReactElement, Suspense, useState } from 'react';
import { lazyView } from './lazy-view.tsx';
import type { MenuEntry } from './menu-list.tsx';

interface TriggerProps {
  'aria-haspopup'?: 'menu';
  'aria-expanded'?: boolean;
  onClick?(event: MouseEvent): void;
  onKeyDown?(event: KeyboardEvent): void;
}

const MenuList = lazyView(() => import('./menu-list.tsx'));

export const preloadMenu = MenuList.preload;

interface MenuProps {
  trigger: ReactElement<TriggerProps>;
  entries: readonly MenuEntry[];
  /** The side of the trigger that the menu is aligned to. */
  align?: 'start' | 'end';
}

/** A menu of commands behind a trigger button. Until it is first opened, only the button is rendered. */
export function Menu({ trigger, entries, align = 'end' }: MenuProps) {
  const [openedBy, setOpenedBy] = useState<'pointer' | 'keyboard'>();
  const closed = cloneElement(trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: ({ detail }) => setOpenedBy(detail === 0 ? 'keyboard' : 'pointer'),
    onKeyDown: ({ key }) => key === 'ArrowDown' && setOpenedBy('keyboard'),
  });
  if (openedBy === undefined) return closed;
  return (
    <Suspense fallback={closed}>
      <MenuList trigger={trigger} entries={entries} byKeyboard={openedBy === 'keyboard'} align={align} />
    </Suspense>
  );
}

interface ContextMenuProps {
  /** The point at which the user opened the menu, in CSS pixels of the window. */
  at: { x: number; y: number };
  entries: readonly MenuEntry[];
  onClose(): void;
}

/** A menu of commands at a point, such as after a right click. */
export function ContextMenu({ at: { x, y }, entries, onClose }: ContextMenuProps) {
  const [opener] = useState(() => document.activeElement);
  const place = <span aria-hidden className="fixed size-0" style={{ left: x, top: y }} />;
  return (
    <Suspense>
      <MenuList trigger={place} entries={entries} byKeyboard={false} align="start" onClose={onClose} opener={opener} />
    </Suspense>
  );
}
