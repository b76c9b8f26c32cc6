import { describe, expect, test } from 'vitest';
import { importsOf } from './module-imports.ts';

/** Imports in short form: the specifier, then each name with its local name. */
const read = (text: string, jsx = false): string[] =>
  importsOf(text, { jsx }).map(({ specifier, bindings }) =>
    [specifier, ...bindings.map(({ name, local }) => (local === undefined ? name : `${name}:${local}`))].join(' '),
  );

test.each([
  ["import 'a';", 'a'],
  ["import a from 'a';", 'a default:a'],
  ["import type from 'a';", 'a default:type'],
  ["import type A from 'a';", 'a default:A'],
  ["import type { A, B as C } from 'a';", 'a A:A B:C'],
  ["import type * as A from 'a';", 'a *:A'],
  ["import { type A, type as B, type } from 'a';", 'a A:A type:B type:type'],
  ['import a, { default as b, "odd name" as c, } from "a";', 'a default:a default:b odd name:c'],
  ["import a, * as b from 'a'", 'a default:a *:b'],
  ["import {\n  // one\n  a, /* two */\n  b\n} from 'a'", 'a a:a b:b'],
  ["import{a}from'a';", 'a a:a'],
  ["import a = require('a');", 'a *:a'],
  ["import data from './a.json' with { type: 'json' };", './a.json default:data'],
  ["export * from 'a';", 'a'],
  ["export * as b from 'a';", 'a'],
  ["export type { A, B as C } from 'a';", 'a A B'],
  ["const a = await import('a');", 'a'],
  ["type A = import('a').B<string>;", 'a B'],
  ["function f() { return import('a').then((m) => m.b); }", 'a'],
])('%s', (text, expected) => {
  expect(read(text)).toEqual([expected]);
});

test.each([
  ["// import a from 'a';"],
  ["/*\nimport a from 'a';\n*/"],
  ["const text = `\nimport a from 'a';\n`;"],
  ['const text = "import a from \'a\'";'],
  [`const text = \`\${\`\nimport a from 'a';\n\`}\`;`],
  ['import.meta.url'],
  ["loader.import('a')"],
  ['import(name)'],
  ['export const from = 1;'],
  ['export { a, b };'],
  ["export type A = { from: 'a' };"],
  ['const a = { import: 1, export: 2 };'],
  ['import {'],
  ['export'],
])('%s has none', (text) => {
  expect(read(text)).toEqual([]);
});

describe('in JSX', () => {
  test('JSX text is not code, but expressions in braces are', () => {
    const text = [
      "import { a } from 'a';",
      "const b = <p title='x'>don't import x from 'no'; {lazy(() => import('c'))} `</p>;",
      "import d from 'd';",
    ].join('\n');
    expect(read(text, true)).toEqual(['a a:a', 'c', 'd default:d']);
  });

  test('the offset is that of the literal', () => {
    const text = "const é = <b>import</b>;\nimport x from 'x';";
    expect(importsOf(text, { jsx: true })).toMatchObject([{ offset: text.indexOf("'x'") }]);
  });
});
