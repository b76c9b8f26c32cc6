import { getResolvedPDFJS } from 'unpdf';
import { IDENTITY, type Matrix, multiplied } from './matrix.ts';
import type { Page } from './page-items.ts';

/** An image on a page of a PDF. */
export interface PlacedImage {
  width: number;
  height: number;
  /** The pixels, row by row from the top. */
  data: Uint8Array | Uint8ClampedArray;
  /** The number of values for a pixel: gray, RGB, or RGBA. `bits`: a bit for each pixel, 0 for black; rows begin with a byte. */
  channels: 1 | 3 | 4 | 'bits';
  /** Whether it is a stencil, whose black pixels are painted and whose others are transparent. */
  isStencil: boolean;
  /** Maps the image, as a square of the size 1 whose y axis points up, to the page as it is seen, in points. */
  place: Matrix;
}

/** The pixels of an image, as PDF.js has them. */
type Pixels = Pick<PlacedImage, 'width' | 'height' | 'data'>;

/**
 * Returns the images on a page of a PDF, in the order in which they are painted. `unreadable`: the number of others, which are
 * damaged or in a format that PDF.js does not decode here: CCITT, JBIG2, and JPEG 2000. The pixels take as much memory as they
 * need, so that this must run in a thread that `limitBlocks` has prepared.
 */
export async function placedImages(page: Page): Promise<{ images: PlacedImage[]; unreadable: number }> {
  const { OPS } = await getResolvedPDFJS();
  const { fnArray, argsArray } = await page.getOperatorList();
  const view = page.getViewport({ scale: 1 }).transform as number[];
  const images: PlacedImage[] = [];
  let unreadable = 0;
  const saved: Matrix[] = [];
  let current: Matrix = IDENTITY;
  const add = (pixels: Pixels | undefined, isStencil: boolean) => {
    const channels = pixels === undefined ? undefined : channelsOf(pixels);
    if (pixels === undefined || channels === undefined) {
      unreadable++;
      return;
    }
    const { width, height, data } = pixels;
    images.push({ width, height, data, channels, isStencil, place: multiplied(view, current) });
  };
  for (const [index, operation] of fnArray.entries()) {
    const given: unknown[] = argsArray[index] ?? [];
    switch (operation) {
      case OPS.save:
        saved.push(current);
        break;
      case OPS.restore:
      case OPS.paintFormXObjectEnd:
        current = saved.pop() ?? current;
        break;
      case OPS.transform:
        current = multiplied(current, given as number[]);
        break;
      case OPS.paintFormXObjectBegin:
        saved.push(current);
        if (isMatrix(given[0])) current = multiplied(current, given[0]);
        break;
      case OPS.paintImageXObject:
        add(await pixelsOf(page, given[0]), false);
        break;
      case OPS.paintInlineImageXObject:
        add(toPixels(given[0]), false);
        break;
      case OPS.paintImageMaskXObject: {
        const mask = given[0] as { data?: unknown } | undefined;
        add(typeof mask?.data === 'string' ? await pixelsOf(page, mask.data) : toPixels(mask), true);
        break;
      }
    }
  }
  return { images, unreadable };
}

/** Returns the pixels of the image with a name that the page's operations use; undefined if there are none. */
async function pixelsOf(page: Page, name: unknown): Promise<Pixels | undefined> {
  if (typeof name !== 'string') return undefined;
  const objects = name.startsWith('g_') ? page.commonObjs : page.objs;
  return toPixels(await new Promise<unknown>((resolve) => objects.get(name, resolve)));
}

function toPixels(value: unknown): Pixels | undefined {
  const { width, height, data } = (value ?? {}) as Partial<Record<keyof Pixels, unknown>>;
  if (!(data instanceof Uint8Array || data instanceof Uint8ClampedArray)) return undefined;
  return typeof width === 'number' && typeof height === 'number' && width > 0 && height > 0
    ? { width, height, data }
    : undefined;
}

function channelsOf({ width, height, data }: Pixels): PlacedImage['channels'] | undefined {
  const pixels = width * height;
  if (data.length === Math.ceil(width / 8) * height && pixels > data.length) return 'bits';
  return ([1, 3, 4] as const).find((channels) => data.length === channels * pixels);
}

const isMatrix = (value: unknown): value is Matrix => Array.isArray(value) && value.length === 6;
