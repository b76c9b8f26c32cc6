import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostileDocuments, RAN } from '#lib/documents/test/hostile-documents.ts';
import { startCountingServer } from '../lib/counting-server.ts';
import { expect, test } from '../lib/fixtures.ts';
import { longestTasks, watchLongTasks } from '../lib/long-tasks.ts';
import { prompt } from '../lib/prompt.ts';

/** The longest task of the page that a document may cause, in milliseconds, on a machine that has nothing else to do. */
const TASK_MAX_MS = 200;

/** The most memory of the page's own thread that may remain after all documents, in bytes. */
const HEAP_MAX_BYTES = 300_000_000;

test('hostile documents load nothing, run nothing, and hold up neither the page nor their message', async ({
  studio,
  bench,
  page,
}) => {
  test.setTimeout(900_000);
  const elsewhere = await startCountingServer();
  const documents = hostileDocuments(`http://127.0.0.1:${elsewhere.port}`);
  const folder = mkdtempSync(join(tmpdir(), 'hostile-documents-'));
  const faults: string[] = [];
  page.on('dialog', (dialog) => {
    faults.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.context().on('page', (opened) => faults.push(`a window: ${opened.url()}`));
  /** The longest task of each document, in milliseconds, divided by the factor by which others slow it down. */
  const tasks: Record<string, number> = {};
  const attach = (path: string) => page.locator('input[type=file]').first().setInputFiles(path);
  try {
    await studio.open();
    const longTasks = await watchLongTasks(page);
    for (const { name, file, data, expected } of documents) {
      const question = prompt(name);
      await page.getByRole('button', { name: 'New thread' }).click();
      await longTasks.clear();
      const path = join(folder, file);
      writeFileSync(path, data());
      await attach(path);
      const remove = page.getByRole('button', { name: `Remove ${file}` });
      const refused = page.getByText(`${file} is neither an image nor text`);
      await expect(remove.or(refused), name).toBeVisible({ timeout: 40_000 });
      const isAttached = await remove.isVisible();
      await studio.say(question);
      // A message waits until its documents have been read.
      await expect.poll(() => bench.model.requestsWith(question).length, { message: name, timeout: 60_000 }).toBe(1);
      await studio.settled();
      const [request] = bench.model.requestsWith(question);
      const sent = JSON.stringify(request?.messages.findLast(({ role }) => role === 'user')?.content);
      if (isAttached && file !== 'a.zip' && name !== 'a document that is text' && !expected.test(sent))
        faults.push(`${name}: sent as ${sent.slice(0, 300)}`);
      if (sent.includes('base64') || sent.includes('root:')) faults.push(`${name}: sent as bytes, or as another file`);
      tasks[name] = await longTasks.longest(TASK_MAX_MS);
      if (await page.evaluate((ran) => ran in globalThis, RAN)) faults.push(`${name}: something in it ran`);
      for (const hit of elsewhere.hits.splice(0)) faults.push(`${name}: reached the other server: ${hit}`);
    }
    // A file of 500 MB is refused before it is read, and the message goes without it.
    const path = join(folder, 'large.pdf');
    const large = openSync(path, 'w');
    writeSync(large, '%PDF-1.7\n');
    ftruncateSync(large, 500_000_000);
    closeSync(large);
    await attach(path);
    await expect(page.getByText('large.pdf is larger than 100 MB')).toBeVisible();
    const question = prompt('without the large one');
    await studio.say(question);
    await expect.poll(() => bench.model.requestsWith(question).length).toBe(1);
    await studio.settled(2);
    const { usedSize } = await (await page.context().newCDPSession(page)).send('Runtime.getHeapUsage');
    console.log(`Memory of the page's thread: ${Math.round(usedSize / 1_000_000)} MB`);
    expect(usedSize).toBeLessThan(HEAP_MAX_BYTES);
  } finally {
    await elsewhere.stop();
    rmSync(folder, { recursive: true });
  }
  const slow = Object.entries(tasks).filter(([, ms]) => ms > TASK_MAX_MS);
  console.log(`Longest tasks: ${longestTasks(tasks)}`);
  expect(documents.length).toBeGreaterThanOrEqual(30);
  expect(faults).toEqual([]);
  expect(slow).toEqual([]);
});
