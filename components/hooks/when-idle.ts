import { useEffect, useState } from 'react';

/** The longest wait for an idle browser, in milliseconds. One that is always busy or draws nothing never reports it. */
const PATIENCE_MS = 2_000;

/**
 * Calls `work` once the browser is idle, or after about two seconds at the latest, such as to load what users need next.
 * Returns a function that cancels that.
 */
export function whenIdle(work: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(work, 1_000);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(work, { timeout: PATIENCE_MS });
  return () => cancelIdleCallback(handle);
}

/** Checks whether the browser has been idle, as `whenIdle` finds out, since the view was first shown. */
export function useWasIdle(): boolean {
  const [wasIdle, setWasIdle] = useState(false);
  useEffect(() => whenIdle(() => setWasIdle(true)), []);
  return wasIdle;
}
