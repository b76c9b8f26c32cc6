import { type FixedAnswer, FixedServer } from '../../e2e/lib/fixed-server.ts';
import { KeyedApi } from '../../e2e/lib/keyed-api.ts';
import { LoginTestServer } from '../../e2e/lib/login-server.ts';
import { McpTestServer } from '../../e2e/lib/mcp-server.ts';
import { ScriptedModelServer } from '../../e2e/lib/model-server.ts';
import { WebTestServer } from '../../e2e/lib/web-server.ts';
import { EverythingServer } from '../../lib/sources/mcp/test/everything-server.ts';
import { OddServer } from '../../models/dialects/test/odd-server.ts';
import { type Defect, DefectiveServer, type Said } from '../../models/examination/test/defective-server.ts';
import { StudioServer, type StudioServerOptions } from './studio-server.ts';

/** Functions that start the servers which tests in a browser can use, by kind. */
export const SERVERS = {
  studio: (options?: StudioServerOptions) => StudioServer.start(options),
  fixed: (answers: readonly FixedAnswer[], options?: { isHeld?: boolean }) => FixedServer.start(answers, options),
  model: () => ScriptedModelServer.start(),
  'odd replies': () => OddServer.start(),
  'tool server': () => McpTestServer.start(),
  'tool server with a login': () => LoginTestServer.start(),
  'reference server': () => EverythingServer.start(),
  'HTTP API': (key: string) => KeyedApi.start(key),
  web: () => WebTestServer.start(),
  /** A model server with a defect. `replies`: by question, one for each step. */
  'defective model': (defect: Defect, replies: Readonly<Record<string, readonly Said[]>> = {}) =>
    DefectiveServer.start(defect, (question, steps) => replies[question]?.[steps]),
} satisfies Record<string, (...args: never[]) => Promise<{ stop(): Promise<void> }>>;

export type Servers = typeof SERVERS;
export type ServerKind = keyof Servers;
