import { DOCUMENT_LIMITS } from '#lib/tools/documents/limits.ts';
import { type Box, boxOf, type Matrix, multiplied, overlap } from './matrix.ts';
import { loadPdfJs, type Page } from './pdf-js.ts';

/** An image on a page of a PDF. */
export interface PlacedImage {
  width: number;
  height: number;
  /** The pixels, row by row from the top. What is missing at the end is white. */
  data: ArrayLike<number>;
  /** The number of values for a pixel: RGB, RGBA. `bits`: a bit for each pixel, 0 for black; rows begin with a byte. */
  channels: 3 | 4 | 'bits';
  /** The color, from 0 to 255 each, of a stencil: its black pixels are painted in that color, its others are transparent. */
  stencil: readonly [red: number, green: number, blue: number] | undefined;
  /** Maps the image, as a square of the size 1 whose y axis points up, to the page as it is seen, in points. */
  place: Matrix;
  /** The part of the page that the image may cover, in points. */
  clip: Box;
}

/** The images of a page. */
interface PageImages {
  images: PlacedImage[];
  /** The number of images that are damaged. */
  unreadable: number;
  /** Whether there are more images than `DOCUMENT_LIMITS.pageImages`. */
  isCut: boolean;
}

/** The state of drawing, which operations save and restore. */
interface State {
  place: Matrix;
  clip: Box;
  fill: NonNullable<PlacedImage['stencil']>;
}

/** An image as PDF.js has it. `kind`: 1 for a bit, 2 for RGB, 3 for RGBA; masks have none. */
interface Pixels {
  width: number;
  height: number;
  data: Uint8Array | Uint8ClampedArray;
  kind?: number;
}

const BLACK = [0, 0, 0] as const;

/**
 * Returns the images on a page of a PDF, in the order in which they are painted, without those that nobody sees. The pixels take
 * as much memory as they need, so that this must run in a thread that `limitBlocks` has prepared.
 */
export async function placedImages(page: Page, isShown: (group: unknown) => boolean): Promise<PageImages> {
  const { OPS } = await loadPdfJs();
  const { fnArray, argsArray } = await page.getOperatorList();
  const view = page.getViewport({ scale: 1 });
  const found: PageImages = { images: [], unreadable: 0, isCut: false };
  const saved: State[] = [];
  const whole = { left: 0, top: 0, right: view.width, bottom: view.height };
  const initial: State = { place: view.transform as number[], clip: whole, fill: BLACK };
  let state = initial;
  let clips = false;
  /** Marked content and soft masks that are open, each with whether it hides what is in it. */
  const marked: boolean[] = [];
  const groups: boolean[] = [];
  const add = (pixels: Pixels | undefined, stencil?: PlacedImage['stencil']) => {
    if (pixels === undefined) {
      found.unreadable++;
      return;
    }
    found.isCut ||= found.images.length >= DOCUMENT_LIMITS.pageImages;
    if (found.isCut) return;
    const { width, height, data, kind } = pixels;
    const channels = stencil !== undefined || kind === 1 ? 'bits' : kind === 2 ? 3 : 4;
    found.images.push({ width, height, data, channels, stencil, place: state.place, clip: state.clip });
  };
  const change = (matrix: unknown) => {
    if (isMatrix(matrix)) state = { ...state, place: multiplied(state.place, matrix) };
  };
  for (const [index, operation] of fnArray.entries()) {
    const given: unknown[] = argsArray[index] ?? [];
    const isHidden = marked.includes(true) || groups.includes(true);
    switch (operation) {
      case OPS.save:
        saved.push(state);
        break;
      case OPS.restore:
      case OPS.paintFormXObjectEnd:
      case OPS.endAnnotation:
        state = saved.pop() ?? state;
        break;
      case OPS.transform:
        change(given);
        break;
      case OPS.paintFormXObjectBegin:
        saved.push(state);
        change(given[0]);
        break;
      case OPS.beginAnnotation:
        saved.push(state);
        state = initial;
        change(given[2]);
        change(given[3]);
        break;
      case OPS.clip:
      case OPS.eoClip:
        clips = true;
        break;
      case OPS.constructPath:
        if (clips) state = { ...state, clip: overlap(state.clip, pathBox(given[2], state.place)) };
        clips = false;
        break;
      case OPS.setFillRGBColor:
        state = { ...state, fill: colorOf(given[0]) };
        break;
      case OPS.beginMarkedContent:
        marked.push(false);
        break;
      case OPS.beginMarkedContentProps:
        marked.push(given[0] === 'OC' && !isShown(given[1]));
        break;
      case OPS.endMarkedContent:
        marked.pop();
        break;
      case OPS.beginGroup:
        groups.push((given[0] as { smask?: unknown } | undefined)?.smask != null);
        break;
      case OPS.endGroup:
        groups.pop();
        break;
      case OPS.paintImageXObject:
        if (!isHidden) add(await pixelsOf(page, given[0]));
        break;
      case OPS.paintInlineImageXObject:
        if (!isHidden) add(toPixels(given[0]));
        break;
      case OPS.paintImageMaskXObject: {
        const mask = given[0] as { data?: unknown } | undefined;
        if (!isHidden)
          add(typeof mask?.data === 'string' ? await pixelsOf(page, mask.data) : toPixels(mask), state.fill);
        break;
      }
      case OPS.paintSolidColorImageMask:
        if (!isHidden) add({ width: 1, height: 1, data: new Uint8Array(1) }, state.fill);
        break;
    }
  }
  return found;
}

/** Returns the pixels of the image with a name that the page's operations use; undefined if there are none. */
async function pixelsOf(page: Page, name: unknown): Promise<Pixels | undefined> {
  if (typeof name !== 'string') return undefined;
  const objects = name.startsWith('g_') ? page.commonObjs : page.objs;
  return toPixels(await new Promise<unknown>((resolve) => objects.get(name, resolve)));
}

function toPixels(value: unknown): Pixels | undefined {
  const { width, height, data, kind } = (value ?? {}) as Partial<Record<keyof Pixels, unknown>>;
  if (!(data instanceof Uint8Array || data instanceof Uint8ClampedArray)) return undefined;
  if (typeof width !== 'number' || typeof height !== 'number' || width <= 0 || height <= 0) return undefined;
  return { width, height, data, ...(typeof kind === 'number' && { kind }) };
}

/** The part of the page that a path covers at most. `bounds`: its least and greatest x and y. */
function pathBox(bounds: unknown, place: Matrix): Box | undefined {
  if (!isNumbers(bounds)) return undefined;
  const [left = 0, bottom = 0, right = 0, top = 0] = bounds;
  return boxOf(multiplied(place, [right - left, 0, 0, top - bottom, left, bottom]));
}

/** Reads a color such as `#ff0000`; another one counts as black. */
function colorOf(value: unknown): State['fill'] {
  const digits = /^#([\da-f]{6})$/i.exec(String(value))?.[1];
  if (digits === undefined) return BLACK;
  const color = Number.parseInt(digits, 16);
  return [color >> 16, (color >> 8) & 255, color & 255];
}

const isNumbers = (value: unknown): value is ArrayLike<number> & Iterable<number> =>
  Array.isArray(value) || value instanceof Float32Array;

const isMatrix = (value: unknown): value is Matrix & Iterable<number> => isNumbers(value) && value.length === 6;
