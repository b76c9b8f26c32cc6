import { type Endpoint, type Remote, releaseProxy, wrap } from 'comlink';

/**
 * A web worker, or something with the same interface, such as a worker thread of Node or a `DiagramFrame`. It reports a
 * failure as an event of the type `error`.
 */
export interface EndableThread extends Endpoint {
  terminate(): unknown;
}

/** Options for starting a worker, and for reporting its failure to those who wait for it. */
interface EndableWorkerOptions {
  /** Starts the worker. Its script must be a literal `new URL(…, import.meta.url)`, or the bundler does not see it. */
  start(): EndableThread;
  /**
   * Makes the error with which running tasks reject if the worker could not be started or has failed. `message`: that of the
   * worker's `error` event, which is often empty.
   */
  failure(message: string): Error;
  /** Called with the error of `failure` when the worker fails, even if no task is running; not when it is ended by `end`. */
  onFailure?(error: Error): void;
}

/** The time limit of a task, and the signal that ends it earlier. */
interface WorkerTaskLimits {
  /** The longest time that the task may take, in milliseconds. */
  timeoutMs: number;
  /** Makes the error with which a task rejects that takes longer than `timeoutMs`. The worker is then ended. */
  late(): Error;
  /** Ends the worker when `signal` fires; the task then rejects with the error of `aborted`. */
  abort?: { signal: AbortSignal; aborted(): Error };
}

interface Running<Api> {
  worker: EndableThread;
  api: Remote<Api>;
  /** Rejects with the error of `failure` if the worker fails; never resolves. */
  failed: Promise<never>;
}

/**
 * A worker behind Comlink that can be ended at any time, whatever it is doing: there is no other way to stop code that
 * never finishes. It is started with the first task, and again with the next one after it has failed or been ended.
 */
export class EndableWorker<Api> {
  readonly #options: EndableWorkerOptions;
  #running: Running<Api> | undefined;

  constructor(options: EndableWorkerOptions) {
    this.#options = options;
  }

  /** Starts the worker ahead of time, so that the first task need not wait for it. */
  prepare(): void {
    this.#start();
  }

  /**
   * Runs a task; starts the worker if it does not run. Rejects with the task's own error, with that of the option `failure` if
   * the worker fails, or with that of `late` or `aborted` in `limits` if the time is over or the signal fires. These two end
   * the worker; its other tasks then get no answer (see `end`).
   */
  async run<T>(task: (api: Remote<Api>) => Promise<T>, limits: WorkerTaskLimits): Promise<T> {
    const { timeoutMs, late, abort } = limits;
    if (abort?.signal.aborted) throw abort.aborted();
    const { api, failed } = this.#start();
    const ended = Promise.withResolvers<never>();
    const end = (error: Error) => {
      this.end();
      ended.reject(error);
    };
    const onAbort = () => end(abort?.aborted() ?? late());
    const timer = setTimeout(() => end(late()), timeoutMs);
    abort?.signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await Promise.race([task(api), ended.promise, failed]);
    } finally {
      clearTimeout(timer);
      abort?.signal.removeEventListener('abort', onAbort);
    }
  }

  /**
   * Terminates the worker, if it runs. Its tasks get no answer any more: each rejects only when its time limit is reached or
   * its signal fires.
   */
  end(): void {
    this.#running?.api[releaseProxy]();
    this.#running?.worker.terminate();
    this.#running = undefined;
  }

  #start(): Running<Api> {
    if (this.#running !== undefined) return this.#running;
    const worker = this.#options.start();
    const { promise: failed, reject } = Promise.withResolvers<never>();
    const running = { worker, api: wrap<Api>(worker), failed };
    failed.catch((error: Error) => {
      if (this.#running === running) this.end();
      this.#options.onFailure?.(error);
    });
    worker.addEventListener('error', (event: Event) =>
      reject(this.#options.failure('message' in event && typeof event.message === 'string' ? event.message : '')),
    );
    this.#running = running;
    return running;
  }
}
