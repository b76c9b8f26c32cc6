import { expect, test } from 'vitest';
import type { ToolSpec } from '#lib/tools/core/spec.ts';
import { meantNames } from './meant-names.ts';

const specs = (...names: string[]): ToolSpec[] =>
  names.map((name) => ({
    name,
    description: '',
    inputSchema: { type: 'object' },
    toolset: 'set',
    effect: 'read',
    needs: [],
    presentation: { verb: 'call' },
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
  ['ReadFile', 'read_file'],
  ['readFile', 'read_file'],
  ['read-file', 'read_file'],
  ['functions.readFile', 'read_file'],
  ['read_file()', 'read_file'],
  ['functions/read_file', 'read_file'],
  ['read_filejson', 'read_file'],
  ['<tool_call>read_file', 'read_file'],
  ['read_file</arg_value>', 'read_file'],
  ['read_file</tool_call>', 'read_file'],
  ['assistant<|channel|>analysis to=functions.read_file', 'read_file'],
  // These are names of their own.
  ['read_file_json', 'read_file_json'],
  ['read_fileJSON', 'read_fileJSON'],
  ['WRITE_JSON', 'WRITE_JSON'],
  ['make_dirjson', 'make_dirjson'],
  // Its arguments would be lost.
  ['read_file{"path":"/"}', 'read_file{"path":"/"}'],
  ['read_file\n<arg_key>path</arg_key>', 'read_file\n<arg_key>path</arg_key>'],
  // Two would fit.
  ['MAKE_DIR', 'MAKE_DIR'],
  ['mcp.read_file', 'mcp.read_file'],
  ['WRITE', 'WRITE'],
  ['write', 'write'],
  // It is not on offer.
  ['functions.delete_file', 'functions.delete_file'],
  ['', ''],
  ['__proto__', '__proto__'],
])('a name as a model writes it: %j', (written, meant) => {
  expect(meantNames(specs('read_file', 'write', 'Write', 'make-dir', 'makeDir'))(written)).toBe(meant);
});
