import type { HighlightAnswer, HighlightMessage, HighlightRequest } from './highlight-api.ts';
import { CODE_LIMITS } from './limits.ts';

/** The one worker of the page. */
let worker: Worker | undefined;
/** The request that is being answered: one at a time, so that waiting for others does not count as taking long. */
let last: Promise<unknown> = Promise.resolve();

function start(): Worker {
  if (worker !== undefined) return worker;
  worker = new Worker(new URL('./highlight-worker.ts', import.meta.url), { type: 'module', name: 'highlighter' });
  // Its script could not be loaded; the next request tries again.
  worker.onerror = (event) => {
    event.preventDefault();
    worker = undefined;
  };
  return worker;
}

/** Starts the worker before the first code, if that is possible. */
export function prepareHighlighting(): void {
  try {
    start();
  } catch {
    // Code stays plain.
  }
}

/**
 * Rejects if the worker cannot be started, or takes too long; it is then started again with the next request. Also if
 * `signal` is aborted before it is this request's turn.
 */
export function highlight(request: HighlightRequest, signal: AbortSignal): Promise<HighlightAnswer> {
  const answer = last.then(() => {
    signal.throwIfAborted();
    return ask(request);
  });
  // The request gets its error; the next one in line begins anyway.
  last = answer.catch(() => undefined);
  return answer;
}

/** Lets the worker forget code that is no longer shown. */
export function forget(id: number): void {
  const message: HighlightMessage = { forgotten: id };
  worker?.postMessage(message);
}

async function ask(request: HighlightRequest): Promise<HighlightAnswer> {
  const asked = start();
  const { promise, resolve, reject } = Promise.withResolvers<HighlightAnswer>();
  const late = () => reject(new Error(`Highlighting took more than ${CODE_LIMITS.timeoutMs / 1_000} seconds.`));
  const timer = setTimeout(late, CODE_LIMITS.timeoutMs);
  asked.onmessage = ({ data }: MessageEvent<HighlightAnswer>) => resolve(data);
  asked.onerror = (event) => {
    event.preventDefault();
    reject(new Error(event.message || 'The worker that highlights code could not be started.'));
  };
  asked.postMessage(request);
  try {
    return await promise;
  } catch (error) {
    asked.terminate();
    worker = undefined;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
