import type { Given } from './given.ts';

/** The interval between two reports of a page's scroll position, in milliseconds. */
const TELL_EVERY_MS = 200;

/** The maximum time that a page may take to grow to its previous height, in milliseconds. */
const GROWS_MAX_MS = 2_000;

/**
 * Keeps the scroll position of a page when it is reloaded: reports it to the studio, and scrolls to the previous one on
 * load.
 */
export function keepScrolled({ scrolled, scroll }: Given): void {
  let isTold = true;
  addEventListener(
    'scroll',
    () => {
      if (!isTold) return;
      isTold = false;
      setTimeout(() => {
        isTold = true;
        scroll(Math.round(scrollX), Math.round(scrollY));
      }, TELL_EVERY_MS);
    },
    { passive: true },
  );
  if (scrolled !== undefined) addEventListener('load', () => goBack(scrolled.x, scrolled.y), { once: true });
}

/**
 * Scrolls to a position, again whenever the page's size changes, until the position is reached, the user turns the wheel or
 * presses something, or `GROWS_MAX_MS` have passed.
 */
function goBack(x: number, y: number): void {
  const ending = new AbortController();
  const end = () => ending.abort();
  const go = () => {
    scrollTo({ left: x, top: y, behavior: 'instant' });
    if (Math.abs(scrollY - y) < 1) end();
  };
  const observer = new ResizeObserver(go);
  ending.signal.addEventListener('abort', () => observer.disconnect());
  for (const type of ['wheel', 'pointerdown', 'keydown']) addEventListener(type, end, { signal: ending.signal });
  setTimeout(end, GROWS_MAX_MS);
  observer.observe(document.documentElement);
  if (document.body !== null) observer.observe(document.body);
}
