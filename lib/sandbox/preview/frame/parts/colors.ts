import { FOLLOWS_STUDIO } from '../../color-scheme.ts';
import type { Given } from './given.ts';

/** Gives a page with the attribute `FOLLOWS_STUDIO` the studio's color scheme before it is first painted. */
export function takeColors({ colorScheme }: Given): void {
  if (colorScheme === undefined) return;
  const take = () => {
    const { documentElement: root } = document;
    if (root.hasAttribute(FOLLOWS_STUDIO)) root.style.colorScheme = colorScheme;
  };
  addEventListener('DOMContentLoaded', take, { once: true });
}
