'use client';

import { Suspense, useState } from 'react';
import type { DialogProps } from './dialog-window.tsx';
import { focusPlace } from './focus.ts';
import { lazyView } from './lazy-view.tsx';

const DialogWindow = lazyView(() => import('./dialog-window.tsx'));

export const preloadDialog = DialogWindow.preload;

/**
 * A modal dialog with a title, closed by Esc, by a click outside, or by its button. The initial focus is on the element
 * marked `data-initial-focus`; on closing, the focus returns to where it was.
 */
export function Dialog(props: DialogProps) {
  const [opener] = useState(focusPlace);
  return (
    <Suspense>
      <DialogWindow {...props} opener={opener} />
    </Suspense>
  );
}
