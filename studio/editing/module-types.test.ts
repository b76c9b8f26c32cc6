import { describe, expect, test } from 'vitest';
import { needsReactTypes, resolveModules } from './module-types.ts';

function resolve(files: Record<string, string>, others: string[] = [], hasReactTypes = true) {
  const texts = new Map(Object.entries(files));
  const paths = new Set([...texts.keys(), ...others]);
  const { declarations, missing } = resolveModules({ texts, has: (path) => paths.has(path) }, hasReactTypes);
  return {
    declarations: Object.fromEntries(declarations),
    untyped: declarations.get('/node_modules/untyped.d.ts') ?? '',
    missing: [...missing].flatMap(([path, found]) => found.map(({ specifier }) => `${path} ${specifier}`)),
  };
}

const importing = (...specifiers: string[]): string => specifiers.map((one) => `import '${one}';`).join('\n');

test('an import that cannot be resolved is missing, at its position', () => {
  const text = `import a from "a";\nexport * from './b';\nimport c from '@/c';\nimport d from './style.css';`;
  const texts = new Map([['/src/a.ts', text]]);
  const { missing } = resolveModules({ texts, has: () => false }, true);
  expect(missing.get('/src/a.ts')).toEqual([
    { specifier: 'a', offset: text.indexOf('"a"') },
    { specifier: './b', offset: text.indexOf("'./b'") },
    { specifier: '@/c', offset: text.indexOf("'@/c'") },
    { specifier: './style.css', offset: text.indexOf("'./style.css'") },
  ]);
});

test('workspace modules are found with the extensions and index files that bundlers try', () => {
  const files = {
    '/src/main.ts': importing('./a', './b.js', './c', './d.jsx', '..', '../e.d', './f.mjs', '@/a', '@/g', '/src/a'),
    '/src/a.ts': '',
    '/src/b.ts': '',
    '/src/c/index.tsx': '',
    '/src/d.tsx': '',
    '/index.js': '',
    '/e.d.ts': '',
    '/src/f.mts': '',
    '/g.ts': '',
  };
  expect(resolve(files).missing).toEqual([]);
});

test('files of other types, and paths with queries, are found and typed `any`', () => {
  const files = { '/src/main.ts': "import { html } from './a.md';\nimport raw from './b.ts?raw';\n", '/src/b.ts': '' };
  const { missing, declarations } = resolve(files, ['/src/a.md']);
  expect(missing).toEqual([]);
  expect(declarations['/src/a.md.d.ts']).toMatch(/declare const _0: any; .* export \{ _0 as html \};/);
  expect(declarations['/src/b.ts?raw.d.ts']).toMatch(/export \{ _0 as default \};/);
});

test('the packages of previews and of every manifest are known', () => {
  const files = {
    '/package.json': '{"dependencies":{"express":"5"},"devDependencies":{"@types/node":"24"}}',
    '/packages/a/package.json': '{"peerDependencies":{"@scope/b":"*"},"optionalDependencies":{"@types/scope__c":"1"}}',
    '/broken/package.json': '{"dependencies":',
    '/odd/package.json': '{"dependencies":["x"],"devDependencies":null}',
    '/list/package.json': '[]',
    '/tsconfig.json':
      '{ "compilerOptions": { // a comment\n "paths": { "~lib/*": ["./lib/*"], "config": ["./c.ts"] } } }',
    '/src/a.ts': importing('d3', 'zustand/middleware', 'react', 'react-dom/client', 'express', 'express/lib/a'),
    '/src/b.ts': importing('node:fs', '@scope/b', '@scope/b/part', '@scope/c', 'https://esm.sh/x', '~lib/a', 'config'),
    '/src/c.ts': importing('x', 'fs', '@scope/d', 'react/none', '~other'),
  };
  expect(resolve(files).missing).toEqual([
    '/src/c.ts x',
    '/src/c.ts fs',
    '/src/c.ts @scope/d',
    '/src/c.ts react/none',
    '/src/c.ts ~other',
  ]);
});

test('modules that the workspace declares itself are left alone', () => {
  const files = {
    '/types.d.ts': "declare module 'own' { export const a: number }\ndeclare module '*.vue';",
    '/a.ts': importing('own', 'x.vue', 'other'),
  };
  const { missing, untyped } = resolve(files);
  expect(missing).toEqual(['/a.ts other']);
  expect(untyped).not.toContain('own');
});

test('`@/` resolves to the types of the source folder', () => {
  const files = {
    '/src/pages/main.ts': "import { b } from '@/lib/b';\nimport type { C } from '@/c.js';\nimport d from '@/d';",
    '/src/lib/b/index.ts': '',
    '/src/c.ts': '',
    '/d.tsx': '',
  };
  const { declarations } = resolve(files);
  expect(declarations['/node_modules/@/lib/b.d.ts']).toContain('export * from "../../../src/lib/b/index";');
  expect(declarations['/node_modules/@/c.d.ts']).toContain('export { default } from "../../src/c";');
  expect(declarations['/node_modules/@/d.d.ts']).toContain('export * from "../../d";');
});

test('a name imported from an untyped module is a value, a type and a namespace', () => {
  const { untyped } = resolve({
    '/a.ts': "import x, { type Y as Z, w } from 'gone';\nlet a: Z.Part, b: x.Other; w.call(); other.x.not;",
    '/b.ts': "import * as all from 'gone';\nlet a: all.Type; all.value(); all.default; export { q } from 'gone';",
  });
  expect(untyped).toMatch(/^declare module "gone" \{$/m);
  for (const name of ['default', 'Y', 'w', 'Type', 'value', 'q'])
    expect(untyped).toMatch(
      new RegExp(`const (_\\d+): any; type \\1<.*namespace \\1 \\{.*export \\{ \\1 as ${name} \\};`),
    );
  expect(untyped).toMatch(/export type Part<[^}]*\} export \{ _\d+ as Y \}/);
  expect(untyped).not.toContain('type not<');
});

describe('React', () => {
  test('is `any` if its types could not be loaded', () => {
    const files = { '/a.tsx': "import { useState } from 'react';" };
    expect(resolve(files).untyped).toBe('');
    const { untyped, missing } = resolve(files, [], false);
    expect(untyped).toContain('as useState');
    expect(missing).toEqual([]);
  });

  test.each([
    ['/a.tsx', 'export {}', true],
    ['/a.jsx', '', true],
    ['/a.ts', "import { useState } from 'react';", true],
    ['/a.ts', 'import("react-dom/client")', true],
    ['/a.ts', "import 'preact'; import 'react-router'", false],
  ])('%s with %j needs its types: %s', (path, text, isNeeded) => {
    expect(needsReactTypes(new Map([[path, text]]))).toBe(isNeeded);
  });
});
