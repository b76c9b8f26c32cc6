import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { en } from './en.ts';
import { previewTexts } from './preview-texts.ts';
import { zhCn } from './zh-cn.ts';

/** The page's catalog, and those that come with views of their own. */
const PAIRS = [
  [en, zhCn],
  [previewTexts.en, previewTexts['zh-CN']],
] as const;

const ROOT = join(import.meta.dirname, '..', '..');

/** The texts of a catalog by their paths. A list counts as one text: views go through it whole. */
function textsOf(catalog: object, path = ''): Map<string, unknown> {
  return new Map(
    Object.entries(catalog).flatMap(([key, value]) => {
      const at = `${path}.${key}`;
      const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value);
      return isGroup ? [...textsOf(value, at)] : [[at, value] as const];
    }),
  );
}

/** Paths as the views write them, such as `t.threads.options`: everything at or below one counts as used. */
function usedPaths(): string[] {
  const files = ['components', 'app'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(ROOT, folder, name)),
  );
  return files
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|[\\/]i18n[\\/](en|zh-cn|preview-texts)\.ts$/.test(file))
    .flatMap((file) => [
      ...readFileSync(file, 'utf8').matchAll(/\b(?:t|texts|en|messages|useMessages\(\)|\])((?:\??\.\w+)+)/g),
    ])
    .map(([, path = '']) => path.replaceAll('?', ''));
}

test('both catalogs have the same texts, each of the same kind', () => {
  const kinds = (catalog: object) => [...textsOf(catalog)].map(([path, text]) => `${path}: ${typeof text}`).sort();
  for (const [one, other] of PAIRS) expect(kinds(other)).toEqual(kinds(one));
});

test('no text is empty', () => {
  for (const catalog of PAIRS.flat()) {
    expect([...textsOf(catalog)].filter(([, text]) => text === '').map(([path]) => path)).toEqual([]);
  }
});

test('every text is shown somewhere', () => {
  const used = usedPaths();
  const within = (inner: string, outer: string) => inner === outer || inner.startsWith(`${outer}.`);
  const unused = PAIRS.flatMap(([one]) => [...textsOf(one).keys()]).filter(
    (path) => !used.some((usedPath) => within(path, usedPath) || within(usedPath, path)),
  );
  expect(unused).toEqual([]);
});
