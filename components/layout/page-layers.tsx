'use client';

import { useEffect } from 'react';
import TooltipLayer from '#components/ui/tooltip-layer.tsx';
import { keepFocus } from './keep-focus.ts';

/** What the whole page has in common, and is not needed before it is used. */
export default function PageLayers() {
  useEffect(keepFocus, []);
  return <TooltipLayer />;
}
