import type { KeyVault } from '#lib/keys/key-vault.ts';
import type { McpDefinition, RefusedTool } from '#lib/mcp/definition.ts';
import type { McpConnection } from '#lib/mcp/mcp-client.ts';
import type { LoginChallenge, McpProblem } from '#lib/mcp/problem.ts';
import type { McpOutcome } from '#lib/mcp/result.ts';
import type { ServerConfig } from '#lib/mcp/server-config.ts';
import type { ThreadStore } from '#lib/threads/thread-store.ts';
import type { ToolRegistry } from '#lib/tools/core/registry.ts';
import type { Tool } from '#lib/tools/core/tool.ts';
import type { McpPins, StoredListing } from './mcp-store.ts';
import type { ServerLogins } from './server-logins.ts';

export interface McpServersOptions {
  store: ThreadStore;
  registry: ToolRegistry;
  vault(): Promise<KeyVault>;
  createClient(): McpConnection;
  /** The person’s logins at their servers. */
  logins: ServerLogins;
}

/** A tool server of the person, and what is known of it. */
export interface McpServer {
  config: ServerConfig;
  /** `idle`: it is connected to when it is needed. */
  status: 'off' | 'idle' | 'connecting' | 'ready' | 'failed';
  /** Why it cannot be used. `locked`: the passphrase of its secrets is missing. `not-offered`: its tools do not fit. */
  problem:
    | {
        code: McpProblem['code'] | 'locked' | 'secret-gone' | 'not-offered';
        detail: string;
        challenge?: LoginChallenge;
      }
    | undefined;
  /** What it offered last. */
  listing: StoredListing | undefined;
  /** The tools that are not offered. */
  refused: readonly RefusedTool[];
  /** About how many tokens its tools take of each prompt. */
  tokens: number;
}

/** What belongs to a server while the page is open. */
export interface LiveServer {
  client: McpConnection;
  /** When it was last connected to, in milliseconds since the epoch. */
  triedAt: number;
  connecting: Promise<void> | undefined;
  /** How many calls are under way. */
  calls: number;
  pins: McpPins;
  /** The tools on offer by the server's name for them. */
  tools: ReadonlyMap<string, { definition: McpDefinition; tool: Tool }>;
  /** Takes them out of the registry. */
  withdraw(): void;
}

/** A server that has not been connected to, and offers nothing yet. */
export const beginServer = (client: McpConnection): LiveServer => ({
  ...{ client, triedAt: 0, connecting: undefined, calls: 0, pins: {}, tools: new Map() },
  withdraw: () => undefined,
});

/** What a server shows of a problem of a call. A login that permits too little for one tool may do for others. */
export const shownProblem = (problem: McpProblem): Pick<McpServer, 'problem'> & Partial<Pick<McpServer, 'status'>> =>
  problem.code === 'needs-scope' ? { problem } : { status: 'failed', problem };

const NEEDS_PERSON: ReadonlySet<string> = new Set(['needs-login', 'needs-scope', 'login-unavailable']);
const LOGIN_ADVICE = 'The user can log in under “Settings › Tools › Servers”.';

/** Why a server is not connected, for a model, and what to do about it. */
export const adviceOn = (problem: McpServer['problem']): string =>
  problem === undefined
    ? 'The server is not connected.'
    : NEEDS_PERSON.has(problem.code)
      ? `${problem.detail} ${LOGIN_ADVICE}`
      : problem.detail;

/** A call's outcome, for a model. If only the user can do something about it, it says so. */
export const withAdvice = (outcome: McpOutcome): McpOutcome =>
  outcome.type === 'failure' && outcome.problem !== undefined && NEEDS_PERSON.has(outcome.problem.code)
    ? { ...outcome, message: `${outcome.message} ${LOGIN_ADVICE}` }
    : outcome;
