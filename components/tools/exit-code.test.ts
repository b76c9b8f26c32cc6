import { expect, test } from 'vitest';
import type { ToolCallPart } from '#lib/messages/message.ts';
import { executeBash } from '#lib/tools/files/execute-bash.ts';
import { readFile } from '#lib/tools/files/read-file.ts';
import { exitCodeOf } from './exit-code.ts';

const result = (data: unknown) =>
  ({ result: { type: 'tool-result', output: { content: '', data } } }) as unknown as ToolCallPart;

test.each([
  [3, { exitCode: 3 }],
  [undefined, { exitCode: 0 }],
  [undefined, { exitCode: '3' }],
  [undefined, null],
  [undefined, undefined],
])('%s for %j', (code, data) => {
  expect(exitCodeOf(executeBash, result(data))).toBe(code);
});

test('only commands have one', () => {
  expect(exitCodeOf(readFile, result({ exitCode: 3 }))).toBeUndefined();
  expect(exitCodeOf(undefined, result({ exitCode: 3 }))).toBeUndefined();
});
