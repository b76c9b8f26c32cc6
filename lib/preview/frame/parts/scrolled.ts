import type { Given } from './given.ts';

/** How often it is told how far a page is scrolled, in milliseconds. */
const TELL_EVERY_MS = 200;

/** How long a page may take to become as long as it was, in milliseconds. */
const GROWS_MAX_MS = 2_000;

/** A page that is loaded anew is where it was. */
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

/** Goes there as soon as the page is long enough, unless its person has gone elsewhere by then. */
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
