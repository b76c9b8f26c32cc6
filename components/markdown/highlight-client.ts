import type { HighlightAnswer, HighlightMessage, HighlightRequest } from './highlight-api.ts';
import { CODE_LIMITS } from './limits.ts';

/** The page's only highlighting worker; undefined until it is started, and after it has failed. */
let worker: Worker | undefined;
/**
 * A promise that settles with the last request. Requests run one at a time, so that waiting for others does not count
 * against the time limit of one.
 */
let last: Promise<unknown> = Promise.resolve();

function start(): Worker {
  if (worker !== undefined) return worker;
  worker = new Worker(new URL('./highlight-worker.ts', import.meta.url), { type: 'module', name: 'highlighter' });
  // The worker's script could not be loaded. The next request tries again.
  worker.onerror = (event) => {
    event.preventDefault();
    worker = undefined;
  };
  return worker;
}

/** Starts the worker ahead of the first request. Never throws. */
export function prepareHighlighting(): void {
  try {
    start();
  } catch {
    // Code stays plain.
  }
}

/**
 * Highlights a piece of code in the worker, after all earlier requests. Rejects if the worker cannot be started or takes too
 * long (the next request starts a new one), or if `signal` is aborted before it is this request's turn.
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
