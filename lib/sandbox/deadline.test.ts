import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Deadline } from './deadline.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('time does not run while there is any hold', () => {
  const onEnd = vi.fn();
  const deadline = new Deadline(100, onEnd);
  vi.advanceTimersByTime(60);
  deadline.hold(true);
  deadline.hold(true);
  vi.advanceTimersByTime(1_000);
  deadline.hold(false);
  vi.advanceTimersByTime(1_000);
  deadline.hold(false);
  vi.advanceTimersByTime(39);
  expect(onEnd).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onEnd).toHaveBeenCalledTimes(1);
});

test('a stopped deadline does not restart when it is released', () => {
  const onEnd = vi.fn();
  const deadline = new Deadline(100, onEnd);
  deadline.hold(true);
  deadline.stop();
  deadline.hold(false);
  vi.advanceTimersByTime(1_000);
  expect(onEnd).not.toHaveBeenCalled();
});
