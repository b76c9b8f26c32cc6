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

/** A menu of commands behind a trigger, a button. Until it is first opened, the button is all there is of it. */
export function Menu({ trigger, entries }: { trigger: ReactElement<TriggerProps>; entries: readonly MenuEntry[] }) {
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
      <MenuList trigger={trigger} entries={entries} byKeyboard={openedBy === 'keyboard'} />
    </Suspense>
  );
}
