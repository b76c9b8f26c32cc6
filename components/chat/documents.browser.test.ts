import { expect, vi } from 'vitest';
import { page } from 'vitest/browser';
import { focus, keyboard } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import type { StudioPage } from '#components/test/studio-page.tsx';
import { test } from '#components/test/studio-test.ts';
import { prompt } from '#e2e/lib/prompt.ts';
import { temporaryId } from '#lib/threads/temporary.ts';
import type { DocumentText } from '#lib/tools/capabilities/documents.ts';
import { readFile } from '#lib/tools/files/read-file.ts';
import { runTool } from '#lib/tools/test/run-tool.ts';
import { exists } from '#lib/vfs/exists.ts';
import { filesBelow } from '#lib/vfs/files-below.ts';
import { pageDocuments } from '#studio/page-documents.ts';
import { TINY_PNG } from './test/tiny-png.ts';

/** A file of the documents that the readers are compared with. */
async function fixture(name: string, as = name): Promise<File> {
  const response = await fetch(`/lib/documents/test/fixtures/documents/${name}`);
  return new File([await response.arrayBuffer()], as);
}

const attach = (...files: File[]) => page.locate('input[type=file]').first().upload(files);

const chip = (name: string) => page.getByRole('button', { name: `Remove ${name}` });

const sentWith = async (question: string): Promise<string> => {
  await expect.poll(() => model.requestsWith(question)).not.toHaveLength(0);
  return JSON.stringify(await model.requestsWith(question));
};

/** The files of the open thread's workspace, with their sizes. */
async function stored(studio: StudioPage): Promise<Record<string, number>> {
  const { threads, workspaces } = await studio.studio();
  const { fileSystem } = await workspaces.open(threads.workspaceId);
  const sizes: Record<string, number> = {};
  if (!(await exists(fileSystem, '/attachments'))) return sizes;
  for await (const { path } of filesBelow(fileSystem, '/attachments')) sizes[path] = (await fileSystem.stat(path)).size;
  return sizes;
}

test('a PDF and a workbook are sent as text with pages and cells, and the files are in the workspace', async ({
  studio,
}) => {
  const question = prompt('What do they cost?');
  const [pdf, sheet] = [await fixture('landscape.pdf'), await fixture('prices.xlsx')];
  await studio.open();
  await attach(pdf, sheet);
  await expect.element(chip('prices.xlsx')).toBeVisible();
  await expect.element(page.getByText('2 sheets', { exact: true })).toBeVisible();
  await studio.say(question);
  const sent = await sentWith(question);
  expect(sent).toMatch(/\[landscape\.pdf is a PDF of \d pages\.\]\\n## Page 1\\n/);
  expect(sent).toContain('[The file itself is /attachments/landscape.pdf in the workspace.]');
  expect(sent).toContain('A2: Item 1 | 1.25 | 2024-01-10 | FALSE | 0.025');
  expect(sent).not.toContain('base64');
  expect(await stored(studio)).toEqual({
    '/attachments/landscape.pdf': pdf.size,
    '/attachments/prices.xlsx': sheet.size,
  });
});

test('a document and a picture of the workspace go along when a message refers to them, and are not stored again', async ({
  studio,
}) => {
  const question = prompt('What do they show?');
  const pdf = await fixture('landscape.pdf');
  await studio.open({ files: { '/notes.md': 'Mine.' } });
  await expect.element(studio.files.getByRole('treeitem', { name: 'notes.md' })).toBeVisible();
  const { threads, workspaces } = await studio.studio();
  const { fileSystem } = await workspaces.open(threads.workspaceId);
  const bytes = new Uint8Array(await pdf.arrayBuffer());
  await fileSystem.transaction({ type: 'person' }, async (tx) => {
    tx.writeFile('/docs/landscape.pdf', bytes);
    tx.writeFile('/docs/dot.png', TINY_PNG);
  });
  await expect.element(studio.files.getByRole('treeitem', { name: 'docs' })).toBeVisible();
  await focus(studio.message);
  for (const name of ['landscape', 'dot.png']) {
    await keyboard.type(`@${name}`);
    await expect.element(page.getByRole('listbox', { name: 'Files and folders' })).toContainText(name);
    await keyboard.press('Enter');
  }
  await expect.element(chip('/docs/landscape.pdf')).toBeVisible();
  await expect.element(chip('/docs/dot.png')).toBeVisible();
  await keyboard.type(question);
  await keyboard.press('Enter');
  const sent = await sentWith(question);
  expect(sent).toContain('[The file itself is /docs/landscape.pdf in the workspace.]');
  expect(sent).toContain('## Page 1');
  expect(sent).toContain('image_url');
  expect(await stored(studio)).toEqual({});
});

test('the model reads on where the text of a long document was cut', async ({ studio }) => {
  const question = prompt('How does it begin?');
  const line = (row: number) => `A${row}: ${'word '.repeat(20)}${row}`;
  const rows = Array.from({ length: 900 }, (_, index) => index + 1);
  await studio.open();
  await attach(new File([`{\\rtf1 ${rows.map((row) => `${line(row)}\\par`).join('\n')}}`], 'long.rtf'));
  await expect.element(chip('long.rtf')).toBeVisible();
  await studio.say(question);
  const sent = await sentWith(question);
  expect(sent).not.toContain(line(900));
  const [, path, offset] =
    /The file itself is (\S+) in the workspace\. This is only the beginning of its text: read on with read_file, that path, and offset (\d+)/.exec(
      sent,
    ) ?? [];
  const last = rows.findLast((row) => sent.includes(line(row))) ?? 0;
  const { threads, workspaces } = await studio.studio();
  const { fileSystem } = await workspaces.open(threads.workspaceId);
  const input = { path, offset: Number(offset), limit: 2 };
  const { content } = await runTool(readFile, input, fileSystem, { documents: pageDocuments });
  // Paragraphs are separated by empty lines.
  expect(content.trim().split('\n')[0]).toBe(line(last + 1));
});

test('a document that cannot be read says why, and is sent all the same, or removed', async ({ studio }) => {
  const question = prompt('Is it readable?');
  await studio.open();
  const damaged = new File([(await fixture('table.docx')).slice(0, 3_000)], 'damaged.docx');
  await attach(damaged, new File([], 'empty.pdf'));
  await expect.element(page.getByText('Damaged, so the model can’t read it.')).toBeVisible();
  await expect.element(page.getByText('Empty.', { exact: true })).toBeVisible();
  await chip('empty.pdf').click();
  await studio.say(question);
  const sent = await sentWith(question);
  expect(sent).toContain('[damaged.docx is a Word document. Its text could not be read: The file is damaged');
  expect(sent).not.toContain('empty.pdf');
  expect(await stored(studio)).toEqual({ '/attachments/damaged.docx': 3_000 });
});

test('documents of the same name are kept apart, and the same document is kept once', async ({ studio }) => {
  await studio.open();
  const first = await fixture('times.xlsx', 'a.xlsx');
  for (const [index, file] of [first, await fixture('merged.xlsx', 'a.xlsx'), first].entries()) {
    await attach(file);
    await expect.element(page.getByText('1 sheet', { exact: true })).toBeVisible();
    await studio.say(prompt('Look'));
    await studio.settled(index + 1);
  }
  expect(Object.keys(await stored(studio))).toEqual(['/attachments/a (2).xlsx', '/attachments/a.xlsx']);
});

test('a message goes to its thread, even if another one is opened while its document is read', async ({ studio }) => {
  const question = prompt('What is in it?');
  await studio.open();
  await studio.say(prompt('Hello'));
  await studio.settled(1);
  const { threads } = await studio.studio();
  const { selectedId } = threads.state.getState();
  const { promise, resolve } = Promise.withResolvers<DocumentText>();
  const open = vi.spyOn(pageDocuments, 'open').mockReturnValue(promise);
  await attach(new File(['{\\rtf1 slow}'], 'slow.rtf'));
  await expect.element(chip('slow.rtf')).toBeVisible();
  await studio.say(question);
  await expect.poll(() => [...threads.unstored].map(([id]) => id)).toEqual([selectedId]);
  await threads.select(null);
  resolve({ unit: 'text', count: 1, parts: [{ label: 'Text', text: 'slow text' }], notes: [] });
  expect(await sentWith(question)).toContain('slow text');
  expect(threads.state.getState().threads.map(({ id }) => id)).toEqual([selectedId]);
  open.mockRestore();
});

test('in a temporary thread, documents are read and kept like in any other', async ({ studio }) => {
  const question = prompt('What is in it?');
  await studio.open();
  const { threads } = await studio.studio();
  await threads.continueIn(temporaryId());
  await attach(await fixture('languages.docx'));
  await expect.element(chip('languages.docx')).toBeVisible();
  await studio.say(question);
  expect(await sentWith(question)).toContain('Größenübersicht');
  expect(Object.keys(await stored(studio))).toEqual(['/attachments/languages.docx']);
});

test('the estimate of a message counts the text of a document, not the size of its file', async ({ studio }) => {
  await studio.open({ model: 'narrow-4k' });
  const estimate = page.getByRole('main').getByText(/About [\d.]+K tokens/);
  const noise = `{\\rtf1 {\\pict ${'ab'.repeat(100_000)}} words}`;
  await attach(new File([noise], 'picture.rtf'));
  await expect.element(chip('picture.rtf')).toBeVisible();
  await attach(await fixture('guide.docx'), await fixture('guide.odt'));
  await expect.element(estimate).toContainText(/About [4-9](?:\.\d)?K tokens/);
});
