import { expect, test } from 'vitest';
import type { ToolSpec } from '#lib/tools/core/spec.ts';
import { meantNames } from './meant-names.ts';

const specs = (...names: string[]): ToolSpec[] =>
  names.map((name) => ({
    ...{ name, description: '', inputSchema: { type: 'object' }, toolset: 'set', effect: 'read' },
    ...{ needs: [], presentation: { verb: 'call' } },
  }));

test.each([
  ['functions.read_file', 'read_file'],
  ['default_api:read_file', 'read_file'],
  ['default_api.read_file', 'read_file'],
  ['functions.read_file:0', 'read_file'],
  ['READ_FILE', 'read_file'],
  ['read_file<|channel|>commentary', 'read_file'],
  ['<|channel|>read_file', 'read_file'],
  ['read_file<｜tool▁sep｜>', 'read_file'],
  [' read_file\n', 'read_file'],
  // Two would fit.
  ['WRITE', 'WRITE'],
  ['write', 'write'],
  // It is not on offer.
  ['functions.delete_file', 'functions.delete_file'],
  ['', ''],
  ['__proto__', '__proto__'],
])('a name as a model writes it: %j', (written, meant) => {
  expect(meantNames(specs('read_file', 'write', 'Write'))(written)).toBe(meant);
});
