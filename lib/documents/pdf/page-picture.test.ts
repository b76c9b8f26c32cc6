import { decode } from 'fast-png';
import { describe, expect, test } from 'vitest';
import { readDocument } from '../read-document.ts';
import { imageOf, pageWith, streamOf, writing } from '../test/pdf-source.ts';

const RGB = '/ColorSpace /DeviceRGB /BitsPerComponent 8';
const GRAY = '/ColorSpace /DeviceGray /BitsPerComponent 8';
const BITS = '/ColorSpace /DeviceGray /BitsPerComponent 1';

/** Red and green above blue and black. */
const FOUR = imageOf(2, 2, RGB, 'ff000000ff000000ff000000');

/** The rows of the picture of a page: a letter for each pixel, by its color. */
async function rowsOf(data: Uint8Array, pages = 'page-1.png'): Promise<string[]> {
  const { image: read } = await readDocument({ data, format: 'pdf', pages });
  expect(read?.mediaType).toBe('image/png');
  const png = decode(read?.data ?? new Uint8Array());
  return Array.from({ length: png.height }, (_, y) =>
    Array.from({ length: png.width }, (_, x) => {
      const at = (y * png.width + x) * png.channels;
      const [red = 0, green = red, blue = red] = png.data.slice(at, at + png.channels);
      const name = { '255,0,0': 'r', '0,255,0': 'g', '0,0,255': 'b', '0,0,0': 'k', '255,255,255': '.' };
      return (name as Record<string, string>)[`${red},${green},${blue}`] ?? '?';
    }).join(''),
  );
}

describe('the images of a PDF page are drawn', () => {
  test.each<[string, string, string[]]>([
    ['upright', 'q 100 0 0 100 50 50 cm /I0 Do Q', ['rg', 'bk']],
    ['mirrored', 'q -100 0 0 100 150 50 cm /I0 Do Q', ['gr', 'kb']],
    ['upside down', 'q 100 0 0 -100 50 150 cm /I0 Do Q', ['bk', 'rg']],
    ['turned to the left', 'q 0 100 -100 0 150 50 cm /I0 Do Q', ['gk', 'rb']],
  ])('%s', async (_, content, rows) => {
    expect(await rowsOf(pageWith(content, [FOUR]))).toEqual(rows);
  });

  test('as the page is turned', async () => {
    const data = pageWith('q 100 0 0 100 50 50 cm /I0 Do Q', [FOUR], '/Rotate 90');
    expect(await rowsOf(data)).toEqual(['br', 'kg']);
  });

  test('where they are, with white between them, and without text', async () => {
    const content = `${writing('Hello')} q 100 0 0 100 0 200 cm /I0 Do Q q 100 0 0 100 200 100 cm /I0 Do Q`;
    expect(await rowsOf(pageWith(content, [FOUR]))).toEqual(['rg....', 'bk....', '....rg', '....bk']);
  });

  test('in gray, in black and white, and as stencils', async () => {
    const strip = (index: number) => `q 80 0 0 20 0 ${280 - index * 20} cm /I${index} Do Q`;
    const objects = [
      imageOf(4, 1, GRAY, '00ff00ff'),
      imageOf(4, 1, BITS, '50'),
      imageOf(4, 1, '/ImageMask true /BitsPerComponent 1', '50'),
      imageOf(4, 1, '/ImageMask true /BitsPerComponent 1 /Decode [1 0]', '50'),
    ];
    const rows = await rowsOf(pageWith(objects.map((_, index) => strip(index)).join(' '), objects));
    expect(rows).toEqual(['k.k.', 'k.k.', 'k.k.', '.k.k']);
  });

  test('in parts of the page that are objects of their own', async () => {
    const form = streamOf(
      'q 1 0 0 1 0 0 cm /I0 Do Q',
      0,
      '/Type /XObject /Subtype /Form /BBox [0 0 1 1] /Matrix [50 0 0 50 10 10] /Resources << /XObject << /I0 6 0 R >> >>',
    );
    expect(await rowsOf(pageWith('q 2 0 0 2 0 0 cm /I1 Do Q', [FOUR, form]))).toEqual(['rg', 'bk']);
  });

  test('smaller, if they have more pixels than models see', async () => {
    const row = `${'00'.repeat(2_500)}${'ff'.repeat(2_500)}`;
    const data = pageWith('q 250 0 0 100 0 0 cm /I0 Do Q', [imageOf(5_000, 2, GRAY, row + row)]);
    const rows = await rowsOf(data);
    expect(rows[0]).toBe('k'.repeat(1_000) + '.'.repeat(1_000));
    expect(rows).toHaveLength(800);
  });
});

describe('a PDF with images', () => {
  const data = () => pageWith(`${writing('Hello')} q 100 0 0 100 50 50 cm /I0 Do Q`, [FOUR]);
  const read = (pages?: string, from = data()) => readDocument({ data: from, format: 'pdf', pages });

  test('says so, and how to see them', async () => {
    expect((await read()).notes).toEqual([
      'The PDF has images. To see those of page 1, read the document with "page-1.png" as "pages".',
    ]);
    expect((await read('1')).parts).toMatchObject([{ label: 'Page 1', text: 'Hello' }]);
  });

  test('gives them by name, however that is written', async () => {
    for (const name of ['page-1.png', ' Page 1.PNG', 'page1.jpg'])
      expect((await read(name)).image).toMatchObject({ name: 'page-1.png', mediaType: 'image/png' });
  });

  test('refuses a page that is not there, and one without images', async () => {
    await expect(read('page-2.png')).rejects.toThrow('There is no page 2: the PDF has 1 page.');
    await expect(read('page-1.png', pageWith(writing('Hello'), []))).rejects.toThrow('Page 1 has no images.');
    expect((await read(undefined, pageWith(writing('Hello'), []))).notes).toEqual([]);
  });

  test('says so if its images cannot be decoded', async () => {
    const fax = streamOf('x', 0, `/Type /XObject /Subtype /Image /Width 8 /Height 8 /Filter /CCITTFaxDecode ${BITS}`);
    const scan = pageWith('q 100 0 0 100 0 0 cm /I0 Do Q', [fax]);
    await expect(read('page-1.png', scan)).rejects.toThrow('in a format that is not supported (CCITT');
  });
});
