'use client';

import { useEffect } from 'react';
import TooltipLayer from '#components/ui/tooltip-layer.tsx';
import { closeOverlaysOnBack } from './back-key.ts';
import { keepFocus } from './keep-focus.ts';

/** Tooltips and the care for the focus and for Back, which the first message does not need. */
export default function PageLayers() {
  useEffect(keepFocus, []);
  useEffect(closeOverlaysOnBack, []);
  return <TooltipLayer />;
}
