'use client';

import { useEffect } from 'react';
import TooltipLayer from '#components/ui/tooltip-layer.tsx';
import { closeOverlaysOnBack } from './back-key.ts';
import { keepFocus } from './keep-focus.ts';

/** What the whole page has in common, and is not needed before it is used. */
export default function PageLayers() {
  useEffect(keepFocus, []);
  useEffect(closeOverlaysOnBack, []);
  return <TooltipLayer />;
}
