import { expect, test, vi } from 'vitest';
import { ATTACHMENT_MAX_BYTES } from './attached-file.ts';
import { attachmentAdapter } from './attachments.ts';

const add = async (content: BlobPart, name: string, type: string) => {
  const attachment = await attachmentAdapter.add({ file: new File([content], name, { type }) });
  if (!('contentType' in attachment)) throw new Error('Attachments are added in one step.');
  return attachment;
};

test('an SVG is attached as text, because no provider accepts it as an image', async () => {
  const attachment = await add('<svg xmlns="http://www.w3.org/2000/svg"/>', 'logo.svg', 'image/svg+xml');
  expect(attachment).toMatchObject({ type: 'document', contentType: 'text/plain', name: 'logo.svg' });
  const { content } = await attachmentAdapter.send(attachment);
  expect(content).toMatchObject([{ type: 'file', mimeType: 'text/plain', filename: 'logo.svg' }]);
});

/** As in a browser, which decodes pictures that begin like one. */
const decode = async (file: Blob) => {
  const [first] = new Uint8Array(await file.arrayBuffer());
  if (first !== 0x89) throw new DOMException('The source image could not be decoded.', 'InvalidStateError');
  return { close: () => undefined };
};
vi.stubGlobal('createImageBitmap', decode);

test('other images are attached as images, unless they are damaged', async () => {
  const attachment = await add(new Uint8Array([0x89, 0x50, 0, 1]), 'a.png', 'image/png');
  expect(attachment).toMatchObject({ type: 'image', contentType: 'image/png' });
  const { content } = await attachmentAdapter.send(attachment);
  expect(content).toEqual([{ type: 'image', image: 'data:image/png;base64,iVAAAQ==', filename: 'a.png' }]);
  await expect(add('<html>', 'page.png', 'image/png')).rejects.toMatchObject({ code: 'damaged' });
});

test('a file without a type is text if it can be read as such', async () => {
  expect(await add('Grüße', 'notes', '')).toMatchObject({ type: 'document', contentType: 'text/plain' });
  await expect(add(new Uint8Array([0xff, 0xfe, 0x41]), 'notes', '')).rejects.toMatchObject({ code: 'not-text' });
  await expect(add(new Uint8Array([0x41, 0]), 'notes', '')).rejects.toMatchObject({ code: 'not-text' });
});

test('a file that is too large is refused with its name', async () => {
  const content = new Uint8Array(ATTACHMENT_MAX_BYTES + 1);
  await expect(add(content, 'large.png', 'image/png')).rejects.toMatchObject({
    code: 'too-large',
    filename: 'large.png',
  });
});

test('a document that is too large is refused without being read', async () => {
  const file = new File(['%PDF-1.7'], 'huge.pdf');
  Object.defineProperty(file, 'size', { value: 500_000_000 });
  await expect(attachmentAdapter.add({ file })).rejects.toMatchObject({
    code: 'document-too-large',
    filename: 'huge.pdf',
  });
});

test('a document that comes back with its message is the document again', async () => {
  const cells = [{ cell_type: 'code', source: 'plot()', outputs: [] }];
  const first = await add(JSON.stringify({ cells, metadata: {} }), 'plots.ipynb', '');
  const { content } = await attachmentAdapter.send(first);
  const [part] = content ?? [];
  if (part?.type !== 'file') throw new Error('A notebook is a file.');
  const text = atob(part.data.split(',')[1] ?? '');
  const again = await add(text, 'plots.ipynb', 'text/plain');
  expect(again.file).toBe(first.file);
});

test('a notebook is sent without what its cells have put out', async () => {
  const cell = { cell_type: 'code', source: ['plot()'], outputs: [{ data: { 'image/png': 'x'.repeat(60_000) } }] };
  const attachment = await add(JSON.stringify({ cells: [cell], metadata: {} }), 'plots.ipynb', '');
  const { content } = await attachmentAdapter.send(attachment);
  const [part] = content ?? [];
  if (part?.type !== 'file') throw new Error('A notebook is a file.');
  expect(part.filename).toBe('plots.ipynb');
  expect(part.data.length).toBeLessThan(1_000);
  expect(atob(part.data.split(',')[1] ?? '')).toContain(
    '## Cell 1 (code)\n\nplot()\n\n[Output]\n[image/png, 60000 characters]',
  );
});

test('a picture that nobody can read is refused, whatever type the system gives it', async () => {
  for (const [name, type] of [
    ['IMG_0001.HEIC', 'image/heic'],
    ['IMG_0002.HEIC', ''],
    ['scan.tif', 'image/tiff'],
  ] as const)
    await expect(add(new Uint8Array([0, 0, 0, 24]), name, type)).rejects.toMatchObject({ code: 'unknown-picture' });
});
