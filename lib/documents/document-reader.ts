import type { Remote } from 'comlink';
import { type EndableThread, EndableWorker } from '#lib/base/endable-worker.ts';
import type { DocumentRequest, Documents, DocumentText } from '#lib/tools/capabilities/documents.ts';
import type { WebDocument, WebText } from '#lib/tools/capabilities/web.ts';
import { ToolFailure } from '#lib/tools/core/tool-call.ts';
import { DocumentFailure } from '#lib/tools/documents/document-failure.ts';
import { DOCUMENT_LIMITS } from '#lib/tools/documents/limits.ts';
import { WEB_LIMITS } from '#lib/tools/web/limits.ts';
import type { Reader } from './reader.ts';
import { NOT_LOADED, OUT_OF_MEMORY, type ReadingProblem } from './reading-problem.ts';

/** The path at which the studio serves the script of the worker that reads documents. The script is built separately. */
export const DOCUMENTS_WORKER_FILE = '/workers/documents.js';

/** Starts the worker that reads documents. */
export const startDocumentsWorker = (): Worker =>
  new Worker(DOCUMENTS_WORKER_FILE, { type: 'module', name: 'documents' });

/** The time limits for reading pages of the web, in milliseconds. */
type ReadingLimits = Pick<typeof WEB_LIMITS, 'readMs' | 'plainMs'>;

/** The limits of one task. `timeoutMs`: its time, in milliseconds. */
interface TaskLimits {
  timeoutMs: number;
  abortSignal: AbortSignal;
}

/**
 * Reads each document in a worker of its own, which is ended afterwards, and earlier if it takes too long: a document that
 * uses up memory or never ends harms only that worker.
 */
export class DocumentReader implements Documents {
  readonly #start: () => EndableThread;
  readonly #limits: { [Limit in keyof ReadingLimits]: number };

  /** `start`: starts a worker. `limits`: the time limits for documents of the web, in milliseconds. */
  constructor(start: () => EndableThread, limits: { [Limit in keyof ReadingLimits]: number } = WEB_LIMITS) {
    this.#start = start;
    this.#limits = limits;
  }

  /** Reads a document that is a file. Rejects with `ToolFailure`, as `read` does. */
  open(request: DocumentRequest, { abortSignal }: { abortSignal: AbortSignal }): Promise<DocumentText> {
    return this.#run((reader) => reader.open(request) as Promise<DocumentText | ReadingProblem>, {
      timeoutMs: DOCUMENT_LIMITS.readMs,
      abortSignal,
    });
  }

  /**
   * Reads a document of the web; an HTML page that fails is read again as plain text. Rejects with `ToolFailure`: `failed`,
   * `timed-out`, or `aborted`.
   */
  async read(document: WebDocument, abortSignal: AbortSignal): Promise<WebText> {
    const { readMs, plainMs } = this.#limits;
    try {
      return await this.#readWeb(document, false, { timeoutMs: readMs, abortSignal });
    } catch (error) {
      if (document.type !== 'html' || abortSignal.aborted) throw error;
      return this.#readWeb(document, true, { timeoutMs: plainMs, abortSignal });
    }
  }

  #readWeb(document: WebDocument, isPlain: boolean, limits: TaskLimits): Promise<WebText> {
    return this.#run((reader) => reader.read(document, isPlain) as Promise<WebText | ReadingProblem>, limits);
  }

  async #run<Result extends object>(
    task: (reader: Remote<Reader>) => Promise<Result | ReadingProblem>,
    { timeoutMs, abortSignal: signal }: TaskLimits,
  ): Promise<Result> {
    let isReady = false;
    const worker = new EndableWorker<Reader>({
      start: this.#start,
      failure: () => {
        const { problem, message } = isReady ? OUT_OF_MEMORY : NOT_LOADED;
        return new DocumentFailure(problem, message);
      },
    });
    const readyTask = async (reader: Remote<Reader>) => {
      await reader.ready();
      isReady = true;
      return task(reader);
    };
    try {
      const read = await worker.run(readyTask, {
        timeoutMs,
        late: () => new ToolFailure('timed-out', `The document could not be read in ${timeoutMs / 1000} seconds.`),
        abort: { signal, aborted: () => new ToolFailure('aborted', 'Stopped by the user before it finished.') },
      });
      if ('problem' in read) throw new DocumentFailure(read.problem, read.message);
      return read;
    } finally {
      worker.end();
    }
  }
}
