import { describe, expect, test } from 'vitest';
import { WORKSPACE_TOOL_LIMITS } from './limits.ts';
import { newWorkspaceTool } from './template.ts';
import { readWorkspaceTool, type WorkspaceToolFile } from './workspace-tool-file.ts';

const PATH = '/.roundtrip/tools/count_words.js';
const RUN = '\nexport async function run() {}';

const reasonOf = (source: string, path = PATH): string => {
  const found = readWorkspaceTool(path, source);
  return 'reason' in found ? found.reason : '';
};

test('the template is a tool', () => {
  const tool = readWorkspaceTool(PATH, newWorkspaceTool('count_words')) as WorkspaceToolFile;
  expect(tool).toMatchObject({
    name: 'count_words',
    title: 'count_words',
    effect: 'read',
    timeout: WORKSPACE_TOOL_LIMITS.seconds,
    inputSchema: { type: 'object', required: ['path'] },
  });
  expect(tool.body.length, 'lines and columns stay').toBe(tool.source.length);
  expect(tool.body).not.toMatch(/^\s*export/m);
});

test('a spec is read, never run', () => {
  const spec =
    "export const spec = { description: 'Adds ' + 'up.', inputSchema: { type: 'object', __proto__: null } };";
  const { inputSchema, description } = readWorkspaceTool(PATH, spec + RUN) as WorkspaceToolFile;
  expect(description).toBe('Adds up.');
  expect(Object.getPrototypeOf(inputSchema)).toBe(Object.prototype);
  for (const value of [
    'f()',
    '`$' + '{1}`',
    '[...x]',
    '{ get a() { return 1 } }',
    '{ [a]: 1 }',
    '{ a }',
    '/x/',
    '1n',
    'new Date()',
    'a.b',
  ])
    expect(reasonOf(`export const spec = { description: ${value} };${RUN}`), value).toMatch(
      /^Line 1: In spec: It has to be plain data/,
    );
});

describe('what is wrong is said with its line', () => {
  test.each<[string, string, RegExp]>([
    ['no spec', 'export function run() {}', /^It has no spec\. Write: export const spec/],
    ['no run', "export const spec = { description: 'x' };", /^It has no function run\./],
    ['a syntax error', `// a\nexport const spec = {\n  description: ,\n};${RUN}`, /^Line 3: Unexpected token\.$/],
    [
      'an import',
      `import fs from 'fs';\nexport const spec = { description: 'x' };${RUN}`,
      /^Line 1: A tool cannot import/,
    ],
    [
      'another export',
      `export const spec = { description: 'x' };\nexport default 1;${RUN}`,
      /^Line 2: Only “export const spec”/,
    ],
    [
      'a list of exports',
      `const spec = {};\nconst run = 1;\nexport { spec, run };`,
      /^Line 3: Only “export const spec”/,
    ],
    [
      'an unknown field',
      `export const spec = { description: 'x', permissions: 'all' };${RUN}`,
      /^Line 1: In spec: .*permissions/,
    ],
    ['no description', `export const spec = { description: ' ' };${RUN}`, /^Line 1: In spec, “description”/],
    [
      'a schema of no object',
      `export const spec = { description: 'x', inputSchema: { type: 'string' } };${RUN}`,
      /“inputSchema”/,
    ],
    ['an effect that is none', `export const spec = { description: 'x', effect: 'none' };${RUN}`, /“effect”/],
    ['too much time', `export const spec = { description: 'x', timeout: 100000 };${RUN}`, /“timeout”/],
    ['a text', 'Count the words!', /^Line 1: /],
    ['nothing', '', /^It has no spec/],
  ])('%s', (_, source, reason) => {
    expect(reasonOf(source)).toMatch(reason);
  });

  test.each([
    '/.roundtrip/tools/Count.js',
    '/.roundtrip/tools/a-b.js',
    '/.roundtrip/tools/ä.js',
    '/.roundtrip/tools/.js',
  ])('the name of %s', (path) => {
    expect(reasonOf(newWorkspaceTool('x'), path)).toContain('named by lower-case letters');
  });

  test('a file that is too long, or nested without end', () => {
    expect(reasonOf(' '.repeat(WORKSPACE_TOOL_LIMITS.file + 1))).toContain('the limit is');
    expect(reasonOf(`export const spec = ${'['.repeat(20_000)}`)).not.toBe('');
    expect(reasonOf(`export const spec = ${'['.repeat(50)}${']'.repeat(50)};${RUN}`)).toContain('plain data');
  });
});
