import { untilAborted } from '#lib/base/until-aborted.ts';
import type { Diagnostic, Diagnostics, DiagnosticsReport } from '#lib/tools/capabilities/diagnostics.ts';
import { ToolFailure } from '#lib/tools/core/tool-call.ts';
import type { FileSystem } from '#lib/vfs/file-system.ts';
import { globMatcher } from '#lib/workspace/search/walk.ts';
import { filesToCheck } from './checked-files.ts';
import { LanguageServer, type LanguageServerOptions } from './language-server.ts';
import type { LanguageServerConfig } from './language-server-config.ts';
import { WorkspacePaths } from './workspace-paths.ts';

/** Options of the language servers: the directory that is checked, and the servers that check it. */
interface LanguageServersOptions {
  /** The directory on disk, real and absolute. */
  root: string;
  /** The workspace of this directory. */
  files: FileSystem;
  servers: readonly LanguageServerConfig[];
  /** The time limit of each server for a check, in milliseconds. */
  timeoutMs: number;
  confine?: LanguageServerOptions['confine'];
}

/**
 * Checks a directory on disk by language servers. They are started when they are first needed and stay open until
 * `close`. Results are never older than the call: servers are told about all changes on disk, except those inside an
 * installed package or above the directory.
 */
export class LanguageServers implements Diagnostics {
  readonly #files: FileSystem;
  readonly #servers: readonly { server: LanguageServer; handles: (path: string) => boolean }[];
  readonly #closed = new AbortController();

  constructor({ root, files, servers, timeoutMs, confine }: LanguageServersOptions) {
    this.#files = files;
    const paths = new WorkspacePaths(root);
    this.#servers = servers.map((config) => {
      const globs = config.files.map((glob) => globMatcher(glob, '/'));
      const server = new LanguageServer({ config, paths, files, timeoutMs, confine });
      return { server, handles: (path) => globs.some((matches) => matches(path)) };
    });
  }

  /**
   * Checks a file, or the files below a directory, except those that no server handles. Rejects with `FileSystemError` for a
   * path that does not exist, and with `ToolFailure`: `failed` if a server cannot be started, ends or reports an error,
   * `timed-out`, or `aborted`. If other servers could check their files, the report has these failures instead.
   */
  async check(path: string, { abortSignal }: { abortSignal: AbortSignal }): Promise<DiagnosticsReport> {
    const check = new AbortController();
    const abort = () => check.abort(new ToolFailure('aborted', 'The check was aborted.'));
    const signal = AbortSignal.any([check.signal, this.#closed.signal]);
    if (abortSignal.aborted) abort();
    abortSignal.addEventListener('abort', abort);
    try {
      return await untilAborted(this.#check(path, signal), signal);
    } finally {
      abortSignal.removeEventListener('abort', abort);
      abort();
    }
  }

  /** Aborts all checks and ends all servers. Nothing can be checked afterwards. */
  async close(): Promise<void> {
    this.#closed.abort(new ToolFailure('aborted', 'The check was aborted because the language servers were closed.'));
    await Promise.all(this.#servers.map(({ server }) => server.close()));
  }

  async #check(path: string, signal: AbortSignal): Promise<DiagnosticsReport> {
    signal.throwIfAborted();
    await this.#files.refresh();
    const isHandled = (found: string) => this.#servers.some(({ handles }) => handles(found));
    const { paths, hasMore } = await filesToCheck(this.#files, path, isHandled, signal);
    const asked = this.#servers.flatMap(({ server, handles }) => {
      const own = paths.filter(handles);
      return own.length === 0 ? [] : [server.check(own, signal)];
    });
    const ended = await Promise.allSettled(asked);
    signal.throwIfAborted();
    const reports = ended.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
    const failures = ended.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
    const isFailure = failures.every((failure) => failure instanceof ToolFailure);
    if (failures.length > 0 && (reports.length === 0 || !isFailure)) throw failures[0];
    return {
      ...(failures.length > 0 && { failures: failures.map(({ message }) => message) }),
      diagnostics: reports.flatMap(({ diagnostics }) => diagnostics).sort(inOrder),
      files: new Set(reports.flatMap((report) => report.paths)).size,
      hasMore,
    };
  }
}

/** Compares two problems, to sort them by path, in code-unit order, then by line and column. */
function inOrder(a: Diagnostic, b: Diagnostic): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}
