'use client';

import { type ReactNode, useEffect, useState } from 'react';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { ZoomedPicture } from './zoomed-picture.tsx';

interface PictureViewProps {
  /** The address of the picture, which the page already has. */
  url: string;
  name: string;
  /** More controls beside those for the size. */
  children: ReactNode;
}

/**
 * A picture in a window: it can be enlarged and scrolled. Says so if it cannot be shown. `children`: more controls beside
 * those for the size.
 */
export function PictureView({ url, name, children }: PictureViewProps) {
  const t = useAllMessages();
  const [size, setSize] = useState<{ width: number; height: number }>();
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    const picture = new Image();
    picture.onload = () => setSize({ width: picture.naturalWidth, height: picture.naturalHeight });
    picture.onerror = () => setBroken(true);
    picture.src = url;
  }, [url]);
  if (size !== undefined)
    return (
      <ZoomedPicture src={url} alt={name} {...size}>
        {children}
      </ZoomedPicture>
    );
  return (
    <>
      <div className="flex border-line border-b px-2 py-1">{children}</div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keys need a place */}
      <p tabIndex={0} data-initial-focus="" className="p-4 text-muted">
        {isBroken ? t.viewer.broken : ''}
      </p>
    </>
  );
}
