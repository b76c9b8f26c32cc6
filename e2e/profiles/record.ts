// Records the data that this version of the studio stores, for tests of later versions: npm run profile -- <name>
import 'fake-indexeddb/auto';
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Page } from '@playwright/test';
import { TestBench } from '#e2e/lib/bench.ts';
import { openSettings, StudioPage } from '#e2e/lib/studio-page.ts';
import { WorkspaceHistory } from '#lib/vfs/history.ts';
import { IndexedDbStorage } from '#lib/vfs/indexeddb/indexeddb-storage.ts';
import { TreeFileSystem } from '#lib/vfs/tree-file-system.ts';
import { launchOptions } from '#scripts/lib/browser.ts';
import { ensureBuild } from '#scripts/lib/build.ts';
import { type BrowserData, readBrowserData, writeBrowserData } from './browser-data.ts';
import { readStudio, readWorkspace } from './stored.ts';

const [name] = process.argv.slice(2);
if (name === undefined) {
  console.error('Name the profile, for instance after the commit: npm run profile -- 4b5e298');
  process.exit(2);
}
const folder = resolve(import.meta.dirname, name);
if (existsSync(folder)) {
  console.error(`${folder} is there already. A profile is never recorded again; choose another name.`);
  process.exit(2);
}

const call = (tool: string, input: object) => ({ name: tool, arguments: JSON.stringify(input) });

const TEXT = Array.from({ length: 40 }, (_, n) => `export const value${n} = ${n};`).join('\n');
/** Larger than one record of the log, and large enough for Chromium to store it as a file. */
const [LONG, LONGER] = ['0123456789abcdef'.repeat(2_500), 'ABCDEFGHIJKLMNOP'.repeat(6_000)];
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

await ensureBuild();
const bench = await TestBench.start();
const browser = await chromium.launch(launchOptions());
try {
  const context = await browser.newContext({
    baseURL: bench.url,
    locale: 'en-US',
    viewport: { width: 1440, height: 900 },
  });
  const page = await context.newPage();
  const studio = new StudioPage(page);
  await page.goto('/');
  await studio.choose('Model', 'scripted');
  await recordSettled(studio);
  await recordBranches(studio);
  await recordFailed(studio);
  await recordInMidAnswer(studio);
  await recordWaiting(studio);
  await recordInMidCall(studio);
  // The state that is shown last is stored, too.
  await sleep(1_500);
  mkdirSync(folder, { recursive: true });
  await saveBackup(page, join(folder, 'backup.zip'));
  // The state if the browser were killed at this very moment: nothing has finished.
  const data = await page.evaluate(readBrowserData, undefined);
  writeFileSync(join(folder, 'browser.json'), `${JSON.stringify(data)}\n`);
  bench.model.open('mid-answer');
} finally {
  await browser.close();
  await bench.stopStudio();
}
execFileSync(process.execPath, [
  '--no-warnings',
  '-e',
  `const { DatabaseSync } = require('node:sqlite');
   new DatabaseSync(process.argv[1]).exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE; VACUUM');`,
  join(bench.folder, 'checkpoints.db'),
]);
writeFileSync(join(folder, 'log.json'), `${JSON.stringify(await recordLog())}\n`);
writeFileSync(join(folder, 'expected.json'), `${JSON.stringify(await readAll(), null, 1)}\n`);
copyFileSync(join(bench.folder, 'checkpoints.db'), join(folder, 'checkpoints.db'));
await bench.stop();

/** Files of every kind and their history, part of it deleted; a grant for the thread, and one for all threads. */
async function recordSettled(studio: StudioPage): Promise<void> {
  const { page } = studio;
  bench.model.script('Make a project', [
    { reasoning: 'I write the first files.', calls: [call('write_file', { path: '/src/app.ts', content: TEXT })] },
    {
      text: 'Now many at once.',
      calls: [
        call('execute_bash', {
          command:
            'mkdir -p many/sub; for i in $(seq 100); do echo "file $i" > many/f$i.txt; done; ln -s src/app.ts link',
        }),
      ],
    },
    { calls: [call('write_file', { path: '/long.txt', content: LONG })] },
    { text: 'The project is there.', usage: { prompt_tokens: 321, completion_tokens: 45 } },
  ]);
  bench.model.script('Change it', [
    {
      calls: [
        call('edit_file', { path: '/src/app.ts', find: 'value7 = 7;', replace: 'value7 = 70;' }),
        call('copy_path', { from: '/src', to: '/copy' }),
      ],
    },
    { calls: [call('write_file', { path: '/longer.txt', content: LONGER })] },
    {
      calls: [
        call('delete_path', { path: '/many', recursive: true }),
        call('move_path', { from: '/long.txt', to: '/docs/long.txt' }),
      ],
    },
    { calls: [call('browser_js_eval', { code: 'console.log("hello"); ({ sum: 1 + 2, list: [1, 2, 3] })' })] },
    { calls: [call('read_file', { path: '/no-such-file' })] },
    { text: 'It is changed. **Done.**' },
  ]);
  await attach(page, { name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(PNG, 'base64') });
  await studio.say('Make a project');
  await page.getByRole('button', { name: 'Always allow', exact: true }).click();
  await studio.settled(1);
  await studio.openSettings('General');
  await page.getByRole('combobox', { name: 'Theme' }).click();
  await page.getByRole('option', { name: 'Dark' }).click();
  await page.getByRole('textbox', { name: 'Default system prompt' }).fill('You answer in one sentence.');
  await page.getByRole('tab', { name: 'Data' }).click();
  await page.getByRole('combobox', { name: 'History to delete' }).click();
  await page.getByRole('option', { name: 'All history' }).click();
  await page.getByRole('button', { name: 'Delete history' }).click();
  await page
    .getByRole('dialog', { name: 'Delete all history?' })
    .getByRole('button', { name: 'Delete history' })
    .click();
  await page.getByText('freed; the browser may free more later').waitFor();
  await page.keyboard.press('Escape');
  await studio.say('Change it');
  await studio.allow.click();
  await studio.settled(2);
}

async function recordBranches(studio: StudioPage): Promise<void> {
  const { page } = studio;
  await newThread(studio);
  bench.model.script('Write one', [
    [
      { calls: [call('write_file', { path: '/one.txt', content: 'one, first try' })] },
      { calls: [call('write_file', { path: '/one.txt', content: 'one, second try' })] },
    ],
    { text: 'Written.' },
  ]);
  bench.model.script('Write two', [
    { calls: [call('write_file', { path: '/two.txt', content: 'two' })] },
    { text: 'Two it is.' },
  ]);
  await studio.say('Write one');
  await studio.settled(1);
  await page.getByRole('button', { name: 'Regenerate' }).click();
  await studio.settled(2);
  const own = page.getByRole('article', { name: 'You' });
  await own.hover();
  await own.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('textbox', { name: 'Edit message' }).fill('Write two');
  await page.getByRole('textbox', { name: 'Edit message' }).press('Enter');
  await studio.settled(3);
}

/** The model fails to answer a message with a text file. */
async function recordFailed(studio: StudioPage): Promise<void> {
  await newThread(studio);
  await attach(studio.page, { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('remember the milk') });
  await studio.say('Fail');
  await studio.settled(1);
}

/** The server is answering, and the next message waits for that. */
async function recordInMidAnswer(studio: StudioPage): Promise<void> {
  await newThread(studio);
  bench.model.script('Take your time', [
    { text: 'This takes a while, and ends later.', hold: { after: 10, gate: 'mid-answer' } },
  ]);
  bench.model.script('And then?', [{ text: 'Then this.' }]);
  await studio.say('Take your time');
  await studio.answers.getByText('This takes').waitFor();
  await studio.say('And then?');
  await studio.page.getByText('Queued until the current answer is done').waitFor();
}

/** A call waits for the user's decision. */
async function recordWaiting(studio: StudioPage): Promise<void> {
  await newThread(studio);
  bench.model.script('Compute', [{ calls: [call('browser_js_eval', { code: '6 * 7' })] }, { text: 'It is 42.' }]);
  await studio.say('Compute');
  await studio.allow.waitFor();
}

/** A call is running. */
async function recordInMidCall(studio: StudioPage): Promise<void> {
  await newThread(studio);
  bench.model.script('Wait', [
    { calls: [call('browser_js_eval', { code: 'await new Promise(() => {})', timeout: 120 })] },
    { text: 'I waited.' },
  ]);
  await studio.say('Wait');
  await studio.allow.click();
  await studio.call('browser_js_eval').getByText('running', { exact: true }).waitFor();
}

/**
 * A workspace's database in a state too short-lived to catch in a browser: commits that share a record, and folders
 * recorded alone that were deleted and restored.
 */
async function recordLog(): Promise<BrowserData> {
  const storage = await IndexedDbStorage.open('log');
  const fileSystem = new TreeFileSystem(storage);
  const history = new WorkspaceHistory(storage, fileSystem);
  const person = { type: 'person' } as const;
  const write = (path: string, text: string) =>
    fileSystem.transaction(person, async (tx) => tx.writeFile(path, new TextEncoder().encode(text)));
  await fileSystem.transaction(person, async (tx) => {
    for (const folder of ['gone', 'back'])
      for (let n = 0; n < 80; n++) tx.writeFile(`/${folder}/sub/f${n}`, new TextEncoder().encode(`${folder} ${n}`));
    tx.symlink('/gone/sub', '/link');
  });
  await storage.compact();
  await Promise.all(Array.from({ length: 20 }, (_, n) => write(`/together/f${n % 5}`, `text ${n}`)));
  const point = history.sequence;
  await fileSystem.transaction(person, async (tx) => tx.rm('/back', { recursive: true }));
  await history.restore(person, point);
  await fileSystem.transaction(person, async (tx) => tx.rm('/gone', { recursive: true }));
  const data = await readBrowserData();
  storage.close();
  return data;
}

/** The whole profile as this version reads it. */
async function readAll(): Promise<object> {
  await writeBrowserData({ ...JSON.parse(readFileSync(join(folder, 'browser.json'), 'utf8')), localStorage: [] });
  const workspaces: Record<string, unknown> = {};
  for (const { name: database = '' } of await indexedDB.databases())
    if (database.startsWith('roundtrip-workspace')) workspaces[database] = await readWorkspace(database);
  return { studio: await readStudio(), workspaces };
}

async function attach(page: Page, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
  await page.locator('input[type=file]').first().setInputFiles(file);
  await page.getByRole('button', { name: `Remove ${file.name}` }).waitFor();
}

async function newThread(studio: StudioPage): Promise<void> {
  await studio.page.getByRole('button', { name: 'New thread' }).click();
  await studio.answers.first().waitFor({ state: 'hidden' });
  await studio.choose('Model', 'scripted');
}

async function saveBackup(page: Page, file: string): Promise<void> {
  await openSettings(page, 'Data');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save a backup' }).click();
  await (await download).saveAs(file);
  await page.keyboard.press('Escape');
}
