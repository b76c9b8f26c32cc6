'use client';

import { Suspense, useState } from 'react';
import { focusPlace } from '#components/runtime/focus.ts';
import type { DialogProps } from './dialog-window.tsx';
import { lazyView } from './lazy-view.tsx';

const DialogWindow = lazyView(() => import('./dialog-window.tsx'));

export const preloadDialog = DialogWindow.preload;

/**
 * A modal dialog with its title, closed by Esc, by a click outside and by its button. The keyboard begins at the element
 * marked `data-initial-focus` and goes back to where it was.
 */
export function Dialog(props: DialogProps) {
  const [opener] = useState(focusPlace);
  return (
    <Suspense>
      <DialogWindow {...props} opener={opener} />
    </Suspense>
  );
}
