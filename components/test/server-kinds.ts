import { KeyedApi } from '../../e2e/lib/keyed-api.ts';
import { LoginTestServer } from '../../e2e/lib/login-server.ts';
import { McpTestServer } from '../../e2e/lib/mcp-server.ts';
import { ScriptedModelServer } from '../../e2e/lib/model-server.ts';
import { WebTestServer } from '../../e2e/lib/web-server.ts';
import { EverythingServer } from '../../lib/mcp/test/everything-server.ts';

/** The servers that a test in a browser can start, by how they are started. */
export const SERVERS = {
  model: () => ScriptedModelServer.start(),
  'tool server': () => McpTestServer.start(),
  'tool server with a login': () => LoginTestServer.start(),
  'reference server': () => EverythingServer.start(),
  'HTTP API': (key: string) => KeyedApi.start(key),
  web: () => WebTestServer.start(),
} satisfies Record<string, (...args: never[]) => Promise<{ stop(): Promise<void> }>>;

export type Servers = typeof SERVERS;
export type ServerKind = keyof Servers;
