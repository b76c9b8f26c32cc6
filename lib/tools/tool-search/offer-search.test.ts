import { expect, test } from 'vitest';
import { externalTool } from '../catalogue/external-tool.ts';
import { ToolRegistry } from '../catalogue/registry.ts';
import { CATALOGUE_LIMITS } from '../core/limits.ts';
import { offerToolSearch } from './offer-search.ts';

const foreign = (name: string, toolset = 'mcp-test') =>
  externalTool({
    name,
    toolset,
    effect: 'execute',
    inputSchema: { type: 'object' },
    execute: async () => ({ content: '' }),
  });

test('while there is something to be found, wherever it comes from, there are tools that find it', () => {
  const registry = new ToolRegistry([]);
  offerToolSearch(registry);
  const names = () => registry.list().map(({ name }) => name);
  expect(names()).toEqual([]);
  const withdraw = registry.add([foreign('test_add')]);
  expect(names()).toEqual(['test_add', 'search_tools', 'use_tool']);
  const withdrawOther = registry.add([foreign('shop_list', 'rest-shop')]);
  withdraw();
  expect(names()).toEqual(['search_tools', 'use_tool', 'shop_list']);
  withdrawOther();
  expect(names()).toEqual([]);
});

test('where there is no room for them, the other tools stay, and are offered without them', () => {
  const registry = new ToolRegistry([]);
  offerToolSearch(registry);
  const all = Array.from({ length: CATALOGUE_LIMITS.tools }, (_, n) => foreign(`test_${n}`));
  const withdraw = registry.add(all);
  expect(registry.list()).toHaveLength(all.length);
  withdraw();
  registry.add([foreign('test_add')]);
  expect(registry.list()).toHaveLength(3);
});
