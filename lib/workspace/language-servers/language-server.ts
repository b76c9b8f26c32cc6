import { messageOf } from '#lib/base/message-of.ts';
import { SerialQueue } from '#lib/base/serial-queue.ts';
import { untilAborted } from '#lib/base/until-aborted.ts';
import type { Diagnostic } from '#lib/tools/capabilities/diagnostics.ts';
import type { FileSystemReader } from '#lib/vfs/file-system.ts';
import { type DiskState, readDiskState } from './disk-state.ts';
import type { LanguageServerConfig } from './language-server-config.ts';
import { type ServerCapabilities, type ServerDiagnostic, toDiagnostic } from './protocol.ts';
import { pullDiagnostics } from './pulled-diagnostics.ts';
import { endedFailure, responseFailure, ServerErrorResponse, timeFailure } from './server-failure.ts';
import { ServerSession } from './server-session.ts';
import { ServerWorkspace } from './server-workspace.ts';
import type { WorkspacePaths } from './workspace-paths.ts';

/** Options of a language server. */
export interface LanguageServerOptions {
  config: LanguageServerConfig;
  paths: WorkspacePaths;
  files: FileSystemReader;
  /** The time limit of a check in milliseconds, including the start of the server but not the wait for other checks. */
  timeoutMs: number;
  /**
   * Returns the command that starts the server in a confinement, and the variables for it; absent if servers run unconfined.
   * Rejects with `ToolFailure` if the server must not be started.
   */
  confine?:
    | ((config: LanguageServerConfig) => Promise<{
        argv: readonly string[];
        env: Readonly<Record<string, string | undefined>>;
      }>)
    | undefined;
}

/** The result of a check by one server. */
interface ServerReport {
  diagnostics: Diagnostic[];
  /** The files that were checked. */
  paths: string[];
}

/** A language server that is started when it is first needed, and again when it has ended. Runs one check at a time. */
export class LanguageServer {
  readonly #options: LanguageServerOptions;
  readonly #queue = new SerialQueue();
  #running: { session: ServerSession; workspace: ServerWorkspace } | undefined;

  constructor(options: LanguageServerOptions) {
    this.#options = options;
  }

  /**
   * Checks files. Returns the problems in them, and the paths of those that could be checked. Rejects with `ToolFailure`, or
   * with the signal's reason as soon as it is aborted.
   */
  check(paths: readonly string[], signal: AbortSignal): Promise<ServerReport> {
    return untilAborted(
      this.#queue.run(() => this.#checkInTime(paths, signal)),
      signal,
    );
  }

  /** Ends the server, after all checks have ended. */
  close(): Promise<void> {
    return this.#queue.run(() => this.#end());
  }

  async #checkInTime(paths: readonly string[], signal: AbortSignal): Promise<ServerReport> {
    const { config, timeoutMs } = this.#options;
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(timeFailure(config.name, timeoutMs)), timeoutMs);
    const stop = AbortSignal.any([signal, limit.signal]);
    const startedAt = performance.now();
    const earlier = this.#running?.session;
    try {
      return await this.#check(paths, stop).catch((error: unknown) => {
        // It may have ended before the check, and that may have become known only now.
        const hasEndedBefore = earlier?.ended.aborted === true && earlier.wroteAt < startedAt;
        if (stop.aborted || !hasEndedBefore) throw error;
        return this.#check(paths, stop);
      });
    } catch (error) {
      if (error instanceof ServerErrorResponse) throw responseFailure(config.name, error.message);
      // A server that has written nothing since before the check hangs; another may still be loading the project.
      const hangs = limit.signal.aborted && (this.#running?.session.wroteAt ?? startedAt) < startedAt;
      if (hangs) await this.#end({ hangs });
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  async #check(paths: readonly string[], stop: AbortSignal): Promise<ServerReport> {
    const disk = await readDiskState(this.#options.paths.root, stop);
    const { session, workspace } = await this.#runningFor(disk, stop);
    const signal = AbortSignal.any([stop, session.ended]);
    const capabilities = await untilAborted(session.ready, signal);
    const open = await workspace.synchronize(paths, { disk, capabilities, signal });
    const found = await this.#diagnosticsOf(open, { session, capabilities, signal });
    const { name } = this.#options.config;
    const diagnostics = open.flatMap((path, index) =>
      (found[index] ?? []).flatMap((each) => toDiagnostic(path, each, name) ?? []),
    );
    for (const each of diagnostics) each.message = this.#options.paths.hide(each.message);
    return { diagnostics, paths: open };
  }

  /** The problems in each open document, in the order of `open`; undefined if the server has published none for it. */
  async #diagnosticsOf(
    open: readonly string[],
    {
      session,
      capabilities,
      signal,
    }: { session: ServerSession; capabilities: ServerCapabilities; signal: AbortSignal },
  ): Promise<readonly (readonly ServerDiagnostic[] | undefined)[]> {
    const { diagnosticProvider } = capabilities;
    if (diagnosticProvider != null) {
      const uris = open.map((path) => this.#options.paths.uri(path));
      return pullDiagnostics(session, uris, diagnosticProvider.identifier, signal);
    }
    await session.published.settle(open, signal);
    return open.map((path) => session.published.of(path));
  }

  /** The running server, unless it has ended or does not know the packages that are now installed; then a new one. */
  async #runningFor(disk: DiskState, signal: AbortSignal) {
    const running = this.#running;
    if (!running?.session.isUsable || running.workspace.hasOtherPackages(disk)) await this.#end();
    signal.throwIfAborted();
    this.#running ??= await this.#start(disk);
    return this.#running;
  }

  async #start(disk: DiskState): Promise<{ session: ServerSession; workspace: ServerWorkspace }> {
    const { config, paths, files, confine } = this.#options;
    const confined = await confine?.(config);
    try {
      const session = new ServerSession(config, paths, confined);
      return { session, workspace: new ServerWorkspace({ session, config, paths, files, disk }) };
    } catch (error) {
      const code = messageOf(error);
      throw endedFailure(config, { type: 'not-started', code }, { errorOutput: '' });
    }
  }

  async #end(options?: { hangs: boolean }): Promise<void> {
    const ending = this.#running?.session.end(options);
    this.#running = undefined;
    await ending;
  }
}
