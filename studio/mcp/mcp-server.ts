import type { RefusedTool } from '#lib/mcp/definition.ts';
import type { McpConnection } from '#lib/mcp/mcp-client.ts';
import type { OfferedTools } from '#lib/mcp/offered-tools.ts';
import type { McpProblem } from '#lib/mcp/problem.ts';
import type { ServerConfig } from '#lib/mcp/server-config.ts';
import type { McpPins, StoredListing } from './mcp-store.ts';

/** A tool server of the person, or of the studio's operator, and what is known of it. */
export interface McpServer {
  config: ServerConfig;
  /** Whether the studio's operator offers it; it can only be turned off. */
  isFromStudio: boolean;
  /** What the operator calls it. */
  title: string | undefined;
  /** Whether the operator offers another server of this name, which therefore is not used. */
  hidesStudioServer: boolean;
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
export interface LiveServer {
  client: McpConnection;
  /** When it was last connected to, in milliseconds since the epoch. */
  triedAt: number;
  connecting: Promise<void> | undefined;
  /** How many calls are under way. */
  calls: number;
  pins: McpPins;
  /** The tools on offer by the server's name for them. */
  tools: OfferedTools;
  /** Takes them out of the registry. */
  withdraw(): void;
}

/** A server that has not been connected to, and offers nothing yet. */
export const beginServer = (client: McpConnection): LiveServer => ({
  ...{ client, triedAt: 0, connecting: undefined, calls: 0, pins: {}, tools: new Map() },
  withdraw: () => undefined,
});
