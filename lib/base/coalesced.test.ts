import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { coalesced } from './coalesced.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('what is wanted meanwhile is done once more, and not before a pause', async () => {
  let runs = 0;
  let end: () => void = () => undefined;
  const ask = coalesced(() => {
    runs++;
    return new Promise((resolve) => {
      end = resolve;
    });
  }, 1_000);
  ask();
  for (let n = 0; n < 100; n++) ask();
  expect(runs).toBe(1);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(runs, 'while the first one is under way').toBe(1);
  end();
  await vi.advanceTimersByTimeAsync(999);
  ask();
  expect(runs).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(runs).toBe(2);
  end();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(runs).toBe(2);
  ask();
  expect(runs, 'after a pause, at once').toBe(3);
});
