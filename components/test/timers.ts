import { onTestFinished, vi } from 'vitest';

/** Makes timeouts of exactly `limitMs` fire after `passesAfterMs`, both in milliseconds, until the test ends. */
export function shortenLimit(limitMs: number, passesAfterMs: number): void {
  const { setTimeout } = globalThis;
  const shortened = vi
    .spyOn(globalThis, 'setTimeout')
    .mockImplementation(((handler: TimerHandler, ms?: number, ...args: unknown[]) =>
      setTimeout(handler, ms === limitMs ? passesAfterMs : ms, ...args)) as typeof setTimeout);
  onTestFinished(() => shortened.mockRestore());
}
