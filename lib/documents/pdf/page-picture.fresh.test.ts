import { expect, test } from 'vitest';
import { createReader } from '../reader.ts';
import { pageWith, streamOf } from '../test/pdf-source.ts';
import { readPdfFile } from '../test/read-document.ts';

// The reader limits the memory of this thread.
test('images that unpack to more memory than a picture may take are refused', async () => {
  const side = 5_000;
  const image = streamOf(
    new Uint8Array(side * side),
    1,
    `/Type /XObject /Subtype /Image /Width ${side} /Height ${side} /ColorSpace /DeviceGray /BitsPerComponent 8`,
  );
  const images = Array.from({ length: 60 }, () => image);
  const content = images.map((_, index) => `q 100 0 0 100 0 0 cm /I${index} Do Q`).join(' ');
  const data = pageWith(content, images);
  const read = (pdf: Uint8Array) => createReader(readPdfFile).open({ data: pdf, format: 'pdf', pages: 'page-1.png' });
  const refused = { problem: 'too-large', message: 'The images of page 1 take too much memory to be shown.' };
  expect(await read(data)).toEqual(refused);
});
