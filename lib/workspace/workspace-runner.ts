import { expose, type Remote, releaseProxy, transfer, wrap } from 'comlink';
import type { ArchiveEntries, ArchiveLimits } from '#lib/archive/zip.ts';
import type { Replacement, ReplacementCount } from '#lib/search/replace.ts';
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
import type { Author, FileSystem } from '#lib/vfs/file-system.ts';
import type { WorkspaceHistory } from '#lib/vfs/history.ts';
import { keepFailures } from './rpc.ts';
import type { RunnerApi } from './runner-worker.ts';
import { type HostedStorage, WorkspaceHost } from './workspace-host.ts';

/** How long a search may take; a pattern that takes longer will probably never finish. */
export const SEARCH_TIMEOUT_MS = 15_000;

/** How long the worker may take to start, in milliseconds. */
const START_TIMEOUT_MS = 30_000;

const NOT_STARTED = 'The worker that searches and runs commands could not be started. Reload the page and try again.';

/**
 * How the runner's worker accesses the files: by the workspace's name, or through the page if they are only in memory.
 */
type Source = { name: string } | { storage: HostedStorage };

interface RunningWorker {
  worker: Worker;
  api: Remote<RunnerApi>;
  /** Rejects if the worker fails. */
  failed: Promise<never>;
  /** Resolves when the worker has opened its workspace; undefined until that is requested. */
  opened?: Promise<void>;
}

interface Limits {
  timeoutMs: number;
  abortSignal: AbortSignal;
  timedOut: string;
}

/**
 * Searches and runs commands in a worker that can be terminated at any time. Runs one task at a time; waiting for other
 * tasks does not count toward the time limit.
 */
export class WorkspaceRunner implements WorkspaceSearch, Shell {
  readonly #source: Source;
  readonly #fileSystem: FileSystem;
  readonly #history: WorkspaceHistory;
  #running: RunningWorker | undefined;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(source: Source, fileSystem: FileSystem, history: WorkspaceHistory) {
    this.#source = source;
    this.#fileSystem = fileSystem;
    this.#history = history;
  }

  /** Starts the worker ahead of time, so that the first task need not wait for it. */
  prepare(): void {
    this.#running ??= this.#launch();
  }

  files(query: FileQuery, { abortSignal }: SearchOptions): Promise<FileMatches> {
    return this.#run((api) => api.files(query), searchLimits(abortSignal));
  }

  text(query: TextQuery, { abortSignal }: SearchOptions): Promise<TextMatches> {
    return this.#run((api) => api.text(query), searchLimits(abortSignal));
  }

  lines(query: LineQuery, { abortSignal }: SearchOptions): Promise<LineCounts> {
    return this.#run((api) => api.lines(query), searchLimits(abortSignal));
  }

  /** Replaces all matches of a search, as one commit by the user. */
  async replace(query: Replacement, { abortSignal }: SearchOptions): Promise<ReplacementCount> {
    const count = await this.#run((api) => api.replace(query), searchLimits(abortSignal));
    await this.#fileSystem.refresh();
    return count;
  }

  /** Creates a zip archive; the entries' bytes are copied. */
  zip(entries: ArchiveEntries): Promise<Uint8Array> {
    return this.#run((api) => api.zip(entries), ARCHIVE_LIMITS);
  }

  /** Extracts a zip archive. Rejects with `ArchiveError` if that is not possible. */
  unzip(data: Uint8Array, limits: ArchiveLimits): Promise<ArchiveEntries> {
    return this.#run((api) => api.unzip(data, limits), ARCHIVE_LIMITS);
  }

  async run(
    command: string,
    options: { cwd: string; author: Author; timeoutMs: number; abortSignal: AbortSignal },
  ): Promise<ShellOutcome> {
    const { cwd, author, timeoutMs, abortSignal } = options;
    const timedOut = `The command was stopped after ${counted(timeoutMs / 1000, 'second')}. Changes that it had already made are kept.`;
    const point = this.#history.sequence;
    const hadEntries = (await this.#fileSystem.readdir('/')).length > 0;
    const task = this.#run((api) => api.bash(command, { cwd, author }), { timeoutMs, abortSignal, timedOut });
    const [outcome] = await Promise.allSettled([task]);
    await this.#fileSystem.refresh();
    if (hadEntries && (await this.#fileSystem.readdir('/')).length === 0) await this.#giveBack(point, author);
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  }

  /** Terminates the worker and whatever it is running. The next task starts a new one. */
  close(): void {
    this.#running?.api[releaseProxy]();
    this.#running?.worker.terminate();
    this.#running = undefined;
  }

  /** Reverts a command that deleted the whole workspace. */
  async #giveBack(point: number, author: Author): Promise<never> {
    // Without its claimant, because the files must come back even if another tab has taken the call over meanwhile.
    const giver: Author = author.type === 'call' ? { type: 'call', toolCallId: author.toolCallId } : author;
    await this.#history.restore(giver, point);
    throw new ToolFailure(
      'failed',
      'The command would have deleted the whole workspace, so it was undone: all files are as they were before. To delete files or folders, name their paths.',
    );
  }

  #run<T>(task: (api: Remote<RunnerApi>) => Promise<T>, limits: Limits): Promise<T> {
    const run = this.#queue.then(() => this.#runNow(task, limits));
    this.#queue = run.catch(() => undefined);
    // A task that waits for another one ends as soon as it is stopped, not when its turn comes.
    const { promise, reject } = Promise.withResolvers<never>();
    const { abortSignal } = limits;
    const stop = () => reject(stoppedByUser());
    if (abortSignal.aborted) stop();
    abortSignal.addEventListener('abort', stop, { once: true });
    return Promise.race([run, promise]).finally(() => abortSignal.removeEventListener('abort', stop));
  }

  async #runNow<T>(task: (api: Remote<RunnerApi>) => Promise<T>, limits: Limits): Promise<T> {
    const { timeoutMs, abortSignal, timedOut } = limits;
    const ended = Promise.withResolvers<never>();
    const end = (failure: ToolFailure) => {
      this.close();
      ended.reject(failure);
    };
    const onAbort = () => end(stoppedByUser());
    if (abortSignal.aborted) onAbort();
    abortSignal.addEventListener('abort', onAbort, { once: true });
    let timer = setTimeout(() => end(new ToolFailure('failed', NOT_STARTED)), START_TIMEOUT_MS);
    try {
      const { api, failed } = await Promise.race([this.#start(), ended.promise]);
      clearTimeout(timer);
      timer = setTimeout(() => end(new ToolFailure('timed-out', timedOut)), timeoutMs);
      return await Promise.race([task(api), ended.promise, failed]);
    } finally {
      clearTimeout(timer);
      abortSignal.removeEventListener('abort', onAbort);
    }
  }

  async #start(): Promise<RunningWorker> {
    this.#running ??= this.#launch();
    const running = this.#running;
    running.opened ??= running.api.open(this.#workspace());
    try {
      await Promise.race([running.opened, running.failed]);
    } catch (error) {
      // If the workspace could not be opened, the next task gets a new worker, too.
      this.close();
      throw error;
    }
    return running;
  }

  /** Starts a worker that waits for its workspace. If it fails, the next task gets a new one. */
  #launch(): RunningWorker {
    keepFailures();
    const worker = new Worker(new URL('./runner-worker.ts', import.meta.url), { type: 'module', name: 'runner' });
    const { promise: failed, reject } = Promise.withResolvers<never>();
    const running = { worker, api: wrap<RunnerApi>(worker), failed };
    failed.catch(() => {
      if (this.#running === running) this.close();
    });
    worker.onerror = ({ message }) => reject(new ToolFailure('failed', `${NOT_STARTED} (${message})`));
    return running;
  }

  #workspace(): string | MessagePort {
    if ('name' in this.#source) return this.#source.name;
    const { port1, port2 } = new MessageChannel();
    expose(new WorkspaceHost(this.#source.storage), port1);
    return transfer(port2, [port2]);
  }
}

const stoppedByUser = () => new ToolFailure('aborted', 'Stopped by the user before it finished.');

/** How long packing and unpacking may take, in milliseconds. */
const ARCHIVE_TIMEOUT_MS = 300_000;

const ARCHIVE_LIMITS: Limits = {
  timeoutMs: ARCHIVE_TIMEOUT_MS,
  abortSignal: new AbortController().signal,
  timedOut: `Stopped after ${ARCHIVE_TIMEOUT_MS / 60_000} minutes.`,
};

const searchLimits = (abortSignal: AbortSignal): Limits => ({
  timeoutMs: SEARCH_TIMEOUT_MS,
  abortSignal,
  timedOut: `The search was stopped after ${SEARCH_TIMEOUT_MS / 1000} seconds. The pattern probably never finishes on some line. Simplify it, or narrow down the path.`,
});
