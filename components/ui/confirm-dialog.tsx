'use client';

import { useMessages } from '#components/i18n/i18n.tsx';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

interface ConfirmDialogProps {
  title: string;
  description: string;
  /** What the button that goes ahead says. */
  action: string;
  isDangerous?: boolean;
  onConfirm(): void;
  onClose(): void;
}

/** Asks for confirmation. Cancel has the focus. */
export function ConfirmDialog({ title, description, action, isDangerous, onConfirm, onClose }: ConfirmDialogProps) {
  const t = useMessages();
  return (
    <Dialog open onOpenChange={onClose} title={title} description={description}>
      <div className="flex justify-end gap-2">
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
