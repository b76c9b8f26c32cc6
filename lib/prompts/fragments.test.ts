import { expect, test } from 'vitest';
import type { ToolSpec } from '#lib/tools/core/spec.ts';
import { fragments, toolRegistry } from '#lib/tools/toolsets.ts';
import { formatFragments } from './fragments.ts';

const titlesOf = (text: string): string[] => [...text.matchAll(/^## (.+)$/gm)].map(([, title = '']) => title);
const rulesOf = (text: string): string[] =>
  [...text.matchAll(/^(Directory Discovery|Atomic Writes|Edits|Pathing):/gm)].map(([, rule = '']) => rule);

const format = (tools: readonly ToolSpec[], compact?: boolean) => formatFragments(fragments, tools, compact);

test.each([false, true])('each toolset has a fragment (compact: %s)', (compact) => {
  const text = format(toolRegistry.list(), compact);
  expect(titlesOf(text)).toEqual(['Browser Execution', 'Virtual File System', 'Web']);
  expect(rulesOf(text)).toEqual(['Directory Discovery', 'Atomic Writes', 'Edits', 'Pathing']);
});

test('the compact version is shorter', () => {
  const tools = toolRegistry.list();
  expect(format(tools, true).length).toBeLessThan(0.6 * format(tools).length);
});

test.each([false, true])('missing tools are not mentioned (compact: %s)', (compact) => {
  const without = toolRegistry.list().filter(({ name }) => name !== 'write_file' && name !== 'browser_js_eval');
  const text = format(without, compact);
  expect(text).not.toContain('write_file');
  expect(text).not.toContain('browser_js_eval');
  expect(format([], compact)).toBe('');
});

test.each([false, true])('code that can fetch is explained where both tools are on (compact: %s)', (compact) => {
  const tools = toolRegistry.list();
  expect(format(tools, compact)).toContain('await fetch(url)');
  for (const missing of ['fetch_url', 'browser_js_eval'])
    expect(
      format(
        tools.filter(({ name }) => name !== missing),
        compact,
      ),
    ).not.toContain('await fetch(url)');
});

test('a model that may write files learns how to make a tool, unless its context is small', () => {
  const how = '/.roundtrip/tools/<name>.js';
  expect(format(toolRegistry.list())).toContain(how);
  expect(format(toolRegistry.list().filter(({ name }) => name !== 'write_file'))).not.toContain(how);
  const compact = format(toolRegistry.list(), true);
  expect(compact).not.toContain(how);
  // Parts that are left out leave no gap.
  expect(compact).not.toContain('\n\n\n');
});
