import { encode } from 'fast-png';
import type { DocumentImage } from '#lib/tools/capabilities/documents.ts';
import { DOCUMENT_LIMITS } from '#lib/tools/documents/limits.ts';
import { UnreadableDocument } from '#lib/tools/documents/unreadable-document.ts';
import { type Box, boxOf, inverted, type Matrix, multiplied, overlap } from './matrix.ts';
import type { Page } from './pdf-js.ts';
import { type PlacedImage, placedImages } from './placed-images.ts';

/** A picture in RGB. */
interface Picture {
  width: number;
  height: number;
  data: Uint8Array;
}

/** An image with the part of the page where it is seen. */
interface SeenImage {
  image: PlacedImage;
  box: Box;
}

/** The share of a size that a smaller picture is made for, because smaller pictures are packed less densely. */
const SHRINK_MARGIN = 0.9;

/**
 * Draws the images of a page of a PDF where they are on the page, without its text, as a PNG. `name`: that of the picture.
 * `isShown`: checks whether a group of optional content is shown. Returns undefined if the page has no images. It is at most
 * `DOCUMENT_LIMITS.imageSide` pixels wide and high. `notes`: what is missing in it. Throws `UnreadableDocument` if no image can be
 * read. Must run in a thread that `limitBlocks` has prepared.
 */
export async function pagePicture(
  page: Page,
  name: string,
  isShown: (group: unknown) => boolean,
): Promise<{ image: DocumentImage; notes: string[] } | undefined> {
  const { images, unreadable, isCut } = await placedImages(page, isShown);
  if (images.length === 0 && unreadable > 0)
    throw new UnreadableDocument('damaged', `The images of the page cannot be shown: ${UNREADABLE} ${SAVE_PAGE}`);
  const seen = images
    .map((image) => ({ image, box: overlap(boxOf(image.place), image.clip) }))
    .filter(({ image, box }) => box.right > box.left && box.bottom > box.top && inverted(image.place) !== undefined);
  if (seen.length === 0) return undefined;
  let picture = drawn(seen);
  let data = toPng(picture);
  while (data.byteLength > DOCUMENT_LIMITS.imageBytes) {
    const share = Math.sqrt((DOCUMENT_LIMITS.imageBytes / data.byteLength) * SHRINK_MARGIN);
    picture = shrunk(picture, share);
    data = toPng(picture);
  }
  const notes = [
    ...(unreadable > 0 ? [`${unreadable} more of the page’s images cannot be shown: ${UNREADABLE} ${SAVE_PAGE}`] : []),
    ...(isCut ? [`Only the first ${DOCUMENT_LIMITS.pageImages} images of the page are shown.`] : []),
  ];
  return { image: { name, mediaType: 'image/png', data }, notes };
}

const UNREADABLE = 'they are damaged.';

const SAVE_PAGE = 'Save the page as a PNG or JPEG to have it seen.';

/** The pixels of an image for each point of the page. */
function densityOf({ width, height, place }: PlacedImage): number {
  const [a = 0, b = 0, c = 0, d = 0] = place;
  return Math.max(width / (Math.hypot(a, b) || width), height / (Math.hypot(c, d) || height));
}

/** Draws images on white, as finely as the finest of them, if that is not too large. */
function drawn(seen: readonly SeenImage[]): Picture {
  const whole = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  let finest = 0;
  for (const { image, box } of seen) {
    whole.left = Math.min(whole.left, box.left);
    whole.top = Math.min(whole.top, box.top);
    whole.right = Math.max(whole.right, box.right);
    whole.bottom = Math.max(whole.bottom, box.bottom);
    finest = Math.max(finest, densityOf(image));
  }
  const density = Math.min(
    finest,
    DOCUMENT_LIMITS.imageSide / Math.max(whole.right - whole.left, whole.bottom - whole.top),
  );
  const picture = emptyPicture((whole.right - whole.left) * density, (whole.bottom - whole.top) * density);
  const toPicture = [density, 0, 0, density, -whole.left * density, -whole.top * density];
  for (const { image, box } of seen) {
    const [left, right] = pixelsBetween((box.left - whole.left) * density, (box.right - whole.left) * density);
    const [top, bottom] = pixelsBetween((box.top - whole.top) * density, (box.bottom - whole.top) * density);
    drawOne(picture, image, multiplied(toPicture, image.place), { left, right, top, bottom });
  }
  return picture;
}

/** The first of the pixels between two places, and the one behind the last: at least one pixel. */
function pixelsBetween(from: number, to: number): [first: number, end: number] {
  const first = Math.round(from);
  return [first, Math.max(first + 1, Math.round(to))];
}

function emptyPicture(width: number, height: number): Picture {
  const [columns, rows] = [Math.max(1, Math.round(width)), Math.max(1, Math.round(height))];
  return { width: columns, height: rows, data: new Uint8Array(columns * rows * 3).fill(255) };
}

/** Returns a picture of this share of the width and height. */
function shrunk({ width, height, data }: Picture, share: number): Picture {
  const smaller = emptyPicture(Math.floor(width * share), Math.floor(height * share));
  const box = { left: 0, top: 0, right: smaller.width, bottom: smaller.height };
  const image: PlacedImage = { width, height, data, channels: 3, stencil: undefined, place: [], clip: box };
  drawOne(smaller, image, [smaller.width, 0, 0, -smaller.height, 0, smaller.height], box);
  return smaller;
}

/** Draws an image. `place`: maps its square to the picture's pixels. `box`: the pixels that it covers at most. */
function drawOne({ width, height, data }: Picture, image: PlacedImage, place: Matrix, box: Box): void {
  const inverse = inverted(place);
  if (inverse === undefined) return;
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = inverse;
  // The image's pixels that become one pixel of the picture.
  const across = Math.max(1, Math.round(image.width * (Math.abs(a) + Math.abs(c))));
  const down = Math.max(1, Math.round(image.height * (Math.abs(b) + Math.abs(d))));
  // An image that is thinner than a pixel is shown as one.
  const isThin = box.right - box.left <= 1 || box.bottom - box.top <= 1;
  const mean = new Float64Array(4);
  for (let y = Math.max(0, box.top); y < Math.min(height, box.bottom); y++) {
    for (let x = Math.max(0, box.left); x < Math.min(width, box.right); x++) {
      const u = inSquare(a * (x + 0.5) + c * (y + 0.5) + e, isThin);
      const v = inSquare(1 - (b * (x + 0.5) + d * (y + 0.5) + f), isThin);
      if (u === undefined || v === undefined) continue;
      const left = Math.floor(u * image.width - (across - 1) / 2);
      const top = Math.floor(v * image.height - (down - 1) / 2);
      meanOf(image, { left, top, right: left + across, bottom: top + down }, mean);
      const opacity = mean[3] ?? 1;
      for (let channel = 0; channel < 3; channel++) {
        const at = (y * width + x) * 3 + channel;
        data[at] = Math.round((data[at] ?? 255) * (1 - opacity) + (mean[channel] ?? 0) * opacity);
      }
    }
  }
}

/** Returns a coordinate of the square of the size 1; undefined outside of it, or the nearest one inside if `isClamped`. */
function inSquare(value: number, isClamped: boolean): number | undefined {
  if (value >= 0 && value < 1) return value;
  return isClamped ? Math.min(1 - Number.EPSILON, Math.max(0, value)) : undefined;
}

/** Writes the mean color of a part of an image, red, green, and blue from 0 to 255, and its opacity, from 0 to 1, into `mean`. */
function meanOf({ width, height, data, channels, stencil }: PlacedImage, part: Box, mean: Float64Array): void {
  const [firstX, lastX] = [Math.max(0, part.left), Math.min(width, part.right)];
  const [firstY, lastY] = [Math.max(0, part.top), Math.min(height, part.bottom)];
  const count = Math.max(1, (lastX - firstX) * (lastY - firstY));
  if (channels === 'bits') {
    const row = Math.ceil(width / 8);
    let white = 0;
    for (let y = firstY; y < lastY; y++)
      for (let x = firstX; x < lastX; x++) white += ((data[y * row + (x >> 3)] ?? 255) >> (7 - (x & 7))) & 1;
    const share = white / count;
    if (stencil === undefined) mean.fill(share * 255, 0, 3);
    else mean.set(stencil);
    mean[3] = stencil === undefined ? 1 : 1 - share;
    return;
  }
  let [red, green, blue, opacity] = [0, 0, 0, 0];
  for (let y = firstY; y < lastY; y++) {
    for (let x = firstX; x < lastX; x++) {
      const at = (y * width + x) * channels;
      const alpha = channels === 4 ? (data[at + 3] ?? 255) / 255 : 1;
      red += (data[at] ?? 255) * alpha;
      green += (data[at + 1] ?? 255) * alpha;
      blue += (data[at + 2] ?? 255) * alpha;
      opacity += alpha;
    }
  }
  const whole = opacity || 1;
  mean[0] = red / whole;
  mean[1] = green / whole;
  mean[2] = blue / whole;
  mean[3] = opacity / count;
}

/** Encodes a picture, with one value for each pixel if it has no colors. */
function toPng({ width, height, data }: Picture): Uint8Array {
  let isGray = true;
  for (let at = 0; at < data.length && isGray; at += 3) isGray = data[at] === data[at + 1] && data[at] === data[at + 2];
  const values = isGray ? data.filter((_, at) => at % 3 === 0) : data;
  return encode({ width, height, data: values, channels: isGray ? 1 : 3, depth: 8 });
}
