import { basename } from 'node:path';
import type { MessageConnection } from 'vscode-jsonrpc/node';
import type * as z from 'zod';
import { untilAborted } from '#lib/base/until-aborted.ts';
import type { LanguageServerConfig } from './language-server-config.ts';
import { END_GRACE_MS, SHOWN_ERROR_CHARACTERS, SHOWN_OUTPUT_CHARACTERS } from './limits.ts';
import { BoundedMessageReader } from './message-reader.ts';
import {
  anyResult,
  CLIENT_CAPABILITIES,
  configurationParams,
  initializeResult,
  type ServerCapabilities,
} from './protocol.ts';
import { PublishedDiagnostics } from './published-diagnostics.ts';
import { endedFailure, ServerErrorResponse } from './server-failure.ts';
import { ServerProcess } from './server-process.ts';
import type { WorkspacePaths } from './workspace-paths.ts';

/** The package that is loaded when a server first starts. */
type JsonRpc = typeof import('vscode-jsonrpc/node');

/** A running language server and the connection to it, from the start of its process to its end. */
export class ServerSession {
  /** Resolves with what the server can do once it is ready. Rejects with the reason of `ended`. */
  readonly ready: Promise<ServerCapabilities>;
  readonly published: PublishedDiagnostics;
  readonly #config: LanguageServerConfig;
  readonly #paths: WorkspacePaths;
  readonly #process: ServerProcess;
  readonly #isConfined: boolean;
  readonly #ended = new AbortController();
  #wire: { rpc: JsonRpc; connection: MessageConnection } | undefined;
  #isReady = false;
  /** Whether messages can be sent. */
  #isOpen = true;
  /** The reason why this client ended the process. */
  #reason: string | undefined;
  #wroteAt = performance.now();
  #ending: Promise<void> | undefined;

  /**
   * Starts the server. `confined`: the command that starts it in a confinement, and the variables for that. Throws an error
   * of Node if the command is invalid.
   */
  constructor(
    config: LanguageServerConfig,
    paths: WorkspacePaths,
    confined?: { argv: readonly string[]; env: Readonly<Record<string, string | undefined>> },
  ) {
    this.#config = config;
    this.#paths = paths;
    this.published = new PublishedDiagnostics(paths);
    this.#process = new ServerProcess(confined?.argv ?? config.command, paths.root, confined?.env);
    this.#isConfined = confined !== undefined;
    void this.#process.ended.then((end) => {
      const errorOutput = paths.hide(this.#process.errorOutput).slice(-SHOWN_ERROR_CHARACTERS);
      this.#ended.abort(endedFailure(config, end, { reason: this.#reason, errorOutput }));
    });
    this.ready = this.#start();
    // Callers that wait for it get the error; there may be none left.
    this.ready.catch(() => undefined);
  }

  /** Aborted when the process has ended or could not be started. The reason is a `ToolFailure`. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  /** Whether the server can still be asked anything. */
  get isUsable(): boolean {
    return !(this.ended.aborted || this.#process.hasExited);
  }

  /** When the server last wrote something, or was started, as `performance.now()` tells the time. */
  get wroteAt(): number {
    return this.#wroteAt;
  }

  /**
   * Sends a request and returns the valid result. Rejects with `ServerErrorResponse`, or with the reason of a signal:
   * the given one, upon which the server is told to cancel, or `ended`.
   */
  async request<T>(method: string, params: unknown, schema: z.ZodType<T>, signal = this.ended): Promise<T> {
    const stop = AbortSignal.any([signal, this.ended]);
    stop.throwIfAborted();
    const { rpc, connection } = this.#connected();
    const cancellation = new rpc.CancellationTokenSource();
    const cancel = () => {
      if (this.#isOpen) cancellation.cancel();
    };
    signal.addEventListener('abort', cancel);
    try {
      const result = await untilAborted(connection.sendRequest(method, params, cancellation.token), stop);
      const parsed = schema.safeParse(result);
      if (parsed.success) return parsed.data;
      throw new ServerErrorResponse(0, `its answer to ${method} does not have the form that LSP prescribes`);
    } catch (error) {
      if (stop.aborted) throw stop.reason;
      throw error instanceof ServerErrorResponse ? error : await this.#failureOf(error, rpc);
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  /** Sends a notification, after what was sent before. If that is impossible, `ended` will say why. */
  notify(method: string, params: unknown): void {
    if (!this.#isOpen) return;
    const { connection } = this.#connected();
    connection.sendNotification(method, params).catch(() => this.#lose('has closed its input'));
  }

  /** Ends the server. Unless it hangs, it is asked to shut down before its process is ended. */
  end({ hangs = false } = {}): Promise<void> {
    this.#ending ??= this.#end(hangs);
    return this.#ending;
  }

  async #end(hangs: boolean): Promise<void> {
    if (!hangs && this.#isReady && this.isUsable && (await this.#shutDown())) {
      this.notify('exit', undefined);
      await this.#process.endsWithin(END_GRACE_MS);
    }
    await this.#process.end();
    this.#isOpen = false;
    this.#wire?.connection.dispose();
  }

  /** Asks the server to shut down. Returns whether it has answered that it is ready to exit. */
  async #shutDown(): Promise<boolean> {
    try {
      await this.request('shutdown', undefined, anyResult, AbortSignal.timeout(END_GRACE_MS));
      return true;
    } catch {
      // The process will be ended, whatever the reason is.
      return false;
    }
  }

  async #start(): Promise<ServerCapabilities> {
    const rpc = await import('vscode-jsonrpc/node');
    this.ended.throwIfAborted();
    this.#wire = { rpc, connection: this.#connect(rpc) };
    const params = {
      // A confined server does not know the processes outside, and would take this one for ended.
      processId: this.#isConfined ? null : process.pid,
      clientInfo: { name: 'Roundtrip Studio' },
      rootPath: this.#paths.root,
      rootUri: this.#paths.uri('/'),
      workspaceFolders: this.#folders(),
      capabilities: CLIENT_CAPABILITIES,
      initializationOptions: this.#config.initializationOptions,
    };
    try {
      const { capabilities } = await this.request('initialize', params, initializeResult);
      this.notify('initialized', {});
      this.#isReady = true;
      return capabilities;
    } catch (error) {
      if (!(error instanceof ServerErrorResponse)) throw error;
      // Without it, the server is of no use.
      this.#break(`reported an error when it was started: ${error.message}`);
      await this.#process.ended;
      throw this.ended.reason;
    }
  }

  #connected() {
    if (this.#wire === undefined) throw new Error('A language server was used before it was ready.');
    return this.#wire;
  }

  #connect({ createMessageConnection, StreamMessageWriter }: JsonRpc): MessageConnection {
    const { input, output } = this.#process;
    const reader = new BoundedMessageReader(output, (reason) => {
      const shown = this.#paths.hide(reason).slice(0, SHOWN_OUTPUT_CHARACTERS);
      this.#break(`wrote something to its output that is not a message of the protocol: ${shown}`);
    });
    const connection = createMessageConnection(reader, new StreamMessageWriter(input));
    output.on('data', () => {
      this.#wroteAt = performance.now();
    });
    output.on('close', () => this.#lose('has closed its output'));
    connection.onClose(() => {
      this.#isOpen = false;
    });
    connection.onNotification('textDocument/publishDiagnostics', (params: unknown) => this.published.publish(params));
    connection.onUnhandledProgress((params) => this.published.progress(params));
    this.#answerRequests(connection);
    connection.listen();
    return connection;
  }

  /** Answers what servers ask their clients. Anything else gets the error that the method is unknown. */
  #answerRequests(connection: MessageConnection): void {
    const { settings = {} } = this.#config;
    connection.onRequest('workspace/configuration', (params: unknown) =>
      configurationParams
        .parse(params)
        .items.map(({ section }) => (Object.hasOwn(settings, section ?? '') ? settings[section ?? ''] : null)),
    );
    connection.onRequest('workspace/workspaceFolders', () => this.#folders());
    connection.onRequest('workspace/applyEdit', () => ({ applied: false, failureReason: 'Files are only checked.' }));
    connection.onRequest('window/showDocument', () => ({ success: false }));
    for (const method of [
      'client/registerCapability',
      'client/unregisterCapability',
      'window/showMessageRequest',
      'window/workDoneProgress/create',
      'workspace/diagnostic/refresh',
    ])
      connection.onRequest(method, () => null);
  }

  #folders(): { uri: string; name: string }[] {
    return [{ uri: this.#paths.uri('/'), name: basename(this.#paths.root) }];
  }

  /** An error of a request as `request` reports it: an answer of the server, or why it cannot be reached any more. */
  async #failureOf(error: unknown, { ResponseError, ErrorCodes }: JsonRpc): Promise<unknown> {
    const isAnswer =
      error instanceof ResponseError &&
      error.code !== ErrorCodes.MessageWriteError &&
      error.code !== ErrorCodes.PendingResponseRejected;
    if (isAnswer) return new ServerErrorResponse(error.code, this.#paths.hide(error.message));
    this.#lose('has closed its input');
    await this.#process.ended;
    return this.ended.reason;
  }

  /**
   * Handles a pipe that was closed: usually, the process is about to end. If it does not end soon, it is of no use any more,
   * and is ended for this reason.
   */
  #lose(reason: string): void {
    void this.#process.endsWithin(END_GRACE_MS).then((hasEnded) => {
      if (!hasEnded) this.#break(reason);
    });
  }

  #break(reason: string): void {
    this.#reason ??= reason;
    void this.#process.end();
  }
}
