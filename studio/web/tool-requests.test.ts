import { expect, test } from 'vitest';
import type { KeyVault } from '#lib/keys/key-vault.ts';
import { restApiSchema } from '#lib/sources/http-api/api.ts';
import { RestHost } from '#lib/sources/http-api/rest-host.ts';
import { testMcpServer } from '#lib/sources/mcp/test/mcp-server.ts';
import { MemoryThreadStore } from '#lib/threads/memory-thread-store.ts';
import { ToolRegistry } from '#lib/tools/catalogue/registry.ts';
import type { ToolContext } from '#lib/tools/core/tool.ts';
import { RestApis } from '../sources/http-api/rest-apis.ts';
import { McpServers } from '../sources/mcp/mcp-servers.ts';
import { DirectConnection, noLogins } from '../sources/mcp/test/direct-connection.ts';
import { lockableVault } from '../sources/test/lockable-vault.ts';
import { EgressLedger } from './egress-ledger.ts';

const API = restApiSchema.parse({
  name: 'shop',
  baseUrl: 'https://shop.test/private',
  headers: { Authorization: 'Bearer {{token}}' },
  tools: [{ name: 'get', description: 'Gets it.', method: 'GET', path: '/private' }],
});

/** The tools of an API and of a server, and the ledger of the page. `fetch`: what both answer. */
async function openPage(fetch: typeof globalThis.fetch) {
  const store = new MemoryThreadStore();
  const ledger = await EgressLedger.open(store);
  const registry = new ToolRegistry([]);
  const vault = lockableVault() as unknown as KeyVault;
  const common = { store, registry, vault: async () => vault };
  const onRequest: typeof ledger.sent = (...request) => ledger.sent(...request);
  const host = new RestHost([{ name: 'direct', fetch }]);
  const apis = await RestApis.open({
    ...common,
    onRequest,
    createClient: () => ({
      readApi: (...given) => host.readApi(...given),
      openDocument: async (source) => host.openDocument(source),
      describe: (chosen) => host.describe(chosen),
      call: (call, _, told) => host.call('one', call, told),
      end: () => undefined,
    }),
  });
  await apis.add('', API, { token: 'secret-0815' });
  const servers = await McpServers.open({
    ...common,
    onRequest,
    logins: noLogins(common.vault),
    createClient: () => new DirectConnection(fetch),
    listStudioServers: async () => [],
    onNewServers: () => undefined,
  });
  await servers.add({ name: 'test', url: 'https://tools.test/private' }, { 'x-key': 'secret-0815' });
  const record = ledger.of('t');
  const run = async (toolName: string, input: object, decision: 'asked' | 'always') => {
    const toolCallId = `call of ${toolName}`;
    record.allowed({ toolCallId, toolName }, decision);
    const context = { toolCallId, abortSignal: new AbortController().signal, report: () => undefined };
    await registry.get(toolName)?.execute(input, context as unknown as ToolContext);
  };
  return { ledger, registry, servers, run };
}

test('the calls of APIs and of servers are in the ledger, with their thread and why they were allowed', async () => {
  const server = testMcpServer();
  const { ledger, registry, servers, run } = await openPage(async (input, init) =>
    new Request(input, init).url.startsWith('https://shop.test')
      ? Response.json({ private: 1 })
      : server.fetch(input, init),
  );
  await servers.connect('test');
  expect(ledger.state.getState()).toEqual([]);
  await run('shop_get', {}, 'always');
  await run('test_add', { a: 1, b: 2 }, 'asked');
  const entries = ledger.state.getState();
  const common = { threadId: 't', status: 200, sent: expect.any(Number), received: expect.any(Number) };
  expect(entries).toHaveLength(2);
  expect(entries).toContainEqual(
    expect.objectContaining({ ...common, toolName: 'shop_get', host: 'shop.test', decision: 'always', received: 13 }),
  );
  expect(entries).toContainEqual(
    expect.objectContaining({ ...common, toolName: 'test_add', host: 'tools.test', decision: 'asked' }),
  );
  for (const { sent, received } of entries) expect(Math.min(sent, received)).toBeGreaterThan(0);
  expect(JSON.stringify(entries)).not.toMatch(/private|secret/);
  // If one is denied, it is known where its request would have gone.
  expect(['shop_get', 'test_add'].map((name) => registry.get(name)?.sendsTo)).toEqual([['shop.test'], ['tools.test']]);
});

test('a call is in the ledger as not sent if its server cannot be reached any more', async () => {
  const server = testMcpServer();
  let isUp = true;
  const { ledger, servers, run } = await openPage((input, init) =>
    isUp ? server.fetch(input, init) : Promise.reject(new TypeError('secret-0815')),
  );
  await servers.connect('test');
  isUp = false;
  await servers.turn('test', false);
  await servers.turn('test', true);
  await expect(run('test_add', { a: 1, b: 2 }, 'always')).rejects.toThrow('Not run.');
  expect(ledger.state.getState()).toMatchObject([
    { host: 'tools.test', sent: 0, received: 0, refused: 'There is no connection to the server.', decision: 'always' },
  ]);
});
