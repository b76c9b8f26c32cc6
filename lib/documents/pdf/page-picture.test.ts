import { decode } from 'fast-png';
import { describe, expect, test } from 'vitest';
import { DOCUMENT_LIMITS } from '#lib/tools/documents/limits.ts';
import { imageOf, pageWith, pdfOf, streamOf, writing } from '../test/pdf-source.ts';
import { readDocument } from '../test/read-document.ts';

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
    const form = (matrix: string) =>
      streamOf(
        '/I0 Do',
        0,
        `/Type /XObject /Subtype /Form /BBox [0 0 1 1] /Matrix [${matrix}] /Resources << /XObject << /I0 6 0 R >> >>`,
      );
    const data = pageWith('/I1 Do /I2 Do', [FOUR, form('-100 0 0 100 100 0'), form('100 0 0 100 200 100')]);
    expect(await rowsOf(data)).toEqual(['....rg', '....bk', 'gr....', 'kb....']);
  });

  test('in stamps, where they are', async () => {
    const stamp = streamOf(
      '10 0 0 10 0 0 cm /I0 Do',
      0,
      '/Type /XObject /Subtype /Form /BBox [0 0 10 10] /Resources << /XObject << /I0 6 0 R >> >>',
    );
    const annotation = '<< /Type /Annot /Subtype /Stamp /F 4 /Rect [200 200 300 300] /AP << /N 7 0 R >> >>';
    const data = pageWith('q 100 0 0 100 0 0 cm /I0 Do Q', [FOUR, stamp], `/Annots [${annotation}]`);
    expect(await rowsOf(data)).toEqual(['....rg', '....bk', '......', '......', 'rg....', 'bk....']);
  });

  test('in the color of a stencil', async () => {
    const stencil = imageOf(4, 1, '/ImageMask true /BitsPerComponent 1', '50');
    const one = imageOf(1, 1, '/ImageMask true /BitsPerComponent 1', '00');
    const content = '1 0 0 rg q 80 0 0 20 0 20 cm /I0 Do Q 0 0 1 rg q 80 0 0 20 0 0 cm /I1 Do Q';
    expect(await rowsOf(pageWith(content, [stencil, one]))).toEqual(['r.r.', 'bbbb']);
  });

  test('as they are cropped', async () => {
    const data = pageWith('q 50 0 50 300 re W n 100 0 0 100 0 0 cm /I0 Do Q', [FOUR]);
    expect(await rowsOf(data)).toEqual(['g', 'k']);
  });

  test('without those that are hidden, or only a mask', async () => {
    const mask = streamOf(
      'q 300 0 0 300 0 0 cm /I0 Do Q',
      0,
      '/Type /XObject /Subtype /Form /BBox [0 0 300 300] /Group << /S /Transparency /CS /DeviceGray >> /Resources << /XObject << /I0 6 0 R >> >>',
    );
    const state = '/ExtGState << /G0 << /SMask << /S /Luminosity /G 7 0 R >> >> >>';
    const data = pageWith('q /G0 gs 100 0 0 100 0 0 cm /I0 Do Q', [FOUR, mask], '', state);
    expect(await rowsOf(data)).toEqual(['rg', 'bk']);
    const hidden = '/Properties << /O1 << /Type /OCG /Name (x) >> >>';
    const shown = pageWith('/OC /O1 BDC q 100 0 0 100 0 0 cm /I0 Do Q EMC', [FOUR], '', hidden);
    expect(await rowsOf(shown)).toEqual(['rg', 'bk']);
  });

  test('without those in a layer that is turned off', async () => {
    const data = pdfOf([
      '<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [6 0 R] /D << /OFF [6 0 R] >> >> >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R /Resources << /XObject << /I0 5 0 R >> /Properties << /O1 6 0 R >> >> >>',
      streamOf('q 100 0 0 100 0 0 cm /I0 Do Q /OC /O1 BDC q 100 0 0 100 200 0 cm /I0 Do Q EMC'),
      FOUR,
      '<< /Type /OCG /Name (Layer) >>',
    ]);
    expect(await rowsOf(data)).toEqual(['rg', 'bk']);
  });

  test('although they are thinner than a pixel, or larger than the page', async () => {
    const one = imageOf(1, 1, RGB, 'ff0000');
    expect(await rowsOf(pageWith('q 1000 0 0 1000 -300 -300 cm /I0 Do Q', [one]))).toEqual(['r']);
    const thin = await rowsOf(pageWith('q 300 0 0 0.05 0 100 cm /I0 Do Q', [one]));
    expect(thin[0]).toMatch(/^r+$/);
  });

  test('although the last bytes of one are missing', async () => {
    const short = imageOf(2, 2, GRAY, '0000');
    expect(await rowsOf(pageWith('q 100 0 0 100 0 0 cm /I0 Do Q', [short]))).toEqual([
      'kk',
      expect.stringMatching(/^..$/),
    ]);
  });

  test('if there are very many', async () => {
    const data = pageWith('q 100 0 0 100 0 0 cm /I0 Do Q '.repeat(20_000), [FOUR]);
    const read = await readDocument({ data, format: 'pdf', pages: 'page-1.png' });
    expect(read.notes).toEqual([`Only the first ${DOCUMENT_LIMITS.pageImages} images of the page are shown.`]);
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
      'The PDF has images. To see those of a page, read the document with "page-N.png" as "pages", one page at a time.',
    ]);
    expect((await read('1')).parts).toMatchObject([{ label: 'Page 1', text: 'Hello' }]);
  });

  test('gives them by name, however that is written', async () => {
    for (const name of ['page-1.png', ' Page 1.PNG', 'page1.jpg'])
      expect((await read(name)).image).toMatchObject({ name: 'page-1.png', mediaType: 'image/png' });
  });

  test('refuses a page that is not there, and one without images', async () => {
    await expect(read('page-2.png')).rejects.toThrow('There is no page 2: the PDF has 1 page.');
    await expect(read('page-1.png', pageWith(writing('Hello'), []))).rejects.toThrow('Page 1 has no images');
    for (const name of ['page-1.png, page-2.png', 'image-2.png', '"page-1.png"'])
      await expect(read(name)).rejects.toThrow('read the document with "page-N.png" as "pages", one page at a time');
    expect((await read(undefined, pageWith(writing('Hello'), []))).notes).toEqual([]);
  });

  test.each([
    ['CCITT of group 4', '/CCITTFaxDecode', '/K -1 /Columns 8 /Rows 4', '26be88f4610517001001'],
    ['CCITT of group 3', '/CCITTFaxDecode', '/K 0 /Columns 8 /Rows 4', '00135f8004d50f4000ba8c007d00'],
    [
      'JBIG2',
      '/JBIG2Decode',
      '',
      '000000003000010000001300000008000000040000000000000000000000' +
        '000000012600010000001c00000008000000040000000000000000000126be88f4610517001001',
    ],
  ])('shows a scan in %s', async (_, filter, parameters, hex) => {
    const more = `/Type /XObject /Subtype /Image /Width 8 /Height 4 ${BITS} /Filter ${filter} /DecodeParms << ${parameters} >>`;
    const scan = pageWith('q 8 0 0 4 0 0 cm /I0 Do Q', [streamOf(Buffer.from(hex, 'hex'), 0, more)]);
    expect(await rowsOf(scan)).toEqual(['kk......', 'k.kkk...', '..k...kk', '.......k']);
  });

  test('shows an image in JPEG 2000', async () => {
    const hex =
      'ff4fff51002f0000000000020000000200000000000000000000000200000002000000000000000000030701010701' +
      '01070101ff52000c00000001010004040001ff5c00044040ff90000a0000000000200001ff93df80201002b12edf80' +
      '180a741fdf80100318ffd9';
    const more = '/Type /XObject /Subtype /Image /Width 2 /Height 2 /ColorSpace /DeviceRGB /Filter /JPXDecode';
    const page = pageWith('q 2 0 0 2 0 0 cm /I0 Do Q', [streamOf(Buffer.from(hex, 'hex'), 0, more)]);
    expect(await rowsOf(page)).toEqual(['rg', 'bk']);
  });

  test('says so if its images cannot be decoded', async () => {
    const broken = streamOf('x', 0, '/Type /XObject /Subtype /Image /Width 8 /Height 8 /Filter /JPXDecode');
    const scan = pageWith('q 100 0 0 100 0 0 cm /I0 Do Q', [broken]);
    await expect(read('page-1.png', scan)).rejects.toThrow('The images of the page cannot be shown: they are damaged.');
    const both = pageWith('q 100 0 0 100 0 0 cm /I0 Do Q q 10 0 0 10 0 0 cm /I1 Do Q', [broken, FOUR]);
    expect((await read('page-1.png', both)).notes).toEqual([
      expect.stringMatching(/^1 more of the page’s images cannot be shown: they are damaged\./),
    ]);
  });
});
