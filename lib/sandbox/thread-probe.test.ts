import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Frame } from './frame.ts';
import type { KernelListener } from './kernel-connection.ts';
import { PROBE_MS, PROBE_TRIES } from './limits.ts';
import { hasOwnThread } from './thread-probe.ts';

let now = 0;
let tries = 0;

beforeEach(() => {
  now = tries = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});

afterEach(() => vi.restoreAllMocks());

/** A frame during whose n-th busy time the page stalls for that many milliseconds; the last one counts for all later ones. */
function frameWith(...stalls: readonly number[]): Frame {
  let listener: KernelListener | undefined;
  const frame: Pick<Frame, 'listen' | 'send'> = {
    listen: (next) => {
      listener = next;
    },
    send: () => {
      const stall = stalls[Math.min(tries++, stalls.length - 1)] ?? 0;
      setTimeout(() => {
        now += stall;
        listener?.onMessage({ type: 'spun' });
      });
    },
  };
  return frame as Frame;
}

test('a page that goes on while the frame is busy does not share its thread', async () => {
  expect(await hasOwnThread(frameWith(0))).toBe(true);
  expect(tries).toBe(1);
});

test('a page that stalls for a part of the time, as it does while it loads, does not share its thread', async () => {
  expect(await hasOwnThread(frameWith(PROBE_MS * 0.7))).toBe(true);
});

test('a page that stalls several times in a row, and then goes on, does not share its thread', async () => {
  expect(await hasOwnThread(frameWith(PROBE_MS, PROBE_MS, PROBE_MS, PROBE_MS, PROBE_MS, 0))).toBe(true);
  expect(tries).toBe(6);
});

test('a page that stalls each time shares its thread', async () => {
  expect(await hasOwnThread(frameWith(PROBE_MS))).toBe(false);
  expect(tries).toBe(PROBE_TRIES);
});
