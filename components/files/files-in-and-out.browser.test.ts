import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { expect, onTestFinished } from 'vitest';
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

test('a zip with names that Windows does not have says so, and can be imported again', async ({ studio }) => {
  await studio.open({ files: { '/a:b.txt': 'a', '/con.txt': 'b', '/Readme.md': 'c', '/README.md': 'd' } });
  await page.getByRole('button', { name: /^Workspace: / }).click();
  const { blob } = await downloadOf(() => page.getByRole('menuitem', { name: 'Download all as zip' }).click());
  const dialog = page.getByRole('dialog', { name: 'Download as zip' });
  await expect.element(dialog).toContainText('Windows doesn’t allow these names:');
  for (const name of ['a:b.txt', 'con.txt']) await expect.element(dialog).toContainText(name);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await studio.open({ files: { '/other.txt': 'x' } });
  await importFiles([{ name: 'mine.zip', content: await blob.bytes() }]);
  await expect.poll(async () => (await studio.workspace()).get('/a:b.txt')).toBe('a');
  expect((await studio.workspace()).size).toBe(5);
});

test('a zip with paths that cannot be imported has them named, and the others imported', async ({ studio }) => {
  await studio.open({ files: { '/a.txt': 'a', '/taken/x.txt': 'x' } });
  const entries = {
    'ok.txt': 'x',
    '/etc/passwd': 'x',
    '../../up.txt': 'x',
    taken: 'x',
    '__MACOSX/._ok.txt': 'x',
    '._ok.txt': '\0\x05\x16\x07',
  };
  await importFiles([{ name: 'bad.zip', content: zipOf({ ...entries, 'd/.DS_Store': 'x', '._a.txt': 'z' }) }]);
  const dialog = page.getByRole('dialog', { name: 'Import files' });
  // A folder is in the place of one of them.
  await dialog.getByRole('button', { name: 'Replace' }).click();
  await expect.element(dialog).toContainText('2 files were imported.');
  await expect.element(dialog).toContainText('3 files weren’t imported:');
  await expect.element(dialog).toHaveText(/\/etc\/passwd\s*has an absolute path/);
  await expect.element(dialog).toHaveText(/\.\.\/\.\.\/up\.txt\s*points outside the folder/);
  await expect.element(dialog).toHaveText(/\/taken\s*has a name that’s already in use/);
  await expect.element(dialog).toContainText('3 macOS system files were left out.');
  expect(Object.fromEntries(await studio.workspace())).toEqual({
    '/._a.txt': 'z',
    '/a.txt': 'a',
    '/ok.txt': 'x',
    '/taken/x.txt': 'x',
  });
});

test('a file that cannot be read keeps no other file out, and is named', async ({ studio }) => {
  await studio.open();
  const { arrayBuffer } = Blob.prototype;
  onTestFinished(() => {
    Blob.prototype.arrayBuffer = arrayBuffer;
  });
  Blob.prototype.arrayBuffer = function read(this: Blob) {
    if (this instanceof File && this.name === 'gone.txt')
      return Promise.reject(new DOMException('It is gone.', 'NotFoundError'));
    return arrayBuffer.call(this);
  };
  const files = Array.from({ length: 20 }, (_, n) => ({ name: `${n}.txt`, content: `${n}` }));
  await importFiles([...files, { name: 'gone.txt', content: 'x' }]);
  const dialog = page.getByRole('dialog', { name: 'Import files' });
  await expect.element(dialog).toContainText('20 files were imported.');
  await expect.element(dialog).toHaveText(/gone\.txt\s*can’t be read/);
  await dialog.getByRole('button', { name: 'Close' }).first().click();
  expect((await studio.workspace()).size).toBe(20);
});

test('a zip with plain relative names is imported, an empty one says so', async ({ studio }) => {
  await studio.open();
  await importFiles([{ name: 'dots.zip', content: zipOf({ './': '', './a/': '', './a/b.txt': 'b' }) }]);
  await expect.poll(async () => Object.fromEntries(await studio.workspace())).toMatchObject({ '/a/b.txt': 'b' });
  await importFiles([{ name: 'empty.zip', content: zipOf({}) }]);
  await expect.element(page.getByRole('dialog')).toContainText('the zip file is empty');
});

test('a zip that unpacks to too much, and an invalid one, are rejected', async ({ studio }) => {
  await studio.open();
  const bomb = zipSync({ 'bomb.bin': new Uint8Array(1_000) });
  // The uncompressed size in the central directory, 24 bytes after its signature.
  const directory = new DataView(bomb.buffer);
  for (let at = 0; at + 4 < bomb.length; at++)
    if (directory.getUint32(at, true) === 0x02014b50) directory.setUint32(at + 24, 600_000_000, true);
  await importFiles([{ name: 'bomb.zip', content: bomb }]);
  await expect.element(page.getByRole('dialog')).toContainText('the zip file unpacks to more than 500 MB');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().click();
  await importFiles([{ name: 'no.zip', content: 'this is no zip' }]);
  await expect.element(page.getByRole('dialog')).toContainText('the zip file is damaged');
  expect((await studio.workspace()).size).toBe(0);
});
