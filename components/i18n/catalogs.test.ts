import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { apiTexts } from './api-texts.ts';
import { changeTexts } from './change-texts.ts';
import { commandTexts } from './command-texts.ts';
import { compactionTexts } from './compaction-texts.ts';
import { editorTexts } from './editor-texts.ts';
import { en } from './en.ts';
import { findTexts } from './find-texts.ts';
import { inspectorTexts } from './inspector-texts.ts';
import { LANGUAGES, loadMessages, resolveLocale } from './languages.ts';
import { laterTexts } from './later-texts.ts';
import { markdownTexts } from './markdown-texts.ts';
import { modelTexts } from './model-texts.ts';
import { noticeTexts } from './notice-texts.ts';
import { previewTexts } from './preview-texts.ts';
import { projectTexts } from './project-texts.ts';
import { serverTexts } from './server-texts.ts';
import { settingsTexts } from './settings-texts.ts';
import { threadTexts } from './thread-texts.ts';
import { timelineTexts } from './timeline-texts.ts';
import { toolTexts } from './tool-texts.ts';

/** All texts in English, those of lazy views included. */
const ENGLISH = {
  ...en,
  changes: changeTexts,
  commands: commandTexts,
  compaction: compactionTexts,
  editorView: editorTexts,
  models: modelTexts,
  ...laterTexts,
  find: findTexts,
  inspector: inspectorTexts,
  markdown: markdownTexts,
  notices: noticeTexts,
  preview: previewTexts,
  project: projectTexts,
  settingsDialog: settingsTexts,
  threadList: threadTexts,
  timeline: timelineTexts,
  toolPanel: toolTexts,
  toolServers: serverTexts,
  httpApis: apiTexts,
};

/** The other catalogs. */
const OTHERS = await Promise.all(LANGUAGES.filter(({ locale }) => locale !== 'en').map(({ load }) => load()));

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
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|[\\/]i18n[\\/]/.test(file))
    .flatMap((file) => [
      ...readFileSync(file, 'utf8').matchAll(/\b(?:t|texts|en|messages|useMessages\(\)|\])((?:\??\.\w+)+)/g),
    ])
    .map(([, path = '']) => path.replaceAll('?', ''));
}

test.each(OTHERS)('$locale has the same texts as English, each of the same kind', (catalog) => {
  const kinds = (one: object) => [...textsOf(one)].map(([path, text]) => `${path}: ${typeof text}`).sort();
  expect(kinds(catalog)).toEqual(kinds(ENGLISH));
});

test.each([ENGLISH, ...OTHERS])('no text is empty in $locale', (catalog) => {
  expect([...textsOf(catalog)].filter(([, text]) => text === '').map(([path]) => path)).toEqual([]);
});

test('every text is shown somewhere', () => {
  const used = usedPaths();
  const within = (inner: string, outer: string) => inner === outer || inner.startsWith(`${outer}.`);
  const all = [
    en,
    changeTexts,
    apiTexts,
    commandTexts,
    editorTexts,
    findTexts,
    inspectorTexts,
    laterTexts,
    markdownTexts,
    modelTexts,
    noticeTexts,
    previewTexts,
    projectTexts,
    serverTexts,
    settingsTexts,
    threadTexts,
    timelineTexts,
    toolTexts,
  ].flatMap((texts) => [...textsOf(texts).keys()]);
  const unused = all.filter((path) => !used.some((usedPath) => within(path, usedPath) || within(usedPath, path)));
  expect(unused).toEqual([]);
});

test('every catalog is listed under its own tag', async () => {
  for (const { locale, load } of LANGUAGES) expect((await load()).locale).toBe(locale);
});

test.each([
  ['en', ['zh-CN'], 'en'],
  [null, ['fr-FR', 'zh-TW', 'en'], 'zh-CN'],
  [null, ['EN-gb'], 'en'],
  [null, ['eng', 'fr'], 'en'],
  [null, [], 'en'],
  ['tlh', ['zh'], 'zh-CN'],
])('the choice %j in a browser that prefers %j gives %s', (chosen, browser, locale) => {
  expect(resolveLocale(chosen, browser)).toBe(locale);
});

test('a language that the studio does not speak is English', async () => {
  expect(await loadMessages('tlh')).toBe(en);
});
