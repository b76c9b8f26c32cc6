import { expect, test } from 'vitest';
import { estimateTokens } from '#lib/base/estimate-tokens.ts';
import { formatFragments } from '#lib/prompts/fragments.ts';
import { externalTool } from '#lib/tools/catalogue/external-tool.ts';
import { ToolIndex } from '#lib/tools/catalogue/tool-index.ts';
import type { Tool } from '#lib/tools/core/tool.ts';
import { searchTools } from '#lib/tools/tool-search/search-tools.ts';
import { toolSearchFragment } from '#lib/tools/tool-search/toolset.ts';
import { useTool } from '#lib/tools/tool-search/use-tool.ts';
import { PROJECT } from '#lib/tools/toolset-names.ts';
import { toolRegistry } from '#lib/tools/toolsets.ts';
import { describedTools, nativeToolTokens } from './prompt.ts';
import { toolsetCosts } from './tool-settings.ts';

/** A tool with as much to say as usual. */
const foreign = (n: number) =>
  externalTool({
    name: `server_tool_${n}`,
    toolset: `mcp-server${n % 5}`,
    effect: 'execute',
    description: `Does the ${n}th of many useful things, returns what came of it, and fails if it cannot. `.repeat(3),
    inputSchema: {
      type: 'object',
      properties: {
        first: { type: 'string', description: 'The first argument, in a few words.' },
        second: { type: 'number' },
      },
      required: ['first'],
    },
    execute: async () => ({ content: '' }),
  });

const catalogueOf = (count: number) => ({
  tools: new ToolIndex([
    ...toolRegistry.list(),
    ...Array.from({ length: count }, (_, n) => foreign(n)),
    ...(count > 0 ? [searchTools, useTool] : []),
  ]),
});

/** A tool of a workspace. */
const own = (n: number) => externalTool({ ...foreign(n), name: `own_tool_${n}`, toolset: PROJECT });

const TOOLSETS = ['browser', 'files', ...Array.from({ length: 5 }, (_, n) => `mcp-server${n}`)];
const described = (count: number, budgetTokens: number, toolsets = TOOLSETS) =>
  describedTools(catalogueOf(count), { toolsets, budgetTokens });

test('a few external tools are listed', () => {
  const names = described(3, 100_000).map(({ name }) => name);
  expect(names).toContain('server_tool_2');
  expect(names).not.toContain('search_tools');
});

test('above a tenth of the budget, they are found by a search, whatever they are', () => {
  const many = described(200, 100_000);
  expect(many.slice(-2).map(({ name }) => name)).toEqual(['search_tools', 'use_tool']);
  expect(many.filter(({ name }) => name.startsWith('server_'))).toEqual([]);
  expect(many).toEqual(described(150, 100_000));
  expect(described(5, 4_000).map(({ name }) => name)).toContain('search_tools');
});

test('200 tools cost at most 1,200 tokens of a prompt', () => {
  const own = describedTools(catalogueOf(0), { toolsets: TOOLSETS, budgetTokens: 100_000 });
  const all = described(200, 100_000);
  const fragment = toolSearchFragment(
    catalogueOf(200)
      .tools.list(TOOLSETS)
      .map(({ toolset }) => toolset),
  );
  const cost = nativeToolTokens(all) - nativeToolTokens(own) + estimateTokens(formatFragments([fragment], all));
  expect(nativeToolTokens(catalogueOf(200).tools.list(TOOLSETS))).toBeGreaterThan(20_000);
  expect(cost).toBeLessThanOrEqual(1_200);
});

test('without external tools, there is nothing to be searched', () => {
  expect(described(200, 100_000, ['browser', 'files']).map(({ name }) => name)).not.toContain('search_tools');
});

test('the tools of a workspace are offered where files are, and found by a search if there are many', () => {
  const offered = (count: number, toolsets = ['browser', 'files']) => {
    const brought = Array.from({ length: count }, (_, n) => own(n));
    const tools = new ToolIndex([...toolRegistry.list(), searchTools, useTool]).with(brought);
    return describedTools({ tools }, { toolsets, budgetTokens: 100_000 }).map(({ name }) => name);
  };
  expect(offered(2)).toEqual(expect.arrayContaining(['own_tool_0', 'own_tool_1', 'write_file']));
  expect(offered(2)).not.toContain('search_tools');
  expect(offered(2, ['browser'])).not.toContain('own_tool_0');
  expect(offered(200)).toContain('search_tools');
  expect(offered(200)).not.toContain('own_tool_0');
});

test('where only the main tools fit, those that the person has added are still there, or found by a search', () => {
  const names = (count: number) =>
    describedTools(catalogueOf(count), { toolsets: TOOLSETS, budgetTokens: 8_000, mainToolsOnly: true }).map(
      ({ name }) => name,
    );
  const main = names(0);
  expect(main).not.toContain('edit_file');
  expect(names(2)).toEqual([...main, 'server_tool_0', 'server_tool_1']);
  expect(names(200)).toEqual([...main, 'search_tools', 'use_tool']);
});

test('what the tools of a workspace take counts for the files, which turn them on', () => {
  const cost = (brought: Tool[]) =>
    toolsetCosts(
      { fragments: [], tools: new ToolIndex([...toolRegistry.list()]).with(brought) },
      {
        systemPrompt: '',
        lastStep: false,
        toolsets: ['browser', 'files'],
        budgetTokens: 100_000,
        toolCalling: 'native',
      },
    ).find(({ name }) => name === 'files')?.tokens ?? 0;
  expect(cost([own(1)]) - cost([])).toBeCloseTo(nativeToolTokens([own(1)]), -1);
});
