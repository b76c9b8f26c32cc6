import { McpTestServer } from '../../e2e/lib/mcp-server.ts';
import { ScriptedModelServer } from '../../e2e/lib/model-server.ts';
import { WebTestServer } from '../../e2e/lib/web-server.ts';
import { StudioServer, type StudioServerOptions } from './studio-server.ts';

/** The servers that a test in a browser can start, by how they are started. */
export const SERVERS = {
  studio: (options?: StudioServerOptions) => StudioServer.start(options),
  model: () => ScriptedModelServer.start(),
  'tool server': () => McpTestServer.start(),
  web: () => WebTestServer.start(),
} satisfies Record<string, (...args: never[]) => Promise<{ stop(): Promise<void> }>>;

export type Servers = typeof SERVERS;
export type ServerKind = keyof Servers;
