'use client';

import { Download } from 'lucide-react';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { Dialog } from './dialog.tsx';
import { PictureView } from './picture-view.tsx';

interface PictureDialogProps {
  url: string;
  name: string;
  onClose(): void;
}

/** A picture in a large window, where it can be enlarged, scrolled, and downloaded. */
export default function PictureDialog({ url, name, onClose }: PictureDialogProps) {
  const t = useAllMessages();
  return (
    <Dialog open onOpenChange={onClose} title={name || t.viewer.picture} large>
      <PictureView url={url} name={name}>
        <a
          href={url}
          download={name || 'picture'}
          aria-label={t.viewer.download}
          data-tooltip={t.viewer.download}
          className="ms-auto inline-flex size-8 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-text"
        >
          <Download aria-hidden size={16} />
        </a>
      </PictureView>
    </Dialog>
  );
}
