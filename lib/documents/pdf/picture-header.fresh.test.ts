import { expect, test } from 'vitest';
import { createReader } from '../reader.ts';
import { pageWith, streamOf } from '../test/pdf-source.ts';
import { readPdfFile } from '../test/read-document.ts';

// The reader limits the memory of this thread.
test('a small image whose header says that it is huge is refused', async () => {
  // A JPEG of 16,000 × 16,000 pixels, without any.
  const header = 'ffd8ffc0001108 3e80 3e80 03 011100 021100 031100 ffda000c03010002000300003f00 ffd9'.replaceAll(
    ' ',
    '',
  );
  const jpeg = streamOf(
    Uint8Array.from(header.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16)),
    0,
    '/Type /XObject /Subtype /Image /Width 8 /Height 8 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode',
  );
  const data = pageWith('q 100 0 0 100 0 0 cm /I0 Do Q', [jpeg]);
  expect(await createReader(readPdfFile).open({ data, format: 'pdf', pages: 'page-1.png' })).toEqual({
    problem: 'too-large',
    message: 'The images of page 1 take too much memory to be shown.',
  });
});
