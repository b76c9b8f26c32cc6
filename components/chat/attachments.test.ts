import { expect, test } from 'vitest';
import { ATTACHMENT_MAX_BYTES, attachmentAdapter } from './attachments.ts';

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

test('other images are attached as images, whatever is in them', async () => {
  const attachment = await add(new Uint8Array([0x89, 0x50, 0, 1]), 'a.png', 'image/png');
  expect(attachment).toMatchObject({ type: 'image', contentType: 'image/png' });
  const { content } = await attachmentAdapter.send(attachment);
  expect(content).toEqual([{ type: 'image', image: 'data:image/png;base64,iVAAAQ==', filename: 'a.png' }]);
});

test('a file without a type is text if it can be read as such', async () => {
  expect(await add('Grüße', 'notes', '')).toMatchObject({ type: 'document', contentType: 'text/plain' });
  await expect(add(new Uint8Array([0xff, 0xfe, 0x41]), 'notes', '')).rejects.toMatchObject({ code: 'not-text' });
  await expect(add(new Uint8Array([0x41, 0]), 'notes', '')).rejects.toMatchObject({ code: 'not-text' });
});

test('a file that is too large is refused with its name', async () => {
  const content = new Uint8Array(ATTACHMENT_MAX_BYTES + 1);
  await expect(add(content, 'large.png', 'image/png')).rejects.toMatchObject({
    ...{ code: 'too-large', filename: 'large.png' },
  });
});
