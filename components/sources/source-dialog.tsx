'use client';

import { type ReactNode, useState } from 'react';
import { useStudio } from '#components/hooks/studio-provider.tsx';
import { ConfirmDialog } from '#components/ui/confirm-dialog.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { withoutSource } from '#studio/settings.ts';

interface SourceDialogProps {
  title: string;
  name: string;
  toolset: string;
  sources: { remove(name: string): Promise<void> };
  /** The texts of the question before the source is deleted. */
  texts: { deleteTitle(name: string): string; deleteDetail: string; delete: string };
  wide?: boolean;
  onClose(): void;
  /** Renders the form. `onDelete`: shows the question whether to delete the source. */
  children(onDelete: () => void): ReactNode;
}

/**
 * A dialog with the form for a tool server or an HTTP API. `children`: renders the form; the function that it gets asks the
 * person whether to delete the server or API, together with all permissions for its tools.
 */
export function SourceDialog({
  title,
  name,
  toolset,
  sources,
  texts,
  wide = false,
  onClose,
  children,
}: SourceDialogProps) {
  const { settings } = useStudio();
  const [isDeleting, setDeleting] = useState(false);
  const remove = async () => {
    await sources.remove(name);
    await settings.change(withoutSource(settings.getState(), toolset));
    onClose();
  };
  return isDeleting ? (
    <ConfirmDialog
      title={texts.deleteTitle(name)}
      description={texts.deleteDetail}
      action={texts.delete}
      isDangerous
      onConfirm={() => void remove()}
      onClose={() => setDeleting(false)}
    />
  ) : (
    <Dialog open onOpenChange={onClose} title={title} wide={wide}>
      {children(() => setDeleting(true))}
    </Dialog>
  );
}
