import { expect, test } from 'vitest';
import { toolRegistry } from '#lib/tools/toolsets.ts';
import { formatFragments } from './fragments.ts';

const titlesOf = (text: string): string[] => [...text.matchAll(/^## (.+)$/gm)].map(([, title = '']) => title);
const rulesOf = (text: string): string[] =>
  [...text.matchAll(/^(Directory Discovery|Atomic Writes|Edits|Pathing):/gm)].map(([, rule = '']) => rule);

test.each([false, true])('each toolset has its fragment, in few words too (%s)', (compact) => {
  const text = formatFragments(toolRegistry.list(), compact);
  expect(titlesOf(text)).toEqual(['Browser Execution', 'Virtual File System']);
  expect(rulesOf(text)).toEqual(['Directory Discovery', 'Atomic Writes', 'Edits', 'Pathing']);
});

test('few words are fewer', () => {
  const tools = toolRegistry.list();
  expect(formatFragments(tools, true).length).toBeLessThan(0.6 * formatFragments(tools).length);
});

test.each([false, true])('no tool is named that is not there', (compact) => {
  const without = toolRegistry.list().filter(({ name }) => name !== 'write_file' && name !== 'browser_js_eval');
  const text = formatFragments(without, compact);
  expect(text).not.toContain('write_file');
  expect(text).not.toContain('browser_js_eval');
  expect(formatFragments([], compact)).toBe('');
});
