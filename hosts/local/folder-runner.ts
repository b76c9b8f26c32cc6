import { Worker } from 'node:worker_threads';
import type { Remote } from 'comlink';
import { EndableWorker } from '#lib/base/endable-worker.ts';
import { SerialQueue } from '#lib/base/serial-queue.ts';
import type { Shell, ShellOutcome } from '#lib/tools/capabilities/shell.ts';
import type {
  FileMatches,
  FileQuery,
  LineCounts,
  LineQuery,
  SearchOptions,
  TextMatches,
  TextQuery,
  WorkspaceSearch,
} from '#lib/tools/capabilities/workspace-search.ts';
import { counted } from '#lib/tools/core/counted.ts';
import { ToolFailure } from '#lib/tools/core/tool-call.ts';
import { keepFailures } from '#lib/workspace/rpc.ts';
import type { FolderWorkerApi } from './folder-worker.ts';
import { SEARCH_TIMEOUT_MS } from './limits.ts';
import { threadOf } from './node-thread.ts';

/**
 * Searches a folder on a worker thread (`files` finds files, `text` finds text in them, `lines` counts lines), and runs
 * commands there in a small shell that sees only the folder (`run`). Runs one task at a time; one that is stopped or takes too
 * long rejects with `ToolFailure`. The thread is started when it is first needed.
 */
export class FolderRunner implements WorkspaceSearch, Shell {
  readonly #worker: EndableWorker<FolderWorkerApi>;
  readonly #results: number;
  readonly #queue = new SerialQueue();

  /** `root`: the folder, real and absolute. `results`: the maximum number of matches that a search returns. */
  constructor(root: string, results: number) {
    this.#results = results;
    this.#worker = new EndableWorker({
      start: () => {
        keepFailures();
        return threadOf(new Worker(new URL('./folder-worker.ts', import.meta.url), { workerData: root }));
      },
      failure: (message) => new ToolFailure('failed', `The search could not be run. ${message}`),
    });
  }

  files(query: FileQuery, { abortSignal }: SearchOptions): Promise<FileMatches> {
    return this.#search((api) => api.files(this.#limited(query)), abortSignal);
  }

  text(query: TextQuery, { abortSignal }: SearchOptions): Promise<TextMatches> {
    return this.#search((api) => api.text(this.#limited(query)), abortSignal);
  }

  lines(query: LineQuery, { abortSignal }: SearchOptions): Promise<LineCounts> {
    return this.#search((api) => api.lines(this.#limited(query)), abortSignal);
  }

  run(command: string, options: Parameters<Shell['run']>[1]): Promise<ShellOutcome> {
    const { cwd, author, timeoutMs, abortSignal } = options;
    const late = `The command was stopped after ${counted(timeoutMs / 1000, 'second')}. Changes that it had already made are kept.`;
    return this.#run((api) => api.bash(command, { cwd, author }), timeoutMs, late, abortSignal);
  }

  /** Ends the thread, and what runs on it. */
  close(): void {
    this.#worker.end();
  }

  #limited<Query extends { limit: number }>(query: Query): Query {
    return { ...query, limit: Math.min(query.limit, this.#results) };
  }

  #search<T>(task: (api: Remote<FolderWorkerApi>) => Promise<T>, abortSignal: AbortSignal): Promise<T> {
    const late = `The search was stopped after ${SEARCH_TIMEOUT_MS / 1000} seconds. The pattern may never finish on some line, or the folder is very large. Simplify the pattern, or narrow down the path.`;
    return this.#run(task, SEARCH_TIMEOUT_MS, late, abortSignal);
  }

  #run<T>(
    task: (api: Remote<FolderWorkerApi>) => Promise<T>,
    timeoutMs: number,
    late: string,
    signal: AbortSignal,
  ): Promise<T> {
    const aborted = () => new ToolFailure('aborted', 'Stopped by the user before it finished.');
    return this.#queue.run(() =>
      this.#worker.run(task, { timeoutMs, late: () => new ToolFailure('timed-out', late), abort: { signal, aborted } }),
    );
  }
}
