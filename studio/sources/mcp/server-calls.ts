import { mayCallAgain } from '#lib/sources/mcp/call-again.ts';
import type { CompletionRequest } from '#lib/sources/mcp/completion.ts';
import type { McpContent, McpContentRequest, McpSuggestions } from '#lib/sources/mcp/mcp-host.ts';
import type { CallMcpTool } from '#lib/sources/mcp/mcp-tool.ts';
import type { McpProblem } from '#lib/sources/mcp/problem.ts';
import type { McpOutcome } from '#lib/sources/mcp/result.ts';
import type { EgressRequest } from '#lib/tools/egress/egress.ts';
import { hostOf } from '#lib/tools/egress/reached-hosts.ts';
import {
  adviceOn,
  type McpServer,
  type McpServersOptions,
  shownProblem,
  type UsedServer,
  withAdvice,
} from './mcp-server.ts';

/** The servers to which calls go, with their present state. */
interface CalledServers {
  server(name: string): McpServer | undefined;
  used(name: string): UsedServer | undefined;
  /** Connects to a server. Resolves when that has succeeded or failed. */
  connect(name: string): Promise<void>;
  /** Brings a server's list of tools up to date, if that is possible. Never rejects. */
  refresh(name: string): Promise<void>;
  show(name: string, change: Partial<Omit<McpServer, 'config'>>): void;
  /** Called when a call has sent a request, or was kept from it. */
  onRequest: NonNullable<McpServersOptions['onRequest']>;
}

/** Sends requests to tool servers: calls of their tools, and requests for resources, prompts, and suggestions. */
export class ServerCalls {
  readonly #servers: CalledServers;

  constructor(servers: CalledServers) {
    this.#servers = servers;
  }

  /** Gets a resource or a prompt of a server, for a message. Connects to the server if necessary. Never rejects. */
  async content(name: string, request: McpContentRequest, signal: AbortSignal): Promise<McpContent> {
    const reached = await this.#reach(name);
    return 'used' in reached ? reached.used.client.content(request, signal) : reached;
  }

  /**
   * Returns a server's suggestions for an argument of a prompt or of a resource. Connects to the server if necessary. Never
   * rejects.
   */
  async complete(name: string, request: CompletionRequest, signal: AbortSignal): Promise<McpSuggestions> {
    const reached = await this.#reach(name);
    return 'used' in reached ? reached.used.client.complete(request, signal) : reached;
  }

  /**
   * Returns a function that calls the tools of a server. If the connection breaks, it calls once more, provided that the tool
   * has not run or only reads.
   */
  callerOf(name: string): CallMcpTool {
    return async (...call) => {
      const outcome = await this.#call(name, ...call);
      const [definition] = call;
      // The studio's own server says so only of what it has not passed on.
      const isSure = this.#servers.server(name)?.isFromStudio === true;
      return mayCallAgain(outcome, definition, { isSure }) ? this.#call(name, ...call) : outcome;
    };
  }

  /**
   * Calls a server's tool once, if the server has not changed the tool since it was offered. Otherwise, or without a
   * connection, the outcome says that the call was not run.
   */
  async #call(
    name: string,
    ...[definition, args, { toolCallId, abortSignal, report, askForm }]: Parameters<CallMcpTool>
  ): Promise<McpOutcome> {
    const onRequest = (request: EgressRequest) => this.#servers.onRequest(toolCallId, request);
    const reached = await this.#reach(name);
    if ('problem' in reached) {
      const url = this.#servers.server(name)?.config.url;
      if (url !== undefined) onRequest(unconnected(url));
      return notRun(reached.problem.detail);
    }
    await this.#servers.refresh(name);
    const { used } = reached;
    // Tools that were offered before this page was connected may be out of date.
    if (used.offer.tools.get(definition.name)?.definition.hash !== definition.hash)
      return notRun('The server has changed this tool since it was offered. Read its description again first.');
    used.calls += 1;
    const outcome = await used.client
      .call(definition.name, args, {
        signal: abortSignal,
        onProgress: report,
        onRequest,
        onForm: async (form) => (await askForm?.({ ...form, from: name })) ?? { action: 'decline' },
      })
      .finally(() => (used.calls -= 1));
    if (outcome.type === 'output' || this.#servers.used(name) !== used) return outcome;
    // While other calls are under way, a new connection would end them.
    if (outcome.problem !== undefined && used.calls === 0) this.#servers.show(name, shownProblem(outcome.problem));
    if (outcome.isDisconnected === true && used.calls === 0) this.#servers.show(name, { status: 'idle' });
    return withAdvice(outcome);
  }

  /** Connects to a server if necessary. Resolves with the server, or with the reason why it cannot be reached. */
  async #reach(name: string): Promise<{ used: UsedServer } | { problem: McpProblem }> {
    if (this.#servers.server(name)?.status !== 'ready') await this.#servers.connect(name);
    const server = this.#servers.server(name);
    const used = this.#servers.used(name);
    if (server === undefined || used === undefined)
      return { problem: { code: 'failed', detail: 'The server was removed or turned off.' } };
    if (server.status === 'ready') return { used };
    return { problem: { code: 'failed', detail: adviceOn(server.problem) } };
  }
}

/** The record of a call that was not sent, because the server cannot be used. */
const unconnected = (url: string): EgressRequest => ({
  host: hostOf(new URL(url)),
  sent: 0,
  received: 0,
  refused: 'There is no connection to the server.',
});

const notRun = (reason: string): McpOutcome => ({ type: 'failure', code: 'failed', message: `Not run. ${reason}` });
