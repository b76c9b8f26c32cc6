import type { RefusedTool } from '#lib/mcp/definition.ts';
import type { ServerConfig } from '#lib/mcp/server-config.ts';
import type { McpProblem } from '#lib/mcp/session.ts';
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
