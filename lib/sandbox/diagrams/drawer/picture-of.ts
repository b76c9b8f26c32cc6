import type { Drawing } from '../drawing.ts';
import { DIAGRAM_LIMITS } from '../limits.ts';

const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';

/** The size, in CSS pixels, of an SVG that has none, according to CSS. */
const DEFAULT_SIZE = { width: 300, height: 150 };

/**
 * Thrown for an SVG that is not valid or cannot be drawn. `line`: where the mistake is, counted from 1; undefined if that is
 * not known.
 */
export class SvgMistake extends Error {
  override readonly name = 'SvgMistake';
  readonly line: number | undefined;

  constructor(message: string, line?: number) {
    super(message);
    this.line = line;
  }
}

/** Thrown for a drawing whose SVG is too long, or of which the browser makes no PNG. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

/**
 * Draws an SVG as a PNG. The browser runs no scripts of an SVG that it loads as an image, and loads nothing for it. `scale`:
 * pixels for each CSS pixel; fewer are used if the picture would be too large. Rejects with `SvgMistake` if the SVG is not
 * valid, or with `TooLarge`.
 */
export async function pictureOf(source: string, scale: number): Promise<Drawing> {
  const root = rootOf(source);
  const { width, height } = sizeOf(root);
  // An image without a size of its own is not drawn by all browsers.
  root.setAttribute('width', String(width));
  root.setAttribute('height', String(height));
  const svg = new XMLSerializer().serializeToString(root);
  if (svg.length > DIAGRAM_LIMITS.svgMax) throw new TooLarge('The drawing is too large to be shown.');
  const image = new Image(width, height);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  try {
    await image.decode();
  } catch {
    throw new SvgMistake('The browser cannot draw this SVG.');
  }
  const used = Math.min(
    scale,
    DIAGRAM_LIMITS.sideMax / Math.max(width, height),
    Math.sqrt(DIAGRAM_LIMITS.pixelsMax / (width * height)),
  );
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width * used));
  canvas.height = Math.max(1, Math.round(height * used));
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (blob === null) throw new TooLarge('The drawing is too large to be shown.');
  const png = new Uint8Array(await blob.arrayBuffer());
  const title = [...root.children].find(({ localName }) => localName === 'title')?.textContent?.trim() ?? '';
  return { png, width, height, svg, title: title.slice(0, DIAGRAM_LIMITS.textMax) };
}

function rootOf(source: string): SVGSVGElement {
  // The namespace is often forgotten, because HTML does not need it.
  const start = /<svg(?=[\s>/])[^>]*>/i.exec(source)?.[0] ?? '';
  const named = /\sxmlns\s*=/i.test(start)
    ? source
    : source.replace(/<svg(?=[\s>/])/i, `<svg xmlns="${SVG_NAMESPACE}"`);
  const document = new DOMParser().parseFromString(named.trim(), 'image/svg+xml');
  const mistake = document.querySelector('parsererror');
  if (mistake !== null) {
    const text = mistake.textContent ?? '';
    const line = /line(?: number)?:? (\d+)/i.exec(text)?.[1];
    const reason = /(?:column \d+: |error: )(.*)/i.exec(text)?.[1] ?? 'It is not well-formed XML.';
    throw new SvgMistake(reason.trim(), line === undefined ? undefined : Number(line));
  }
  const root = document.documentElement;
  if (!(root instanceof SVGSVGElement)) throw new SvgMistake('It does not begin with an <svg> element.');
  return root;
}

/** The size of an SVG in CSS pixels: as it says, by the shape of its view box, or as CSS says. */
function sizeOf(root: SVGSVGElement): { width: number; height: number } {
  const [, , boxWidth = 0, boxHeight = 0] = (root.getAttribute('viewBox') ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const hasBox = boxWidth > 0 && boxHeight > 0;
  const ratio = hasBox ? boxWidth / boxHeight : DEFAULT_SIZE.width / DEFAULT_SIZE.height;
  const said = { width: lengthOf(root, 'width'), height: lengthOf(root, 'height') };
  const width = said.width ?? (said.height === undefined ? (hasBox ? boxWidth : undefined) : said.height * ratio);
  const used = Math.min(width ?? DEFAULT_SIZE.width, MAX_LENGTH);
  return { width: used, height: Math.min(said.height ?? used / ratio, MAX_LENGTH) };
}

/** The longest side that is taken seriously, in CSS pixels. */
const MAX_LENGTH = 100_000;

/** A length in CSS pixels; undefined if there is none, or one that depends on what is around the SVG. */
function lengthOf(root: SVGSVGElement, name: 'width' | 'height'): number | undefined {
  const written = root.getAttribute(name)?.trim() ?? '';
  if (!/^[\d.]/.test(written) || /%|r?em|ex|ch|v[wh]/.test(written)) return undefined;
  const { value } = root[name].baseVal;
  return value > 0 ? value : undefined;
}
