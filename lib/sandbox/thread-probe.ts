import { delay } from '#lib/base/delay.ts';
import { type Frame, FrameNotStarted } from './frame.ts';
import { PROBE_FIRST_MS, PROBE_MS, PROBE_PAUSE_MS, PROBE_TRIES, PROBE_TURNS } from './limits.ts';

/**
 * Keeps the frame busy for a moment, and checks whether the studio's page goes on meanwhile: then the frame has a thread of its
 * own, and the result is true. Replaces the frame's listener. A page that is still loading may stand still for other reasons,
 * so the frame counts as blocking it only if it stands still on every try. Rejects with `FrameNotStarted` if the frame ends.
 */
export async function hasOwnThread(frame: Frame): Promise<boolean> {
  for (let tries = 0; tries < PROBE_TRIES; tries++) {
    if (await goesOnBeside(frame, Math.min(PROBE_MS, PROBE_FIRST_MS * 2 ** tries))) return true;
    await delay(PROBE_PAUSE_MS);
  }
  return false;
}

/**
 * Keeps the frame busy for `ms` milliseconds. Resolves with whether the page has turns of its event loop, and at least half of
 * that time, between the frame's messages before and after it. On a shared thread, both messages wait there when the page goes
 * on, so they come together. Turns are not counted with timers, which are throttled in hidden tabs.
 */
async function goesOnBeside(frame: Frame, ms: number): Promise<boolean> {
  const { port1, port2 } = new MessageChannel();
  let turns = 0;
  port1.onmessage = () => {
    if (++turns < PROBE_TURNS) port2.postMessage(null);
  };
  let began = Number.POSITIVE_INFINITY;
  const spun = Promise.withResolvers<number>();
  frame.listen({
    onMessage({ type }) {
      if (type === 'spinning') {
        began = performance.now();
        port2.postMessage(null);
      } else if (type === 'spun') spun.resolve(performance.now());
    },
    onEnd: (reason) => spun.reject(new FrameNotStarted(reason)),
  });
  frame.send({ type: 'spin', ms });
  const ended = await spun.promise.finally(() => port1.close());
  return turns >= PROBE_TURNS && ended - began >= ms / 2;
}
