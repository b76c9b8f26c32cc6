import { expose, type Remote, transfer } from 'comlink';
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
import type { ProtectedPaths } from '#lib/tools/permission/path-rule.ts';
import type { UnpackedZip } from '#lib/vfs/archive/foreign-zip.ts';
import type { ArchiveEntries, ArchiveLimits } from '#lib/vfs/archive/zip.ts';
import type { Author, FileSystem } from '#lib/vfs/file-system.ts';
import type { WorkspaceHistory } from '#lib/vfs/history.ts';
import type { Replacement, ReplacementCount } from '#lib/workspace/search/replace.ts';
import { keepFailures } from './rpc.ts';
import type { RunnerApi } from './runner-worker.ts';
import { type HostedStorage, WorkspaceHost } from './workspace-host.ts';

/** The time limit of a search, in milliseconds; a pattern that takes longer will probably never finish. */
export const SEARCH_TIMEOUT_MS = 15_000;

/** The time limit for the start of the worker, in milliseconds. */
const START_TIMEOUT_MS = 30_000;

const NOT_STARTED = 'The worker that searches and runs commands could not be started. Reload the page and try again.';

/**
 * The worker's access to the files: by the workspace's name, or through the page if they are only in memory.
 */
type Source = { name: string } | { storage: HostedStorage };

interface Limits {
  timeoutMs: number;
  abortSignal: AbortSignal;
  timedOut: string;
}

/**
 * Searches and runs commands in a worker that can be terminated at any time: `files` finds files by a glob, `text` finds lines
 * by a pattern, and `lines` counts lines. Runs one task at a time; waiting for other tasks does not count toward the time
 * limit.
 */
export class WorkspaceRunner implements WorkspaceSearch, Shell {
  readonly #source: Source;
  readonly #fileSystem: FileSystem;
  readonly #history: WorkspaceHistory;
  readonly #worker = new EndableWorker<RunnerApi>({
    start: () => {
      keepFailures();
      return new Worker(new URL('./runner-worker.ts', import.meta.url), { type: 'module', name: 'runner' });
    },
    failure: (message) => new ToolFailure('failed', `${NOT_STARTED} (${message})`),
  });
  /** For each worker: resolves when it has opened the workspace. */
  readonly #opened = new WeakMap<Remote<RunnerApi>, Promise<void>>();
  readonly #queue = new SerialQueue();
  /** Aborted when the workspace is closed. */
  readonly #closing = new AbortController();

  constructor(source: Source, fileSystem: FileSystem, history: WorkspaceHistory) {
    this.#source = source;
    this.#fileSystem = fileSystem;
    this.#history = history;
  }

  /**
   * Returns the same searches and commands without access to what these rules protect: the worker's file system enforces
   * them.
   */
  under(paths: ProtectedPaths): WorkspaceSearch & Shell {
    return {
      files: (query, options) => this.files(query, options, paths),
      text: (query, options) => this.text(query, options, paths),
      lines: (query, options) => this.lines(query, options, paths),
      run: (command, options) => this.run(command, options, paths),
      under: (others) => this.under(others),
    };
  }

  /** Starts the worker ahead of time, so that the first task need not wait for it. */
  prepare(): void {
    this.#worker.prepare();
  }

  files(query: FileQuery, { abortSignal }: SearchOptions, paths?: ProtectedPaths): Promise<FileMatches> {
    return this.#run((api) => api.files(query, paths), searchLimits(abortSignal));
  }

  text(query: TextQuery, { abortSignal }: SearchOptions, paths?: ProtectedPaths): Promise<TextMatches> {
    return this.#run((api) => api.text(query, paths), searchLimits(abortSignal));
  }

  lines(query: LineQuery, { abortSignal }: SearchOptions, paths?: ProtectedPaths): Promise<LineCounts> {
    return this.#run((api) => api.lines(query, paths), searchLimits(abortSignal));
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

  /**
   * Extracts what can be read of a zip archive that another program made. Rejects with `ArchiveError` if `data` is no zip
   * archive or exceeds a limit. `languages`: of the person, for names in an old encoding.
   */
  unpack(data: Uint8Array, limits: ArchiveLimits, languages: readonly string[]): Promise<UnpackedZip> {
    return this.#run((api) => api.unpack(data, limits, languages), ARCHIVE_LIMITS);
  }

  /** Runs a bash command. If it deletes the whole workspace, all files are restored, and `run` rejects with `ToolFailure`. */
  async run(
    command: string,
    options: { cwd: string; author: Author; timeoutMs: number; abortSignal: AbortSignal },
    paths?: ProtectedPaths,
  ): Promise<ShellOutcome> {
    const { cwd, author, timeoutMs, abortSignal } = options;
    const timedOut = `The command was stopped after ${counted(timeoutMs / 1000, 'second')}. Changes that it had already made are kept.`;
    const point = this.#history.sequence;
    const hadEntries = (await this.#fileSystem.readdir('/')).length > 0;
    const task = this.#run((api) => api.bash(command, { cwd, author }, paths), { timeoutMs, abortSignal, timedOut });
    const [outcome] = await Promise.allSettled([task]);
    await this.#fileSystem.refresh();
    if (hadEntries && (await this.#fileSystem.readdir('/')).length === 0) await this.#giveBack(point, author);
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  }

  /** Terminates the worker. Its tasks, and all later ones, reject. */
  close(): void {
    this.#closing.abort();
    this.#worker.end();
  }

  /** Restores all files after a command deleted the whole workspace, and throws the `ToolFailure` of that command. */
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
    const abortSignal = AbortSignal.any([limits.abortSignal, this.#closing.signal]);
    const stopped = () => (this.#closing.signal.aborted ? workspaceClosed() : stoppedByUser());
    const run = this.#queue.run(() => this.#runNow(task, { ...limits, abortSignal }, stopped));
    // A task that waits for another one ends as soon as it is stopped, not when its turn comes.
    const { promise, reject } = Promise.withResolvers<never>();
    const stop = () => reject(stopped());
    if (abortSignal.aborted) stop();
    abortSignal.addEventListener('abort', stop, { once: true });
    return Promise.race([run, promise]).finally(() => abortSignal.removeEventListener('abort', stop));
  }

  async #runNow<T>(
    task: (api: Remote<RunnerApi>) => Promise<T>,
    { timeoutMs, abortSignal, timedOut }: Limits,
    aborted: () => ToolFailure,
  ): Promise<T> {
    const abort = { signal: abortSignal, aborted };
    const open = (api: Remote<RunnerApi>) => this.#openIn(api);
    // Starting the worker does not count toward the task's time.
    const notStarted = () => new ToolFailure('failed', NOT_STARTED);
    await this.#worker.run(open, { timeoutMs: START_TIMEOUT_MS, late: notStarted, abort });
    const work = async (api: Remote<RunnerApi>): Promise<T> => {
      await open(api);
      return task(api);
    };
    return this.#worker.run(work, { timeoutMs, late: () => new ToolFailure('timed-out', timedOut), abort });
  }

  /** Opens the workspace in a worker, once. If that fails, the next task gets a new worker. */
  #openIn(api: Remote<RunnerApi>): Promise<void> {
    const known = this.#opened.get(api);
    if (known !== undefined) return known;
    const opening = api.open(this.#workspace());
    this.#opened.set(api, opening);
    opening.catch(() => this.#worker.end());
    return opening;
  }

  #workspace(): string | MessagePort {
    if ('name' in this.#source) return this.#source.name;
    const { port1, port2 } = new MessageChannel();
    expose(new WorkspaceHost(this.#source.storage), port1);
    return transfer(port2, [port2]);
  }
}

const stoppedByUser = () => new ToolFailure('aborted', 'Stopped by the user before it finished.');

const workspaceClosed = () => new ToolFailure('aborted', 'Stopped because the workspace was closed.');

/** The time limit for packing and unpacking, in milliseconds. */
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
