import { expect, test } from 'vitest';
import { startReader } from '#hosts/local/start-reader.ts';
import { DocumentReader } from '../document-reader.ts';
import { pageWith, streamOf } from '../test/pdf-source.ts';

/** A number of four bytes, in hexadecimal. */
const u32 = (value: number): string => value.toString(16).padStart(8, '0');

const SIDE = 60_000;

const JBIG2 = [
  `000000003000010000${'0013'}${u32(SIDE)}${u32(SIDE)}${'0'.repeat(22)}`,
  `00000001260001${u32(28)}${u32(SIDE)}${u32(SIDE)}${'0'.repeat(18)}0126be88f4610517001001`,
].join('');

/** JPEG 2000 of one tile with three components. */
const JPEG2000 = [
  `ff4fff51002f0000${u32(SIDE / 8)}${u32(SIDE / 8)}${u32(0)}${u32(0)}${u32(SIDE / 8)}${u32(SIDE / 8)}${u32(0)}${u32(0)}`,
  '0003070101070101070101ff52000c00000001010004040001ff5c00044040',
  'ff90000a0000000000200001ff93df80201002b12edf80180a741fdf80100318ffd9',
].join('');

const TOO_LARGE = 'The images of page 1 take too much memory to be shown.';

test.each([
  ['JBIG2', SIDE, '/ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /JBIG2Decode', JBIG2, TOO_LARGE],
  [
    'CCITT',
    SIDE,
    `/ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /CCITTFaxDecode /DecodeParms << /K -1 /Columns ${SIDE} /Rows ${SIDE} >>`,
    '26be88f4610517001001',
    TOO_LARGE,
  ],
  ['JPEG 2000', SIDE / 8, '/ColorSpace /DeviceRGB /Filter /JPXDecode', JPEG2000, 'they are damaged'],
])('a small image in %s that says that it is huge takes no memory', async (_, side, more, hex, refusal) => {
  const image = streamOf(
    Buffer.from(hex, 'hex'),
    0,
    `/Type /XObject /Subtype /Image /Width ${side} /Height ${side} ${more}`,
  );
  const data = pageWith('q 100 0 0 100 0 0 cm /I0 Do Q', [image]);
  const reading = new DocumentReader(startReader).open(
    { data, format: 'pdf', pages: 'page-1.png' },
    { abortSignal: new AbortController().signal },
  );
  await expect(reading).rejects.toThrow(refusal);
});
