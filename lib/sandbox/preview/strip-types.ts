import { EndableWorker } from '#lib/base/endable-worker.ts';
import { ToolFailure } from '#lib/tools/core/tool-call.ts';
import type { StripOutcome } from './built-page.ts';
import type { Bundler } from './compile/compiler-worker.ts';
import { BUILD_TIMEOUT_MS } from './limits.ts';

const worker = new EndableWorker<Bundler>({
  start: () => new Worker(new URL('./compile/compiler-worker.ts', import.meta.url), { type: 'module', name: 'types' }),
  failure: (message) => new ToolFailure('failed', `TypeScript can’t be run without the studio’s server. ${message}`),
});

/**
 * Removes the types from TypeScript that is not a module, in a worker, and returns the JavaScript. Rejects with `ToolFailure`
 * if the code is not valid, the worker cannot be started or takes too long, or the signal fires.
 */
export async function stripTypes(code: string, signal: AbortSignal): Promise<string> {
  const outcome = await worker.run<StripOutcome>((bundler) => bundler.stripTypes(code), {
    timeoutMs: BUILD_TIMEOUT_MS,
    late: () => new ToolFailure('timed-out', `Removing types took more than ${BUILD_TIMEOUT_MS / 1000} seconds.`),
    abort: { signal, aborted: () => new ToolFailure('aborted', 'Stopped while types were being removed.') },
  });
  if (outcome.type === 'stripped') return outcome.code;
  const [first] = outcome.problems;
  const place = first?.place === undefined ? '' : `\n    at line ${first.place.line}, column ${first.place.column}`;
  throw new ToolFailure('failed', `SyntaxError: ${first?.message ?? ''}${place}`);
}
