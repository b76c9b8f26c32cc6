import type { ListedServer } from '#config/mcp-file.ts';
import { messageOf } from '#lib/base/message-of.ts';
import { MAY_HAVE_RUN } from '#lib/sources/may-have-run.ts';
import { mayCallAgain } from '#lib/sources/mcp/call-again.ts';
import type { McpDefinition } from '#lib/sources/mcp/definition.ts';
import { freshUntil } from '#lib/sources/mcp/fresh-until.ts';
import { openHttpSession } from '#lib/sources/mcp/http-session.ts';
import { McpError } from '#lib/sources/mcp/mcp-error.ts';
import type { CallMcpTool } from '#lib/sources/mcp/mcp-tool.ts';
import { programEnvironment } from '#lib/sources/mcp/programs/program-environment.ts';
import { ProgramTransport } from '#lib/sources/mcp/programs/program-transport.ts';
import type { McpOutcome } from '#lib/sources/mcp/result.ts';
import type { McpListing } from '#lib/sources/mcp/server-lists.ts';
import { McpSession, type McpSessionOptions } from '#lib/sources/mcp/session.ts';
import type { EgressRecord, EgressRequest } from '#lib/tools/egress/egress.ts';
import { hostOf } from '#lib/tools/egress/reached-hosts.ts';
import { redact } from '#log/redact.ts';
import { proxiedFetch } from '#net/proxy.ts';

/** Options of a connection to a tool server. */
interface ServerLinkOptions {
  server: ListedServer;
  /** The variables of this process. `PATH` leaves out directories in the folder. */
  env: Readonly<Record<string, string | undefined>>;
  /** Whether a person can answer what the server asks. */
  asksForms: boolean;
  /** Called with the server's tools each time that they may have changed. */
  onListing(listing: McpListing): Promise<void>;
  /** The record of the requests that calls send; nothing is recorded if absent. */
  egress?: Pick<EgressRecord, 'sent'> | undefined;
}

/** The length to which the last line of a program's standard error is cut, in characters. */
const SAID_MAX = 300;

/** The connection to one tool server, which is made again when it is needed and has ended. */
export class ServerLink {
  readonly #options: ServerLinkOptions;
  #opening: Promise<McpSession> | undefined;
  /** The tools that the server offered last, by its own names for them. */
  #offered: ReadonlyMap<string, McpDefinition> = new Map();
  /** The time until which `#offered` counts as current, in milliseconds since the epoch. */
  #freshUntil = Number.POSITIVE_INFINITY;
  /** The connection to the server's program; undefined for a server with an address. */
  #transport: ProgramTransport | undefined;
  /** The last line that the server's program has written to its standard error. */
  #said = '';
  readonly #closing = new AbortController();

  constructor(options: ServerLinkOptions) {
    this.#options = options;
  }

  /**
   * Connects to the server, unless there is a connection. Rejects with an error whose message says for people why the server
   * cannot be used.
   */
  async connect(): Promise<void> {
    await this.#session();
  }

  /**
   * Calls a tool. Resolves with a failure if the server has changed the tool since it was offered. If the connection breaks,
   * calls the tool once more, provided that the first call has not run, or that the tool only reads. Never rejects.
   */
  async call(...call: Parameters<CallMcpTool>): Promise<McpOutcome> {
    const outcome = await this.#call(...call);
    return mayCallAgain(outcome, call[0]) ? this.#call(...call) : outcome;
  }

  /** Calls a tool once. */
  async #call(...[definition, args, options]: Parameters<CallMcpTool>): Promise<McpOutcome> {
    const { toolCallId, abortSignal, report, askForm } = options;
    const notRun = (reason: string): McpOutcome => ({ type: 'failure', code: 'failed', message: `Not run. ${reason}` });
    const onRequest = (request: EgressRequest) => this.#options.egress?.sent(toolCallId, request);
    let session: McpSession;
    try {
      session = await this.#session();
      // If it cannot be listed, the call fails by what that was.
      if (Date.now() >= this.#freshUntil)
        await session.list().then(
          (listing) => this.#take(listing),
          () => undefined,
        );
    } catch (error) {
      const { server } = this.#options;
      if (server.type === 'address') {
        const refused = 'There is no connection to the server.';
        onRequest({ host: hostOf(new URL(server.url)), sent: 0, received: 0, refused });
      }
      return notRun(messageOf(error));
    }
    if (this.#offered.get(definition.name)?.hash !== definition.hash)
      return notRun('The server has changed this tool since it was offered. Read its description again first.');
    const outcome = this.#withReason(
      await session.call(definition.name, args, {
        signal: abortSignal,
        onProgress: report,
        onRequest,
        ...(askForm && { onForm: (form) => askForm({ ...form, from: this.#options.server.name }) }),
      }),
    );
    if (outcome.type === 'failure' && (outcome.isDisconnected === true || outcome.problem !== undefined)) this.#lose();
    return outcome;
  }

  /** Returns the outcome. If there is no result because the program has ended, the outcome's message says how it ended. */
  #withReason(outcome: McpOutcome): McpOutcome {
    const problem = this.#transport?.problem;
    if (problem === undefined || outcome.type === 'output' || outcome.code !== 'failed') return outcome;
    return { ...outcome, message: `${problem} ${MAY_HAVE_RUN}` };
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('The connection to the server was closed.'));
    const opening = this.#opening;
    this.#lose();
    // One that is not connected yet gives up.
    await this.#transport?.close();
    await opening?.then((session) => session.close()).catch(() => undefined);
  }

  #session(): Promise<McpSession> {
    if (this.#closing.signal.aborted) return Promise.reject(this.#closing.signal.reason);
    if (this.#opening !== undefined) return this.#opening;
    const opening = this.#open(() => {
      if (this.#opening === opening) this.#lose();
    });
    this.#opening = opening;
    // The next call tries again.
    opening.catch(() => this.#opening === opening && this.#lose());
    return opening;
  }

  #lose(): void {
    this.#opening = undefined;
  }

  async #open(onClose: () => void): Promise<McpSession> {
    const listing = async (session: McpSession) => this.#take(await session.list());
    const opened = this.#connect({
      asksForms: this.#options.asksForms,
      // If it cannot be listed, the tools are those of before, and their calls fail by what they were.
      onChange: () => void opened.then(listing).catch(() => undefined),
      onClose,
    });
    const session = await opened;
    try {
      await listing(session);
      return session;
    } catch (error) {
      // The original error says more.
      await session.close().catch(() => undefined);
      throw error;
    }
  }

  async #take(listing: McpListing): Promise<void> {
    this.#freshUntil = freshUntil(listing.freshMs);
    this.#offered = new Map(listing.tools.map((definition) => [definition.name, definition]));
    await this.#options.onListing(listing);
  }

  async #connect(options: McpSessionOptions): Promise<McpSession> {
    const { server, env } = this.#options;
    if (server.type === 'address') {
      const values = Object.entries(server.headers).map(([name, variable]) => [name, env[variable] ?? '']);
      const access = { url: server.url, headers: Object.fromEntries(values) };
      const closing = this.#closing.signal;
      const request: typeof fetch = (input, init) =>
        proxiedFetch(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, closing]) : closing });
      return (await openHttpSession(access, [{ name: 'direct', fetch: request }], options)).session;
    }
    const { command, args, cwd, env: names } = server;
    const transport = new ProgramTransport({ command, args, cwd, env: programEnvironment(names, env) }, (line) => {
      this.#said = redact(line).slice(0, SAID_MAX);
    });
    this.#transport = transport;
    try {
      return await McpSession.open(transport, options);
    } catch (error) {
      const reason = transport.problem ?? (error instanceof McpError ? error.problem.detail : String(error));
      throw new Error(this.#said === '' ? reason : `${reason} Its last words: ${this.#said}`);
    }
  }
}
