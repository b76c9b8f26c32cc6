import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { en } from '#components/i18n/en.ts';
import { serverEnvSchema } from '#config/env.ts';
import { PROVIDERS } from '#models/providers/providers.ts';
import { ROOT } from '#scripts/lib/run.ts';
import { expect, test } from './lib/fixtures.ts';
import { prompt } from './lib/prompt.ts';
import { openSettings } from './lib/studio-page.ts';

/**
 * The most that a first visit may load until the chat is usable, in bytes. It is not raised: whatever is new and not
 * needed for the first message is loaded later.
 */
const FIRST_LOAD_BUDGET = 319 * 1024;

/** Code that is loaded only on demand, each with a text that occurs only in it. */
const LAZY = {
  editor: 'monaco-aria-container',
  highlighter: 'ShikiError',
  markdown: 'footnoteReference',
  zip: 'invalid zip data',
};

test('the first visit stays within its budget, without editor, highlighting, markdown or zip', async ({
  page,
  studio,
}) => {
  const loaded = collectScripts(page);
  await keepIdleWork(page);
  await page.goto('/');
  await expect(studio.message).toBeEditable();
  await expect(page.getByRole('combobox', { name: 'Model', exact: true })).toContainText('scripted');
  await page.waitForLoadState('networkidle');
  const scripts = [...(await loaded()).entries()];
  const weights = scripts.map(([name, body]) => ({ name, bytes: weigh(body) })).sort((a, b) => b.bytes - a.bytes);
  const total = weights.reduce((sum, { bytes }) => sum + bytes, 0);
  const list = weights.map(({ name, bytes }) => `${kib(bytes)}  ${name}`).join('\n');
  expect(weights.length, 'scripts of the first visit').toBeGreaterThan(3);
  expect(total, `${kib(total)} of JavaScript, compressed:\n${list}\n`).toBeLessThanOrEqual(FIRST_LOAD_BUDGET);
  for (const [part, marker] of Object.entries(LAZY)) {
    const carriers = scripts.filter(([, body]) => body.includes(marker)).map(([name]) => name);
    expect(carriers, `scripts of the first visit that carry the ${part}`).toEqual([]);
  }
});

test('editor, highlighting, markdown and zip are loaded when needed, and nothing from other sites', async ({
  page,
  studio,
  bench,
}) => {
  const question = prompt('Show me code');
  bench.model.script(question, [{ text: 'Here it is:\n\n```ts\nexport const answer = 42;\n```\n' }]);
  const origins = new Set<string>();
  page.context().on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== 'blob:' && protocol !== 'data:') origins.add(origin);
  });
  const loaded = collectScripts(page);
  const arrives = (part: keyof typeof LAZY) =>
    expect
      .poll(async () => [...(await loaded()).values()].some((body) => body.includes(LAZY[part])), {
        message: `the ${part} is loaded`,
        timeout: 20_000,
      })
      .toBe(true);
  await keepIdleWork(page);
  await studio.open({ files: { '/a.ts': 'export const a = 1;' } });
  await studio.say(question);
  await expect(studio.answers.locator('pre span[style*="--syntax"]').first()).toBeVisible();
  await arrives('markdown');
  await arrives('highlighter');
  // The file pane is loaded when it is first shown.
  await page.getByRole('region', { name: 'Files' }).hover();
  await studio.files.getByRole('treeitem', { name: 'a.ts' }).click();
  await expect(studio.editor.locator('.view-lines')).toContainText('export const a', { timeout: 20_000 });
  await arrives('editor');
  await openSettings(page, 'Data');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save a backup' }).click();
  await saved;
  await arrives('zip');
  expect([...origins]).toEqual([bench.url]);
});

test.describe('no server code is in any file for browsers', () => {
  const forBrowsers = readCode('.next/static');
  const forServer = readCode('.next/server');
  const inServerBundle = [
    { what: 'config', marker: 'The environment variables are invalid' },
    { what: 'server/graph', marker: 'The graph was run without its context.' },
    { what: 'server/http', marker: 'unknown-host' },
    { what: 'models', marker: 'is listed twice; give one of them another id' },
    { what: 'server/runs', marker: 'The server has a different state of this thread.' },
  ];
  for (const { what, marker } of inServerBundle) {
    test(what, () => {
      expect(filesWith(forServer, marker), 'control: the server has it').not.toEqual([]);
      expect(filesWith(forBrowsers, marker)).toEqual([]);
    });
  }

  test('the names of its variables', () => {
    const names = serverVariables();
    expect(
      names.filter((name) => filesWith(forServer, name).length === 0),
      'control: the server has them',
    ).toEqual([]);
    expect(names.filter((name) => filesWith(forBrowsers, name).length > 0)).toEqual([]);
  });

  // Packages that the server loads unbundled, so that their code is in no bundle.
  for (const [name, marker] of [
    ['ai', 'AI_NoOutputGeneratedError'],
    ['@ai-sdk/anthropic', 'api.anthropic.com'],
    ['@ai-sdk/google', 'generativelanguage.googleapis.com'],
    ['@ai-sdk/openai', 'api.openai.com'],
    ['@langchain/core', 'lc_serializable'],
    ['@langchain/langgraph', '__pregel_'],
    ['pg', 'Client has encountered a connection error'],
    ['pino', 'must be included in custom levels'],
    ['prom-client', 'Prometheus'],
    ['undici', 'UND_ERR_'],
  ] as const) {
    test(name, () => {
      expect(filesWith(readCode(`node_modules/${name}`), marker), 'control: the package has it').not.toEqual([]);
      expect(filesWith(forServer, name), 'control: the server loads it').not.toEqual([]);
      expect(filesWith(forBrowsers, marker)).toEqual([]);
      // Next.js adds a hash to the name of a package that is not bundled.
      expect(filesWith(forBrowsers, `"${name}-`)).toEqual([]);
      // That of the AI SDK is also that of a file type.
      if (name !== 'ai') expect(filesWith(forBrowsers, `"${name}"`)).toEqual([]);
    });
  }
});

test('no build has source maps', () => {
  const files = readdirSync(join(ROOT, '.next'), { recursive: true, encoding: 'utf8' });
  expect(files.length).toBeGreaterThan(100);
  const maps = files.filter((file) => file.endsWith('.map') && !/^(cache|dev|node_modules)\//.test(file));
  // Turbopack writes an empty one.
  const bytes = maps.reduce((sum, file) => sum + statSync(join(ROOT, '.next', file)).size, 0);
  expect(bytes).toBeLessThan(1_000);
});

/** The variables that only the server knows. The studio's texts mention a few that hold keys. */
function serverVariables(): string[] {
  const keys = PROVIDERS.flatMap(({ keyVariables }) => keyVariables);
  // A single-word name such as HOST could mean anything.
  return [...Object.keys(serverEnvSchema.shape), ...keys].filter(
    (name) => name.includes('_') && !en.empty.key.includes(name),
  );
}

/** Every script that the page loads from the studio, as text by file name. */
function collectScripts(page: Page): () => Promise<Map<string, string>> {
  const scripts: Promise<[string, string]>[] = [];
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (!pathname.startsWith('/_next/static/') || !pathname.endsWith('.js')) return;
    const script = response.text().then((body): [string, string] => [basename(pathname), body]);
    // Ignore a script that still arrives when the test is over.
    script.catch(() => undefined);
    scripts.push(script);
  });
  return async () => new Map(await Promise.all(scripts));
}

/** Prevents preloading, which starts once the page is usable and idle: only what is needed is loaded then. */
async function keepIdleWork(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.requestIdleCallback = () => 0;
  });
}

/** The size in bytes with `gzip` at its usual level, so that the number does not depend on this server's settings. */
const weigh = (body: string): number => gzipSync(body, { level: 6 }).byteLength;

const kib = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KiB`;

/** The scripts below a folder, by path. */
function readCode(folder: string): Map<string, string> {
  const paths = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  const scripts = paths.filter((path) => /\.[cm]?js$/.test(path));
  return new Map(scripts.map((path) => [path, readFileSync(join(ROOT, folder, path), 'utf8')]));
}

const filesWith = (files: ReadonlyMap<string, string>, marker: string): string[] =>
  [...files].flatMap(([path, code]) => (code.includes(marker) ? [path] : []));
