'use client';

import { Ellipsis } from 'lucide-react';
import { type KeyboardEvent, type MouseEvent, type ReactNode, Suspense, useState } from 'react';
import { IconButton } from '#components/ui/button.tsx';

/** The props that an opened menu needs from the button that opened it. */
export interface OpenedMenuProps {
  trigger: ReactNode;
  byKeyboard: boolean;
}

interface OptionsButtonProps {
  label: string;
  className?: string;
  /** The menu, whose code is loaded when it is first opened. */
  menu(props: OpenedMenuProps): ReactNode;
}

/** A button for a menu that is not rendered before it is first opened: the list has as many of them as threads. */
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
