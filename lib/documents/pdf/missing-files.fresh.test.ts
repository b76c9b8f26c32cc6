import { expect, test } from 'vitest';
import { createReader } from '../reader.ts';
import { NOT_LOADED } from '../reading-problem.ts';
import { eastAsianPdf, pageWith, streamOf } from '../test/pdf-source.ts';

// PDF.js keeps the files that it has read, so this needs a process that has read none.
test('says so if the code that decodes its images, or a file that its text needs, cannot be loaded', async () => {
  const reader = createReader(() => Promise.reject(new Error('The server is down.')));
  const image = streamOf(
    'x',
    0,
    '/Type /XObject /Subtype /Image /Width 8 /Height 8 /ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /CCITTFaxDecode',
  );
  const scan = pageWith('q 100 0 0 100 0 0 cm /I0 Do Q', [image]);
  expect(await reader.open({ data: scan, format: 'pdf', pages: 'page-1.png' })).toEqual(NOT_LOADED);
  expect(await reader.open({ data: eastAsianPdf(), format: 'pdf' })).toMatchObject({
    notes: [expect.stringContaining('a file that its fonts need could not be loaded')],
  });
});
