import { onTestFinished, vi } from 'vitest';

/** Lets one limit of the studio pass sooner, by its length, until the test ends. Both are in milliseconds. */
export function shortenLimit(limitMs: number, passesAfterMs: number): void {
  const { setTimeout } = globalThis;
  const shortened = vi
    .spyOn(globalThis, 'setTimeout')
    .mockImplementation(((handler: TimerHandler, ms?: number, ...args: unknown[]) =>
      setTimeout(handler, ms === limitMs ? passesAfterMs : ms, ...args)) as typeof setTimeout);
  onTestFinished(() => shortened.mockRestore());
}
