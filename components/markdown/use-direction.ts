import { useMemo } from 'react';
import type { Part } from './block.ts';
import { directionOf, hasRightToLeft } from './direction.ts';

/** The direction of a list or table, by its first part; undefined if nothing in it is written from right to left. */
export function useDirection([first]: readonly Part[]): 'ltr' | 'rtl' | undefined {
  const source = first?.source ?? '';
  return useMemo(() => (hasRightToLeft(source) ? directionOf(source) : undefined), [source]);
}
