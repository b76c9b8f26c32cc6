import { onTestFinished, vi } from 'vitest';

/** Lets those timers of the studio that last exactly this long end sooner, until the test ends. In milliseconds. */
export function shortenTimers(lengthMs: number, shorterMs: number): void {
  const { setTimeout } = globalThis;
  const shortened = vi
    .spyOn(globalThis, 'setTimeout')
    .mockImplementation(((handler: TimerHandler, ms?: number, ...args: unknown[]) =>
      setTimeout(handler, ms === lengthMs ? shorterMs : ms, ...args)) as typeof setTimeout);
  onTestFinished(() => shortened.mockRestore());
}
