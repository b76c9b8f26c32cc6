import { expect, test } from 'vitest';
import type { ToolCallPart } from '#lib/messages/message.ts';
import type { Tool } from '#lib/tools/core/tool.ts';
import { readFile } from '#lib/tools/files/read-file.ts';
import { searchTools } from '#lib/tools/tool-search/search-tools.ts';
import { canRunAgain } from './run-again.ts';

const done = { result: { type: 'tool-output', output: { content: [] } } } as unknown as ToolCallPart;

test('only the studio’s own reads can run again, once they have run', () => {
  expect(canRunAgain(readFile, done)).toBe(true);
  expect(canRunAgain(readFile, { ...done, result: undefined })).toBe(false);
  expect(canRunAgain(searchTools, done)).toBe(false);
  expect(canRunAgain(undefined, done)).toBe(false);
});

test.each(['rest-weather', 'mcp-weather', 'project'])(
  'a read of %s would leave the studio without a question',
  (toolset) => {
    const foreign: Tool = { ...readFile, toolset };
    expect(canRunAgain(foreign, done)).toBe(false);
  },
);
