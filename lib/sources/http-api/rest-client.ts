import { proxy, type Remote } from 'comlink';
import { EndableWorker } from '#lib/base/endable-worker.ts';
import { messageOf } from '#lib/base/message-of.ts';
import { MAY_HAVE_RUN } from '#lib/sources/may-have-run.ts';
import type { EgressRequest } from '#lib/tools/egress/egress.ts';
import { hostOf } from '#lib/tools/egress/reached-hosts.ts';
import { REST_LIMITS } from './limits.ts';
import type { RestOutcome } from './outcome.ts';
import type { ChosenOperations, Fault, OpenedDocument, RestCall, RestHost, WrittenApi } from './rest-host.ts';

/** The additional time that the worker has beyond the limit of its task, in milliseconds. */
const SLACK_MS = 15_000;

/** Reads the descriptions of HTTP APIs and calls one API, in a worker, which is ended if it does not answer in time. */
export class RestClient {
  readonly #worker: EndableWorker<RestHost>;
  /**
   * Has a promise that rejects when `end` is called, so that nobody goes on waiting for the worker. `end` then puts a new one
   * in its place.
   */
  #ended = ended();

  constructor(start: () => Worker) {
    this.#worker = new EndableWorker<RestHost>({
      start,
      failure: (message) => new Error(message === '' ? 'The worker that calls the API has ended.' : message),
    });
  }

  /** Reads the description of an API from YAML text. `file`: its name in messages. Never rejects. */
  readApi(source: string, file: string): Promise<WrittenApi | Fault> {
    return this.#reading((host) => host.readApi(source, file) as Promise<WrittenApi | Fault>);
  }

  /** Reads an OpenAPI document, from which `describe` then takes operations. Never rejects. */
  openDocument(source: string): Promise<OpenedDocument | Fault> {
    return this.#reading((host) => host.openDocument(source) as Promise<OpenedDocument | Fault>);
  }

  /** Makes a description of an API from operations of the document that `openDocument` read. Never rejects. */
  describe(chosen: ChosenOperations): Promise<WrittenApi | Fault> {
    return this.#reading((host) => host.describe(chosen) as Promise<WrittenApi | Fault>);
  }

  /**
   * Calls a tool. `onRequest`: called with a record of each request that was sent. Never rejects: a call that fails, or is
   * stopped by `signal`, has a failure as its outcome.
   */
  async call(
    call: RestCall,
    signal: AbortSignal,
    onRequest: (request: EgressRequest) => void = () => undefined,
  ): Promise<RestOutcome> {
    if (signal.aborted) return { type: 'failure', code: 'aborted', message: 'Not run: it was stopped first.' };
    const id = crypto.randomUUID();
    const stop = () => {
      // A worker that does not answer is ended at the time limit of the call, which then reports it.
      this.#run(REST_LIMITS.callMs, (host) => host.cancel(id) as Promise<void>).catch(() => undefined);
    };
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await this.#run(
        REST_LIMITS.callMs,
        (host) => host.call(id, call, proxy(onRequest)) as Promise<RestOutcome>,
      );
    } catch (error) {
      const host = hostOf(new URL(call.api.baseUrl));
      onRequest({ host, sent: 0, received: 0, refused: 'It was ended, and it is not known what was sent.' });
      const message = `${messageOf(error)} ${MAY_HAVE_RUN}`;
      return { type: 'failure', code: 'failed', message };
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  /** Ends the worker, and the calls that are under way. A later call starts another worker. */
  end(): void {
    const { reject } = this.#ended;
    this.#ended = ended();
    this.#worker.end();
    reject(new Error('The API was changed or removed meanwhile.'));
  }

  async #reading<Value>(task: (host: Remote<RestHost>) => Promise<Value>): Promise<Value | Fault> {
    return this.#run(REST_LIMITS.readMs, task).catch((error: unknown) => ({ fault: messageOf(error) }));
  }

  #run<Value>(limitMs: number, task: (host: Remote<RestHost>) => Promise<Value>): Promise<Value> {
    const late = () => new Error(`This took longer than ${(limitMs + SLACK_MS) / 1_000} seconds.`);
    const running = this.#worker.run(task, { timeoutMs: limitMs + SLACK_MS, late });
    return Promise.race([running, this.#ended.promise]);
  }
}

/** The methods of a `RestClient`, for implementations that use no worker, such as those of tests. */
export type RestConnection = Pick<RestClient, 'readApi' | 'openDocument' | 'describe' | 'call' | 'end'>;

function ended(): PromiseWithResolvers<never> {
  const created = Promise.withResolvers<never>();
  // Those who wait for it get the error; there may be none.
  created.promise.catch(() => undefined);
  return created;
}

/** The path at which the studio serves the script of a `RestClient`'s worker, which is built separately. */
export const REST_WORKER_FILE = '/workers/rest.js';

/** Starts the worker for a `RestClient`, which runs a `RestHost`. */
export const startRestWorker = (): Worker => new Worker(REST_WORKER_FILE, { type: 'module', name: 'HTTP API' });
