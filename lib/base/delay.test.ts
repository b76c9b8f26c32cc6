import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { delay } from './delay.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('waits for its time', async () => {
  const done = vi.fn();
  void delay(100).then(done);
  await vi.advanceTimersByTimeAsync(99);
  expect(done).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(done).toHaveBeenCalledOnce();
});

test('ends when its signal fires, and leaves neither a timer nor a listener', async () => {
  const controller = new AbortController();
  const removed = vi.spyOn(controller.signal, 'removeEventListener');
  const waiting = delay(100, controller.signal);
  controller.abort();
  await waiting;
  expect(vi.getTimerCount()).toBe(0);
  expect(removed).toHaveBeenCalledOnce();
  await delay(100, controller.signal);
  expect(vi.getTimerCount()).toBe(0);
});
