import { delay } from '#lib/base/delay.ts';
import type { Frame } from './frame.ts';
import { PROBE_MS, PROBE_PAUSE_MS, PROBE_TRIES } from './limits.ts';

/** The studio's page counts as blocked by a frame if it stalls for this share of the time that the frame is busy. */
const STALL_SHARE = 0.8;

/**
 * Keeps the frame busy for a moment, and checks whether the studio's page goes on meanwhile: then the frame has a thread of its
 * own, and the result is true. Replaces the frame's listener. A page that is still loading may stall for other reasons, so it
 * counts as blocked by the frame only if it stalls on every try, for about as long as the frame is busy.
 */
export async function hasOwnThread(frame: Frame): Promise<boolean> {
  for (let tries = 0; tries < PROBE_TRIES; tries++) {
    const { promise, resolve } = Promise.withResolvers<void>();
    frame.listen({ onMessage: ({ type }) => type === 'spun' && resolve(), onEnd: () => resolve() });
    frame.send({ type: 'spin', ms: PROBE_MS });
    if ((await longestStall(promise)) < STALL_SHARE * PROBE_MS) return true;
    await delay(PROBE_PAUSE_MS);
  }
  return false;
}

/**
 * The longest stall of the studio's page until a promise settles, in milliseconds. Not measured with timers, which are
 * throttled in hidden tabs.
 */
async function longestStall(until: Promise<void>): Promise<number> {
  const { port1, port2 } = new MessageChannel();
  let last = performance.now();
  let longest = 0;
  const look = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  port1.onmessage = () => {
    look();
    port2.postMessage(null);
  };
  port2.postMessage(null);
  await until;
  look();
  port1.close();
  return longest;
}
