import type { HighlightAnswer, HighlightMessage, HighlightRequest } from './highlight-api.ts';
import { CODE_LIMITS } from './limits.ts';

/** The worker's answer, unless highlighting failed. */
type Answered = Exclude<HighlightAnswer, 'failed'>;

/** Thrown for code that takes too long to highlight; to try again would take as long. */
export class HighlightTimeout extends Error {
  override readonly name = 'HighlightTimeout';
}

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
 * Highlights a piece of code in the worker, after all earlier requests, and resolves with the piece's tokens or with `lost`
 * (see `HighlightAnswer`). Rejects if the worker or the grammar cannot be loaded, with `HighlightTimeout` if it takes too
 * long, or if `signal` is aborted before it is this request's turn. After a failure, the next request starts a new worker.
 */
export function highlight(request: HighlightRequest, signal: AbortSignal): Promise<Answered> {
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

async function ask(request: HighlightRequest): Promise<Answered> {
  const asked = start();
  const { promise, resolve, reject } = Promise.withResolvers<Answered>();
  const late = () => reject(new HighlightTimeout(`It took more than ${CODE_LIMITS.timeoutMs / 1_000} seconds.`));
  const timer = setTimeout(late, CODE_LIMITS.timeoutMs);
  asked.onmessage = ({ data }: MessageEvent<HighlightAnswer>) => {
    // Some browsers remember in a worker that a script could not be loaded.
    if (data === 'failed') reject(new Error(`The grammar for ${request.language} could not be loaded.`));
    else resolve(data);
  };
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
