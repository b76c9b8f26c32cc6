import type { McpConnection } from '#lib/mcp/mcp-client.ts';
import type { McpProblem } from '#lib/mcp/problem.ts';
import type { ServerConfig } from '#lib/mcp/server-config.ts';
import type { RefusedTool } from '#lib/tools/core/foreign-definition.ts';
import type { Offer } from '../foreign/pins.ts';
import type { StoredListing } from './mcp-store.ts';

/** A tool server of the person, and what is known of it. */
export interface McpServer {
  config: ServerConfig;
  /** `idle`: it is connected to when it is needed. */
  status: 'off' | 'idle' | 'connecting' | 'ready' | 'failed';
  /** Why it cannot be used. `locked`: the passphrase of its secrets is missing. `not-offered`: its tools do not fit. */
  problem: { code: McpProblem['code'] | 'locked' | 'secret-gone' | 'not-offered'; detail: string } | undefined;
  /** What it offered last. */
  listing: StoredListing | undefined;
  /** The tools that are not offered. */
  refused: readonly RefusedTool[];
  /** About how many tokens its tools take of each prompt. */
  tokens: number;
}

/** What belongs to a server while the page is open. */
export interface LiveServer extends Offer {
  client: McpConnection;
  /** When it was last connected to, in milliseconds since the epoch. */
  triedAt: number;
  connecting: Promise<void> | undefined;
  /** How many calls are under way. */
  calls: number;
  /** Takes them out of the registry. */
  withdraw(): void;
}

/** A server that has not been connected to, and offers nothing yet. */
export const beginServer = (client: McpConnection): LiveServer => ({
  ...{ client, triedAt: 0, connecting: undefined, calls: 0, pins: {}, tools: new Map() },
  withdraw: () => undefined,
});
