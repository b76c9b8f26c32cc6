import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { downloadOf } from '#components/test/browser.ts';
import { test } from '#components/test/studio-test.ts';
import { importFiles } from './test/import-files.ts';

const zipOf = (entries: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(entries).map(([name, text]) => [name, strToU8(text)])));

test('a zip is unpacked, asks about existing files, and can be saved again', async ({ studio }) => {
  await studio.open({ files: { '/src/a.ts': 'mine' } });
  await importFiles([{ name: 'project.zip', content: zipOf({ 'src/a.ts': 'theirs', 'src/b.ts': 'b', 'empty/': '' }) }]);
  const dialog = page.getByRole('dialog', { name: 'Import files' });
  await expect.element(dialog).toContainText('/src/a.ts');
  await dialog.getByRole('button', { name: 'Keep existing' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(Object.fromEntries(await studio.workspace())).toEqual({ '/src/a.ts': 'mine', '/src/b.ts': 'b' });
  await page.getByRole('button', { name: /^Workspace: / }).click();
  const { blob } = await downloadOf(() => page.getByRole('menuitem', { name: 'Download all as zip' }).click());
  const saved = unzipSync(await blob.bytes());
  expect(Object.entries(saved).map(([name, data]) => [name, strFromU8(data)])).toEqual([
    ['src/a.ts', 'mine'],
    ['src/b.ts', 'b'],
    ['empty/', ''],
  ]);
});

for (const [name, entries, reason] of [
  ['an absolute path', { 'ok.txt': 'x', '/etc/passwd': 'x' }, 'the absolute path'],
  ['a path that leads out', { 'ok.txt': 'x', '../../up.txt': 'x' }, 'points outside the folder'],
] as const) {
  test(`a zip with ${name} is rejected as a whole`, async ({ studio }) => {
    await studio.open({ files: { '/a.txt': 'a' } });
    await importFiles([{ name: 'bad.zip', content: zipOf(entries) }]);
    await expect.element(page.getByRole('dialog')).toContainText('Import failed');
    await expect.element(page.getByRole('dialog')).toContainText(reason);
    expect(Object.fromEntries(await studio.workspace())).toEqual({ '/a.txt': 'a' });
  });
}

test('a zip with plain relative names is imported, an empty one says so', async ({ studio }) => {
  await studio.open();
  await importFiles([{ name: 'dots.zip', content: zipOf({ './': '', './a/': '', './a/b.txt': 'b' }) }]);
  await expect.poll(async () => Object.fromEntries(await studio.workspace())).toMatchObject({ '/a/b.txt': 'b' });
  await importFiles([{ name: 'empty.zip', content: zipOf({}) }]);
  await expect.element(page.getByRole('dialog')).toContainText('it’s empty');
});

test('a zip that unpacks to too much, and an invalid one, are rejected', async ({ studio }) => {
  await studio.open();
  const bomb = zipSync({ 'bomb.bin': new Uint8Array(1_000) });
  // The uncompressed size in the central directory, 24 bytes after its signature.
  const directory = new DataView(bomb.buffer);
  for (let at = 0; at + 4 < bomb.length; at++)
    if (directory.getUint32(at, true) === 0x02014b50) directory.setUint32(at + 24, 600_000_000, true);
  await importFiles([{ name: 'bomb.zip', content: bomb }]);
  await expect.element(page.getByRole('dialog')).toContainText('it unpacks to more than 500 MB');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().click();
  await importFiles([{ name: 'no.zip', content: 'this is no zip' }]);
  await expect.element(page.getByRole('dialog')).toContainText('the zip file is damaged');
  expect((await studio.workspace()).size).toBe(0);
});
