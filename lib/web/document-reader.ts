import { type EndableThread, EndableWorker } from '#lib/base/endable-worker.ts';
import type { WebDocument, WebText } from '#lib/tools/capabilities/web.ts';
import { ToolFailure } from '#lib/tools/core/tool-call.ts';
import { WEB_LIMITS } from '#lib/tools/web/limits.ts';
import type { Reader } from './reader/reader.ts';

/** The path at which the studio serves the script of the worker that reads documents. The script is built separately. */
export const WEB_WORKER_FILE = '/workers/web.js';

/** Starts the worker that reads documents. */
export const startWebWorker = (): Worker => new Worker(WEB_WORKER_FILE, { type: 'module', name: 'web documents' });

/** The time limits for reading, in milliseconds. */
type ReadingLimits = Pick<typeof WEB_LIMITS, 'readMs' | 'plainMs'>;

/**
 * Reads each document in a worker of its own, which is ended afterwards, and earlier if it takes too long: a document that
 * uses up memory or never ends harms only that worker.
 */
export class DocumentReader {
  readonly #start: () => EndableThread;
  readonly #limits: { [Limit in keyof ReadingLimits]: number };

  constructor(start: () => EndableThread, limits: { [Limit in keyof ReadingLimits]: number } = WEB_LIMITS) {
    this.#start = start;
    this.#limits = limits;
  }

  /**
   * Reads a document; an HTML page that fails is read again as plain text. Rejects with `ToolFailure`: `failed`, `timed-out`
   * or `aborted`.
   */
  async read(document: WebDocument, abortSignal: AbortSignal): Promise<WebText> {
    const { readMs, plainMs } = this.#limits;
    try {
      return await this.#read(document, { timeoutMs: readMs, isPlain: false, abortSignal });
    } catch (error) {
      if (document.type !== 'html' || abortSignal.aborted) throw error;
      return this.#read(document, { timeoutMs: plainMs, isPlain: true, abortSignal });
    }
  }

  async #read(
    document: WebDocument,
    { timeoutMs, isPlain, abortSignal: signal }: { timeoutMs: number; isPlain: boolean; abortSignal: AbortSignal },
  ): Promise<WebText> {
    const worker = new EndableWorker<Reader>({
      start: this.#start,
      failure: () => new ToolFailure('failed', 'The document takes more memory than it may, so it was not read.'),
    });
    try {
      const read = await worker.run(
        (reader) => reader.read(document, isPlain) as Promise<WebText | { problem: string }>,
        {
          timeoutMs,
          late: () => new ToolFailure('timed-out', `The document could not be read in ${timeoutMs / 1000} seconds.`),
          abort: { signal, aborted: () => new ToolFailure('aborted', 'Stopped by the user before it finished.') },
        },
      );
      if ('problem' in read) throw new ToolFailure('failed', read.problem);
      return read;
    } finally {
      worker.end();
    }
  }
}
