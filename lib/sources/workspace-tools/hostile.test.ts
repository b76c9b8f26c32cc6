import { describe, expect, test } from 'vitest';
import { readWorkspaceTool } from './workspace-tool-file.ts';

const PATH = '/.roundtrip/tools/a.js';
const TOOL = 'export const spec = { description: "a" };\nexport function run() {}\n';
const many = (count: number, part: (n: number) => string) => Array.from({ length: count }, (_, n) => part(n)).join('');

describe('a file that nobody has looked at does not hold up the page', () => {
  test.each<[string, string, string | undefined]>([
    ['many names', many(18_000, (n) => `let a${n};`), undefined],
    ['many exports', many(9_000, (n) => `export let a${n}=1;`), undefined],
    ['many functions', many(9_000, (n) => `function a${n}(){}`), undefined],
    ['many arguments', `function f(${many(30_000, (n) => `a${n},`)}){}`, undefined],
    ['names in deep blocks', `${'{'.repeat(3_000)}${many(15_000, (n) => `var a${n};`)}${'}'.repeat(3_000)}`, 'deeply'],
    [
      'names in blocks that are just not too deep',
      `${'{'.repeat(195)}${many(13_000, (n) => `var a${n};`)}${'}'.repeat(195)}`,
      'nested blocks',
    ],
    ['deep parentheses', '('.repeat(190_000), 'stack space'],
    ['a regular expression with one name for many groups', `/${'(?<a>b)|'.repeat(20_000)}b/u`, undefined],
  ])('with %s', (_, code, reason) => {
    const startedAt = performance.now();
    const read = readWorkspaceTool(PATH, TOOL + code);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    if (reason === undefined) expect(read).toMatchObject({ name: 'a' });
    else expect(read).toMatchObject({ reason: expect.stringContaining(reason) });
  });
});

test('a file is read again only when it has changed', () => {
  const first = readWorkspaceTool(PATH, TOOL);
  expect(readWorkspaceTool(PATH, TOOL)).toBe(first);
  expect(readWorkspaceTool(PATH, `${TOOL} `)).not.toBe(first);
  expect(readWorkspaceTool('/.roundtrip/tools/b.js', TOOL)).toMatchObject({ name: 'b' });
});

test('a name that is declared twice is still named with its line', () => {
  for (const twice of ['let b; let b;', 'let b; var b;', 'function f(){ let c; { var c; } }', 'let f; function f(){}'])
    expect(readWorkspaceTool(PATH, `${TOOL}${twice}`)).toMatchObject({
      reason: expect.stringMatching(/^Line 3: Identifier '.' has already been declared/),
    });
});

test('lines and columns stay as they are without “export”', () => {
  const read = readWorkspaceTool(PATH, `${TOOL}  export const x = 1;`);
  expect('body' in read && read.body).toBe(
    '       const spec = { description: "a" };\n       function run() {}\n         const x = 1;',
  );
});
