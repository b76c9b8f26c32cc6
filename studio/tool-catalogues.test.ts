import { beforeEach, expect, test, vi } from 'vitest';
import { StoredCatalogues } from '#lib/threads/catalogues.ts';
import { MemoryThreadStore } from '#lib/threads/memory-thread-store.ts';
import { StorageError } from '#lib/threads/thread-store.ts';
import { readCatalogue } from '#lib/tools/catalogue/catalogue.ts';
import { externalTool } from '#lib/tools/catalogue/external-tool.ts';
import { ToolRegistry } from '#lib/tools/catalogue/registry.ts';
import { ToolCatalogues } from './tool-catalogues.ts';

const tool = externalTool({
  name: 'find',
  toolset: 'test',
  effect: 'read',
  inputSchema: { type: 'object' },
  execute: async () => ({ content: '' }),
});

let store: MemoryThreadStore;
let registry: ToolRegistry;
let catalogues: ToolCatalogues;

beforeEach(() => {
  store = new MemoryThreadStore();
  registry = new ToolRegistry([]);
  catalogues = new ToolCatalogues(registry, [], store);
});

test('the current catalogue follows the tools, and earlier ones stay readable', async () => {
  const before = await catalogues.current();
  expect(await catalogues.current()).toEqual(before);
  registry.add([tool]);
  const after = await catalogues.current();
  expect(after.name).not.toBe(before.name);
  expect(readCatalogue(after.text).tools.get('find')?.name).toBe('find');
  expect(await catalogues.text(before.name)).toBe(before.text);
  expect(await catalogues.text('unknown')).toBeUndefined();
});

test('[R13] a catalogue on offer is stored, and found by the next page', async () => {
  registry.add([tool]);
  const { name, text } = await catalogues.current();
  const next = new ToolCatalogues(new ToolRegistry([]), [], store);
  expect(await next.text(name)).toBe(text);
});

test('a storage that takes nothing does not keep the tools from being offered, and is tried again', async () => {
  const refused = vi.spyOn(store, 'putSetting').mockRejectedValue(new StorageError('full', new Error('full')));
  const { name, text } = await catalogues.current();
  expect(await new StoredCatalogues(store).text(name)).toBeUndefined();
  refused.mockRestore();
  await catalogues.current();
  expect(await new StoredCatalogues(store).text(name)).toBe(text);
});
