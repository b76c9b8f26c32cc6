import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LAYERS } from '../../.dependency-cruiser.mjs';
import { ROOT } from '../lib/run.ts';

/** The most folders in `lib`, and the most dependencies between them. */
const FOLDERS_MAX = 20;
const DEPENDENCIES_MAX = 40;

const TESTS = /\.test\.tsx?$|\/test\//;

const files = globSync(
  ['{app,bin,components,config,hosts,lib,log,models,net,server,studio}/**/*.{ts,tsx,js}', '{proxy,instrumentation}.ts'],
  { cwd: ROOT },
).filter((file) => !TESTS.test(file));

/** The files that each file imports, also later, or starts as workers. */
const imports = new Map(files.map((file) => [file, importsOf(file)]));

function importsOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return [...text.matchAll(/(?:\bfrom|\bimport|\bURL)\s*\(?\s*'([#.][^']+)'/g)]
    .map(([, name = '']) => (name.startsWith('#') ? name.slice(1) : normalize(join(dirname(file), name))))
    .filter((target) => files.includes(target));
}

/** The files that some files need, directly or not. */
function needed(roots: readonly string[]): Set<string> {
  const found = new Set(roots);
  for (const file of found) for (const target of imports.get(file) ?? []) found.add(target);
  return found;
}

const ROUTE = /^app\/.*\/route\.ts$/;

const NEEDED_BY = {
  page: needed(files.filter((file) => file.startsWith('app/') && !ROUTE.test(file) && !file.startsWith('app/api/'))),
  server: needed(files.filter((file) => ROUTE.test(file) || !file.includes('/'))),
  'command line': needed(['hosts/local/main.ts']),
};

/** The row of the layers that a file belongs to. */
const rowOf = (file: string): string | undefined =>
  LAYERS.map(({ folder }) => folder)
    .filter((folder) => file.startsWith(`${folder}/`))
    .sort((one, other) => other.length - one.length)[0];

describe('the layers', () => {
  test('have a row for each file', () => {
    expect(files.filter((file) => file.includes('/') && !file.startsWith('bin/') && rowOf(file) === undefined)).toEqual(
      ['server/services.ts'],
    );
  });

  test('say whom each folder serves', () => {
    const serves = (folder: string) => {
      const own = files.filter((file) => rowOf(file) === folder);
      return Object.entries(NEEDED_BY).flatMap(([name, all]) => (own.some((file) => all.has(file)) ? [name] : []));
    };
    expect(Object.fromEntries(LAYERS.map(({ folder }) => [folder, serves(folder)]))).toEqual(
      Object.fromEntries(LAYERS.map((layer) => [layer.folder, layer.serves])),
    );
  });

  test('import only what is listed before them', () => {
    const names: readonly string[] = LAYERS.map(({ folder }) => folder);
    const backward = LAYERS.flatMap(({ folder, may }) =>
      may.filter((name) => names.indexOf(name) > names.indexOf(folder)).map((name) => `${folder} → ${name}`),
    );
    expect(backward).toEqual([]);
  });
});

test('lib has few folders, and few dependencies between them', () => {
  const folderOf = (file: string) => /^lib\/[^/]+/.exec(file)?.[0];
  const folders = new Set(files.flatMap((file) => folderOf(file) ?? []));
  const pairs = [...imports].flatMap(([file, targets]) => targets.map((target) => [folderOf(file), folderOf(target)]));
  const between = pairs.filter(([from, to]) => from !== undefined && to !== undefined && from !== to);
  expect(folders.size).toBeLessThanOrEqual(FOLDERS_MAX);
  expect(new Set(between.map(String)).size).toBeLessThanOrEqual(DEPENDENCIES_MAX);
  expect(between.length).toBeGreaterThan(500);
});
