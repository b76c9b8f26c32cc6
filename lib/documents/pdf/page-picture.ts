import { encode } from 'fast-png';
import type { DocumentImage } from '#lib/tools/capabilities/documents.ts';
import { DOCUMENT_LIMITS } from '#lib/tools/documents/limits.ts';
import { UnreadableDocument } from '#lib/tools/documents/unreadable-document.ts';
import { inverted, type Matrix, multiplied } from './matrix.ts';
import type { Page } from './page-items.ts';
import { type PlacedImage, placedImages } from './placed-images.ts';

/** A part of a page, in points from its top left corner. */
interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** A picture in RGB. */
interface Picture {
  width: number;
  height: number;
  data: Uint8Array;
}

/**
 * Draws the images of a page of a PDF where they are on the page, without its text, as a PNG. `name`: that of the picture. Returns
 * undefined if the page has no images. Throws `UnreadableDocument` if none of them can be read. It is at most `DOCUMENT_LIMITS.imageSide` pixels wide and high. Must run in a thread that
 * `limitBlocks` has prepared.
 */
export async function pagePicture(page: Page, name: string): Promise<DocumentImage | undefined> {
  const { width, height } = page.getViewport({ scale: 1 });
  const { images: found, unreadable } = await placedImages(page);
  if (found.length === 0 && unreadable > 0)
    throw new UnreadableDocument(
      'damaged',
      'The images of the page cannot be shown: they are damaged, or in a format that is not supported (CCITT, JBIG2, or JPEG 2000). Save the page as a PNG or JPEG to have it seen.',
    );
  const images = found
    .map((image) => ({ image, box: boxOf(image.place, { left: 0, top: 0, right: width, bottom: height }) }))
    .filter(({ box }) => box.right > box.left && box.bottom > box.top);
  if (images.length === 0) return undefined;
  const whole = {
    left: Math.min(...images.map(({ box }) => box.left)),
    top: Math.min(...images.map(({ box }) => box.top)),
    right: Math.max(...images.map(({ box }) => box.right)),
    bottom: Math.max(...images.map(({ box }) => box.bottom)),
  };
  const finest = Math.max(...images.map(({ image }) => densityOf(image)));
  const side = Math.max(whole.right - whole.left, whole.bottom - whole.top);
  let density = Math.min(finest, DOCUMENT_LIMITS.imageSide / side);
  for (;;) {
    const data = toPng(drawn(images, whole, density));
    if (data.byteLength <= DOCUMENT_LIMITS.imageBytes) return { name, mediaType: 'image/png', data };
    density *= 0.7;
  }
}

/** The pixels of an image for each point of the page. */
const densityOf = ({ width, height, place: [a = 0, b = 0, c = 0, d = 0] }: PlacedImage): number =>
  Math.max(width / (Math.hypot(a, b) || width), height / (Math.hypot(c, d) || height));

/** The part of the page that an image covers, without what is outside of `page`. */
function boxOf([a = 0, b = 0, c = 0, d = 0, e = 0, f = 0]: Matrix, page: Box): Box {
  const xs = [e, e + a, e + c, e + a + c];
  const ys = [f, f + b, f + d, f + b + d];
  return {
    left: Math.max(page.left, Math.min(...xs)),
    top: Math.max(page.top, Math.min(...ys)),
    right: Math.min(page.right, Math.max(...xs)),
    bottom: Math.min(page.bottom, Math.max(...ys)),
  };
}

/** Draws images on white. `density`: the pixels for each point. */
function drawn(images: readonly { image: PlacedImage; box: Box }[], whole: Box, density: number): Picture {
  const width = Math.max(1, Math.round((whole.right - whole.left) * density));
  const height = Math.max(1, Math.round((whole.bottom - whole.top) * density));
  const picture = { width, height, data: new Uint8Array(width * height * 3).fill(255) };
  const toPicture = [density, 0, 0, density, -whole.left * density, -whole.top * density];
  for (const { image, box } of images) {
    const inverse = inverted(multiplied(toPicture, image.place));
    if (inverse === undefined) continue;
    const [left, right] = [box.left, box.right].map((x) => Math.round((x - whole.left) * density));
    const [top, bottom] = [box.top, box.bottom].map((y) => Math.round((y - whole.top) * density));
    drawOne(picture, image, inverse, {
      left: left ?? 0,
      top: top ?? 0,
      right: right ?? width,
      bottom: bottom ?? height,
    });
  }
  return picture;
}

/** Draws an image. `inverse`: maps the picture's pixels to the image's square. `box`: the pixels of the picture that it covers. */
function drawOne({ width, height, data }: Picture, image: PlacedImage, inverse: Matrix, box: Box): void {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = inverse;
  // The image's pixels that become one pixel of the picture.
  const across = Math.max(1, Math.round(image.width * (Math.abs(a) + Math.abs(c))));
  const down = Math.max(1, Math.round(image.height * (Math.abs(b) + Math.abs(d))));
  const mean = new Float64Array(4);
  for (let y = Math.max(0, box.top); y < Math.min(height, box.bottom); y++) {
    for (let x = Math.max(0, box.left); x < Math.min(width, box.right); x++) {
      const u = a * (x + 0.5) + c * (y + 0.5) + e;
      const v = 1 - (b * (x + 0.5) + d * (y + 0.5) + f);
      if (u < 0 || u >= 1 || v < 0 || v >= 1) continue;
      meanOf(
        image,
        Math.floor(u * image.width - (across - 1) / 2),
        Math.floor(v * image.height - (down - 1) / 2),
        across,
        down,
        mean,
      );
      const opacity = mean[3] ?? 1;
      for (let channel = 0; channel < 3; channel++) {
        const at = (y * width + x) * 3 + channel;
        data[at] = Math.round((data[at] ?? 255) * (1 - opacity) + (mean[channel] ?? 0) * opacity);
      }
    }
  }
}

/** Writes the mean color of a part of an image, red, green, and blue from 0 to 255, and its opacity, from 0 to 1, into `mean`. */
function meanOf(image: PlacedImage, left: number, top: number, across: number, down: number, mean: Float64Array): void {
  const { width, height, data, channels, isStencil } = image;
  const [firstX, lastX] = [Math.max(0, left), Math.min(width, left + across)];
  const [firstY, lastY] = [Math.max(0, top), Math.min(height, top + down)];
  const count = Math.max(1, (lastX - firstX) * (lastY - firstY));
  const row = Math.ceil(width / 8);
  let [red, green, blue, opacity] = [0, 0, 0, 0];
  for (let y = firstY; y < lastY; y++) {
    for (let x = firstX; x < lastX; x++) {
      if (channels === 'bits') {
        red += (((data[y * row + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1) * 255;
        continue;
      }
      const at = (y * width + x) * channels;
      const alpha = channels === 4 ? (data[at + 3] ?? 255) / 255 : 1;
      red += (data[at] ?? 0) * alpha;
      opacity += alpha;
      if (channels === 1) continue;
      green += (data[at + 1] ?? 0) * alpha;
      blue += (data[at + 2] ?? 0) * alpha;
    }
  }
  if (channels === 'bits' || channels === 1) {
    mean.fill(isStencil ? 0 : red / count, 0, 3);
    mean[3] = isStencil ? 1 - red / count / 255 : 1;
    return;
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
