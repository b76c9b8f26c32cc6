'use client';

import { Download } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { Dialog } from './dialog.tsx';
import { ZoomedPicture } from './zoomed-picture.tsx';

interface PictureDialogProps {
  url: string;
  name: string;
  onClose(): void;
}

/** A picture in a large window, where it can be enlarged, scrolled, and downloaded. */
export default function PictureDialog({ url, name, onClose }: PictureDialogProps) {
  const t = useAllMessages();
  const [size, setSize] = useState<{ width: number; height: number }>();
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    const picture = new Image();
    picture.onload = () => setSize({ width: picture.naturalWidth, height: picture.naturalHeight });
    picture.onerror = () => setBroken(true);
    picture.src = url;
  }, [url]);
  return (
    <Dialog open onOpenChange={onClose} title={name || t.viewer.picture} large>
      {size === undefined ? (
        <p className="p-4 text-muted">{isBroken ? t.viewer.broken : ''}</p>
      ) : (
        <ZoomedPicture src={url} alt={name} {...size}>
          <a
            href={url}
            download={name || 'picture'}
            aria-label={t.viewer.download}
            data-tooltip={t.viewer.download}
            className="ms-auto inline-flex size-8 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-text"
          >
            <Download aria-hidden size={16} />
          </a>
        </ZoomedPicture>
      )}
    </Dialog>
  );
}
