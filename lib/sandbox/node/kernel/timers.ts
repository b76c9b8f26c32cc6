import { apply, evaluate, global, toNumber, toText } from '#lib/sandbox/kernel/primordials.ts';
import { defineGlobal } from './globals.ts';

/** Replaces `setTimeout` and `setInterval`, so that they return numbers and accept code as text, as in browsers. */
export function replaceTimers(): void {
  for (const name of ['setTimeout', 'setInterval'] as const) {
    const start = global[name].bind(global) as (task: () => void, ms: unknown) => unknown;
    const replacement = (task: unknown, ms?: unknown, ...given: unknown[]): number => {
      const run = () => {
        if (typeof task === 'function') apply(task, undefined, given);
        else evaluate(toText(task));
      };
      return toNumber(start(run, ms));
    };
    Object.defineProperty(replacement, 'name', { value: name });
    defineGlobal(name, replacement);
  }
}
