'use client';

import { type ReactNode, Suspense, useState } from 'react';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { lazyView } from './lazy-view.tsx';

const PictureDialog = lazyView(() => import('./picture-dialog.tsx'));

interface OpeningPictureProps {
  /** The address of the picture, which the page already has. */
  url: string;
  /** The name of the picture; empty if it has none. */
  name: string;
  /** The picture itself. */
  children: ReactNode;
}

/** A picture that opens in a large window when it is pressed. */
export function OpeningPicture({ url, name, children }: OpeningPictureProps) {
  const t = useAllMessages();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        data-printed=""
        aria-label={t.viewer.enlarge(name)}
        onClick={() => setOpen(true)}
        className="cursor-zoom-in"
      >
        {children}
      </button>
      {isOpen ? (
        <ErrorBoundary>
          <Suspense>
            <PictureDialog url={url} name={name} onClose={() => setOpen(false)} />
          </Suspense>
        </ErrorBoundary>
      ) : null}
    </>
  );
}
