import { expect, test, vi } from 'vitest';
import { testMcpServer } from '#lib/sources/mcp/test/mcp-server.ts';
import { MemoryThreadStore } from '#lib/threads/memory-thread-store.ts';
import { grantName } from '#lib/threads/thread.ts';
import { lockableVault } from '../test/lockable-vault.ts';
import { openServerPage, toolOf } from './test/server-page.ts';

const FIRST = 'https://tools.test/mcp';
const SECOND = 'https://other.test/mcp';

/** A function that opens pages of one browser. At both addresses, the same tools are offered. */
function browser() {
  const server = testMcpServer();
  const store = new MemoryThreadStore();
  const vault = lockableVault();
  return { store, vault, openPage: () => openServerPage({ fetch: server.fetch, store, vault }) };
}

test('a server that takes the name of another one gets nothing of what that was allowed', async () => {
  const { servers, registry } = await browser().openPage();
  await servers.add({ name: 'test', url: FIRST }, {});
  await servers.connect('test');
  const before = toolOf(registry, 'test_add');
  await servers.pins.remember(before, 'always');
  await servers.add({ name: 'test', url: SECOND }, {});
  await servers.connect('test');
  const now = toolOf(registry, 'test_add');
  expect(servers.pins.isKnown(now)).toBe(false);
  // Nor what a thread allows.
  expect(grantName(now)).not.toBe(grantName(before));
});

test('nor of what another tab allows while it still shows that other one', async () => {
  const { store, openPage } = browser();
  const [one, other] = [await openPage(), await openPage()];
  await one.servers.add({ name: 'test', url: FIRST }, {});
  await one.servers.connect('test');
  await vi.waitFor(() => expect(other.registry.get('test_add')).toBeDefined());
  const tool = toolOf(other.registry, 'test_add');
  // The other tab has not read yet what is stored now.
  await Promise.all([one.servers.add({ name: 'test', url: SECOND }, {}), other.servers.pins.remember(tool, 'always')]);
  await other.servers.pins.remember(tool, 'always');
  expect(await store.setting('mcp-pins:test')).toMatchObject({ add: { definition: { origin: FIRST } } });
  for (const { servers, registry } of [one, other, await openPage()]) {
    await servers.connect('test');
    await vi.waitFor(() => expect(servers.state.getState()[0]?.config.url).toBe(SECOND));
    expect(servers.pins.isKnown(toolOf(registry, 'test_add'))).toBe(false);
  }
});

test('a server that moves keeps its name and place, and nothing that belongs to its old address', async () => {
  const { vault, openPage } = browser();
  const { servers, registry } = await openPage();
  await servers.add({ name: 'test', url: FIRST }, { 'x-key': 'secret-value' });
  await servers.add({ name: 'last', url: 'https://last.test/mcp', isOn: false }, {});
  await servers.connect('test');
  await servers.pins.remember(toolOf(registry, 'test_add'), 'always');
  await servers.move('test', SECOND, {});
  expect(servers.state.getState().map(({ config, status }) => [config.name, config.url, status])).toEqual([
    ['test', SECOND, 'ready'],
    ['last', 'https://last.test/mcp', 'off'],
  ]);
  expect([servers.pins.isKnown(toolOf(registry, 'test_add')), vault.secrets.size]).toEqual([false, 0]);
});

test('what belongs to a server stays if it cannot be moved', async () => {
  const { vault, openPage } = browser();
  const { servers, registry } = await openPage();
  await servers.add({ name: 'test', url: FIRST }, {});
  await servers.connect('test');
  await servers.pins.remember(toolOf(registry, 'test_add'), 'always');
  vault.put = () => Promise.reject(new Error('The keys are locked.'));
  await expect(servers.move('test', SECOND, { 'x-key': 'secret-value' })).rejects.toThrow('The keys are locked.');
  expect(servers.state.getState()[0]?.config.url).toBe(FIRST);
  expect(servers.pins.isKnown(toolOf(registry, 'test_add'))).toBe(true);
  expect((await openPage()).servers.pins.isKnown(toolOf(registry, 'test_add'))).toBe(true);
});
