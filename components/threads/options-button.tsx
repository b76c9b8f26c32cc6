'use client';

import { Ellipsis } from 'lucide-react';
import { type KeyboardEvent, type MouseEvent, type ReactNode, Suspense, useState } from 'react';
import { IconButton } from '#components/ui/button.tsx';

/** The props that a menu gets from the button that opens it. `byKeyboard`: whether a key was pressed for that. */
export interface OpenedMenuProps {
  trigger: ReactNode;
  byKeyboard: boolean;
}

interface OptionsButtonProps {
  label: string;
  className?: string;
  /** Renders the menu, whose code is loaded when it is first opened. */
  menu(props: OpenedMenuProps): ReactNode;
}

/** A button that opens a menu. The menu is rendered only once it is first opened, because each thread in the list has one. */
export function OptionsButton({ label, className, menu }: OptionsButtonProps) {
  const [openedBy, setOpenedBy] = useState<'pointer' | 'keyboard'>();
  const icon = <Ellipsis aria-hidden size={14} />;
  const look = { label, size: 'small' as const, ...(className !== undefined && { className }) };
  const closed = (
    <IconButton
      {...look}
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={({ detail }: MouseEvent) => setOpenedBy(detail === 0 ? 'keyboard' : 'pointer')}
      onKeyDown={({ key }: KeyboardEvent) => key === 'ArrowDown' && setOpenedBy('keyboard')}
    >
      {icon}
    </IconButton>
  );
  if (openedBy === undefined) return closed;
  const trigger = <IconButton {...look}>{icon}</IconButton>;
  return <Suspense fallback={closed}>{menu({ trigger, byKeyboard: openedBy === 'keyboard' })}</Suspense>;
}
