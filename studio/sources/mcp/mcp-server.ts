import type { KeyVault } from '#lib/keys/key-vault.ts';
import type { McpConnection } from '#lib/sources/mcp/mcp-client.ts';
import type { LoginChallenge, McpProblem } from '#lib/sources/mcp/problem.ts';
import type { McpOutcome } from '#lib/sources/mcp/result.ts';
import type { ServerConfig } from '#lib/sources/mcp/server-config.ts';
import type { ToolOffer } from '#lib/sources/tool-offer.ts';
import type { ThreadStore } from '#lib/threads/thread-store.ts';
import type { RefusedTool } from '#lib/tools/catalogue/external-definition.ts';
import type { ToolRegistry } from '#lib/tools/catalogue/registry.ts';
import type { EgressRequest } from '#lib/tools/egress/egress.ts';
import type { StudioServer } from '#lib/wire/mcp.ts';
import type { PinnedSource } from '../pins.ts';
import type { StoredListing } from './mcp-store.ts';
import type { ServerLogins } from './server-logins.ts';

export interface McpServersOptions {
  store: ThreadStore;
  registry: ToolRegistry;
  vault(): Promise<KeyVault>;
  createClient(): McpConnection;
  /** The person’s logins at their servers. */
  logins: ServerLogins;
  /** Called when a call has sent a request, or was kept from it. */
  onRequest?(toolCallId: string, request: EgressRequest): void;
  /** The servers that the studio's operator offers now. Rejects if that cannot be found out. */
  listStudioServers(): Promise<readonly StudioServer[]>;
  /** Called with the names of servers that the operator has not offered before. */
  onNewServers(names: readonly string[]): void;
}

/** A tool server of the person, or of the studio's operator, with its state for views. */
export interface McpServer {
  config: ServerConfig;
  /** Whether the studio's operator offers the server. The person can only turn such a server on and off. */
  isFromStudio: boolean;
  /** The operator's title for the server; undefined if it has none, and for a server of the person. */
  title: string | undefined;
  /** Whether the operator offers a server with the same name as this one, which is the person's. The operator's is not used. */
  hidesStudioServer: boolean;
  /** `idle`: it is on, and will be connected to when it is needed. */
  status: 'off' | 'idle' | 'connecting' | 'ready' | 'failed';
  /**
   * The reason why the server cannot be used; undefined if there is none. `locked`: the passphrase of its secrets is missing.
   * `not-offered`: its tools cannot be offered together.
   */
  problem:
    | {
        code: McpProblem['code'] | 'locked' | 'secret-gone' | 'not-offered';
        detail: string;
        challenge?: LoginChallenge;
      }
    | undefined;
  /** The latest list of what the server offers; undefined if there has been none. */
  listing: StoredListing | undefined;
  /** The tools of the server that cannot be offered, with the reasons. */
  refused: readonly RefusedTool[];
  /** The approximate number of tokens that the server's tools take of each prompt. */
  tokens: number;
}

/** A tool server that is on, while the page is open: its connection, and when it was tried and listed. */
export interface UsedServer extends PinnedSource {
  client: McpConnection;
  /** When a connection to the server was last tried, in milliseconds since the epoch; 0 if never. */
  triedAt: number;
  /** The attempt to connect, while it is under way. */
  connecting: Promise<void> | undefined;
  /**
   * The time until which the server's list counts as up to date, in milliseconds since the epoch; infinite if the server
   * reports changes.
   */
  freshUntil: number;
  /** The request for a new list of what the server offers, while it is under way. */
  listing: Promise<void> | undefined;
  /** The number of calls that are under way. */
  calls: number;
}

/** Returns the state of a server that has not been connected to, and offers nothing yet. */
export const beginServer = (client: McpConnection, offer: ToolOffer): UsedServer => ({
  client,
  offer,
  pins: {},
  calls: 0,
  triedAt: 0,
  freshUntil: Number.POSITIVE_INFINITY,
  connecting: undefined,
  listing: undefined,
});

/**
 * Returns the fields of a server that change after a problem of a call. Its status becomes `failed`, unless the login just does
 * not permit the tool that was called: it may permit others.
 */
export const shownProblem = (problem: McpProblem): Pick<McpServer, 'problem'> & Partial<Pick<McpServer, 'status'>> =>
  problem.code === 'needs-scope' ? { problem } : { status: 'failed', problem };

const NEEDS_PERSON: ReadonlySet<string> = new Set(['needs-login', 'needs-scope', 'login-unavailable']);
const LOGIN_ADVICE = 'The user can log in under “Settings › Tools › Servers”.';

/**
 * Returns a text that tells a model why a server is not connected, and how the user can log in if the login is the reason.
 */
export const adviceOn = (problem: McpServer['problem']): string =>
  problem === undefined
    ? 'The server is not connected.'
    : NEEDS_PERSON.has(problem.code)
      ? `${problem.detail} ${LOGIN_ADVICE}`
      : problem.detail;

/** Returns a call's outcome. Adds to its message how the user can log in, if the call failed for lack of a login. */
export const withAdvice = (outcome: McpOutcome): McpOutcome =>
  outcome.type === 'failure' && outcome.problem !== undefined && NEEDS_PERSON.has(outcome.problem.code)
    ? { ...outcome, message: `${outcome.message} ${LOGIN_ADVICE}` }
    : outcome;
