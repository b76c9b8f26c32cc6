'use client';

import { useEffect } from 'react';
import TooltipLayer from '#components/ui/tooltip-layer.tsx';
import { closeOverlaysOnBack } from './back-key.ts';
import { keepFocus } from './keep-focus.ts';

/** Shows tooltips, keeps the focus, and makes Back close dialogs. Loaded later, because the first message needs none of it. */
export default function PageLayers() {
  useEffect(keepFocus, []);
  useEffect(closeOverlaysOnBack, []);
  return <TooltipLayer />;
}
