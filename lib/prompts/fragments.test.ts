import { expect, test } from 'vitest';
import { toolRegistry } from '#lib/tools/toolsets.ts';
import { formatFragments } from './fragments.ts';

const titlesOf = (text: string): string[] => [...text.matchAll(/^## (.+)$/gm)].map(([, title = '']) => title);
const rulesOf = (text: string): string[] =>
  [...text.matchAll(/^(Directory Discovery|Atomic Writes|Edits|Pathing):/gm)].map(([, rule = '']) => rule);

test.each([false, true])('each toolset has a fragment (compact: %s)', (compact) => {
  const text = formatFragments(toolRegistry.list(), compact);
  expect(titlesOf(text)).toEqual(['Browser Execution', 'Virtual File System']);
  expect(rulesOf(text)).toEqual(['Directory Discovery', 'Atomic Writes', 'Edits', 'Pathing']);
});

test('the compact version is shorter', () => {
  const tools = toolRegistry.list();
  expect(formatFragments(tools, true).length).toBeLessThan(0.6 * formatFragments(tools).length);
});

test.each([false, true])('missing tools are not mentioned (compact: %s)', (compact) => {
  const without = toolRegistry.list().filter(({ name }) => name !== 'write_file' && name !== 'browser_js_eval');
  const text = formatFragments(without, compact);
  expect(text).not.toContain('write_file');
  expect(text).not.toContain('browser_js_eval');
  expect(formatFragments([], compact)).toBe('');
});
