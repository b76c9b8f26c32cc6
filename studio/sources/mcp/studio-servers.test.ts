import { beforeEach, expect, test } from 'vitest';
import type { KeyVault } from '#lib/keys/key-vault.ts';
import { type TestMcpServer, testMcpServer } from '#lib/sources/mcp/test/mcp-server.ts';
import { MemoryThreadStore } from '#lib/threads/memory-thread-store.ts';
import { ToolRegistry } from '#lib/tools/catalogue/registry.ts';
import type { Tool, ToolContext } from '#lib/tools/core/tool.ts';
import { sourceOf, TOOL_SERVER } from '#lib/tools/toolset-names.ts';
import { MCP_CONNECTION_HEADER, type StudioServer } from '#lib/wire/mcp.ts';
import { lockableVault } from '../test/lockable-vault.ts';
import { McpServers } from './mcp-servers.ts';
import { DirectConnection, noLogins } from './test/direct-connection.ts';

const URL = 'https://tools.test/mcp';

let store: MemoryThreadStore;
let server: TestMcpServer;
/** The servers that the studio's operator offers; undefined while the studio's server is down. */
let operator: StudioServer[] | undefined;
/** The servers that were new. */
let added: string[];
/** The names of the connections. */
let connections: Set<string | null>;

beforeEach(() => {
  store = new MemoryThreadStore();
  server = testMcpServer();
  operator = [];
  added = [];
  connections = new Set();
});

/** The servers of a new page. */
async function openPage() {
  const registry = new ToolRegistry([]);
  const fetch: typeof globalThis.fetch = async (input, init) => {
    connections.add(new Request(input, init).headers.get(MCP_CONNECTION_HEADER));
    return server.fetch(input, init);
  };
  const vault = lockableVault();
  const servers = await McpServers.open({
    store,
    registry,
    vault: async () => vault as unknown as KeyVault,
    logins: noLogins(async () => vault as unknown as KeyVault),
    createClient: () => new DirectConnection(fetch),
    listStudioServers: async () => {
      if (operator === undefined) throw new Error('The studio’s server is down.');
      return operator;
    },
    onNewServers: (names) => void added.push(...names),
  });
  return { servers, registry };
}

const runTool = (tool: Tool, input: unknown) =>
  tool.execute(input, { abortSignal: new AbortController().signal, report: () => undefined } as unknown as ToolContext);
const only = ({ state }: McpServers) => state.getState()[0];
const offered = (registry: ToolRegistry) =>
  registry.list().filter(({ toolset }) => sourceOf(toolset)?.kind === TOOL_SERVER);
const toolOf = (registry: ToolRegistry, name: string): Tool => {
  const tool = registry.get(name);
  if (tool === undefined) throw new Error(`There is no ${name}.`);
  return tool;
};
const ready = (servers: McpServers) => expect.poll(() => only(servers)?.status).toBe('ready');

test('are there by themselves, are new once, and are reached by a connection that nobody else can name', async () => {
  operator = [{ name: 'test', title: 'Tests' }];
  const { servers, registry } = await openPage();
  await ready(servers);
  expect(only(servers)).toMatchObject({ isFromStudio: true, title: 'Tests', config: { name: 'test', headers: [] } });
  expect(added).toEqual(['test']);
  expect(await runTool(toolOf(registry, 'test_add'), { a: 1, b: 2 })).toMatchObject({ data: { sum: 3 } });
  expect([...connections]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  await servers.turn('test', false);
  await servers.turn('test', true);
  expect(connections.size).toBe(2);
  const again = await openPage();
  expect(offered(again.registry)).toHaveLength(2);
  expect(added).toEqual(['test']);
});

test('are turned off for this browser', async () => {
  operator = [{ name: 'test' }];
  const first = await openPage();
  await ready(first.servers);
  await first.servers.turn('test', false);
  expect(offered(first.registry)).toEqual([]);
  const { servers, registry } = await openPage();
  expect(only(servers)).toMatchObject({ status: 'off', isFromStudio: true });
  expect(offered(registry)).toEqual([]);
});

test('go with what was allowed when the operator removes them, and stay while the studio’s server is down', async () => {
  operator = [{ name: 'test' }];
  const first = await openPage();
  await ready(first.servers);
  await first.servers.pins.remember(toolOf(first.registry, 'test_add'), 'always');
  operator = undefined;
  const second = await openPage();
  expect(offered(second.registry)).toHaveLength(2);
  operator = [];
  const third = await openPage();
  await expect.poll(() => offered(third.registry)).toEqual([]);
  expect(third.servers.state.getState()).toEqual([]);
  expect(await store.setting('mcp-pins:test')).toBeUndefined();
});

test('give way to a person’s server of the same name, which says so', async () => {
  const first = await openPage();
  await first.servers.add({ name: 'test', url: URL }, {});
  operator = [{ name: 'test' }, { name: 'other' }];
  const { servers } = await openPage();
  await expect.poll(() => servers.state.getState()).toHaveLength(2);
  expect(servers.state.getState()).toMatchObject([
    { config: { name: 'test', url: URL }, isFromStudio: false, hidesStudioServer: true },
    { config: { name: 'other' }, isFromStudio: true, hidesStudioServer: false },
  ]);
  expect(added).toEqual(['other']);
  await servers.remove('test');
  expect(servers.state.getState()).toMatchObject([{ config: { name: 'test' }, isFromStudio: true }, {}]);
});

test('that have ended a connection are connected to again by the next call, which runs once', async () => {
  operator = [{ name: 'test' }];
  const { servers, registry } = await openPage();
  await ready(servers);
  const { fetch } = server;
  let refusals = 1;
  server.fetch = async (input, init) => {
    const isCall = String(init?.body).includes('tools/call');
    return isCall && refusals-- > 0 ? new Response(null, { status: 404 }) : fetch(input, init);
  };
  expect(await runTool(toolOf(registry, 'test_add'), { a: 1, b: 2 })).toMatchObject({ data: { sum: 3 } });
  expect(server.calls).toEqual(['add']);
  expect(connections.size).toBe(2);
});
