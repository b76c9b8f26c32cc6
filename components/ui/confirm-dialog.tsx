'use client';

import type { ReactNode } from 'react';
import { useMessages } from '#components/i18n/i18n.tsx';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import { Dialog } from './dialog.tsx';

interface ConfirmDialogProps {
  title: string;
  description: string;
  /** The label of the button that confirms. */
  action: string;
  isDangerous?: boolean;
  /** Further content below the description. */
  children?: ReactNode;
  onConfirm(): void;
  onClose(): void;
}

/** Asks for confirmation. Cancel has the focus. */
export function ConfirmDialog({
  title,
  description,
  action,
  isDangerous,
  children,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const t = useMessages();
  return (
    <Dialog open onOpenChange={onClose} title={title} description={description}>
      {children}
      <div className={classNames('flex justify-end gap-2', children === undefined ? undefined : 'mt-4')}>
        <Button data-initial-focus onClick={onClose}>
          {t.common.cancel}
        </Button>
        <Button variant={isDangerous ? 'danger' : 'primary'} onClick={onConfirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
