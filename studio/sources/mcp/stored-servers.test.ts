import { expect, test, vi } from 'vitest';
import { MemoryThreadStore } from '#lib/threads/memory-thread-store.ts';
import { openServerPage } from './test/server-page.ts';

test('the outcome of a connection stays if the stored servers are read meanwhile', async () => {
  const store = new MemoryThreadStore();
  const { servers } = await openServerPage({ fetch: () => Promise.reject(new TypeError('Failed to fetch')), store });
  await servers.add({ name: 'test', url: 'https://tools.test/mcp' }, {});
  const gate = Promise.withResolvers<void>();
  const read = store.setting.bind(store);
  const setting = vi.spyOn(store, 'setting').mockImplementation(async (name) => {
    await gate.promise;
    return read(name);
  });
  await store.putSetting('theme', 'dark');
  await vi.waitFor(() => expect(setting).toHaveBeenCalled());
  await servers.connect('test');
  const statuses = () => servers.state.getState().map(({ status, problem }) => [status, problem?.code]);
  expect(statuses()).toEqual([['failed', 'unreachable']]);
  gate.resolve();
  // A later reading of the servers ends after the first one; it connects to none, as this one does not exist.
  await servers.turn('nobody', true);
  expect(statuses()).toEqual([['failed', 'unreachable']]);
});
