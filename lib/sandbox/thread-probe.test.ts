import { expect, test } from 'vitest';
import type { Frame } from './frame.ts';
import type { KernelListener } from './kernel-connection.ts';
import { PROBE_MS, PROBE_TRIES } from './limits.ts';
import { hasOwnThread } from './thread-probe.ts';

/** The times for which the frame of the current test was kept busy, in milliseconds. */
let times: number[] = [];

/**
 * A frame beside whose n-th busy time the page goes on, or does not; the last one counts for all later ones. Where it does
 * not, the messages before and after that time wait together for the page.
 */
function frameWith(...goesOn: readonly boolean[]): Frame {
  let listener: KernelListener | undefined;
  times = [];
  const frame: Pick<Frame, 'listen' | 'send'> = {
    listen: (next) => {
      listener = next;
    },
    send(message) {
      if (message.type !== 'spin') return;
      const isApart = goesOn[Math.min(times.length, goesOn.length - 1)];
      times.push(message.ms);
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data: type }) => {
        listener?.onMessage({ type });
        if (type === 'spun') port1.close();
      };
      port2.postMessage('spinning');
      // A busy machine may take as long again to deliver the first message.
      if (isApart) setTimeout(() => port2.postMessage('spun'), 4 * message.ms);
      else port2.postMessage('spun');
    },
  };
  return frame as Frame;
}

test('a page that goes on while the frame is busy does not share its thread, which a short try shows', async () => {
  expect(await hasOwnThread(frameWith(true))).toBe(true);
  expect(times).toEqual([20]);
});

test('a page that stands still several times in a row, and then goes on, does not share its thread', async () => {
  expect(await hasOwnThread(frameWith(false, false, false, false, false, true))).toBe(true);
  expect(times).toEqual([20, 40, PROBE_MS, PROBE_MS, PROBE_MS, PROBE_MS]);
});

test('a page that stands still each time shares its thread', async () => {
  expect(await hasOwnThread(frameWith(false))).toBe(false);
  expect(times).toHaveLength(PROBE_TRIES);
});

test('a page that goes on before the second message has come does not count, if that takes less time than the frame', async () => {
  let listener: KernelListener | undefined;
  const frame: Pick<Frame, 'listen' | 'send'> = {
    listen: (next) => {
      listener = next;
    },
    send: () => {
      listener?.onMessage({ type: 'spinning' });
      // On a shared thread, the second message may come a few turns later.
      setTimeout(() => listener?.onMessage({ type: 'spun' }), 3);
    },
  };
  expect(await hasOwnThread(frame as Frame)).toBe(false);
});

test('a frame that ends while it is busy is not waited for', async () => {
  let listener: KernelListener | undefined;
  let isOpen = true;
  const frame: Pick<Frame, 'listen' | 'send'> = {
    listen: (next) => {
      listener = next;
    },
    // As a frame does, it says only once that it has ended.
    send: () =>
      queueMicrotask(() => {
        if (isOpen) listener?.onEnd('The frame ended.', 'left');
        isOpen = false;
      }),
  };
  await expect(hasOwnThread(frame as Frame)).rejects.toThrow('The frame ended.');
});
