import { DOCUMENT_LIMITS } from '#lib/tools/documents/limits.ts';
import { multiplied } from './matrix.ts';
import type { Page } from './pdf-js.ts';

/**
 * A piece of text on a PDF page. `x` and `y`: its place on the page as it is seen, from the left and from the top, in
 * points.
 */
export interface PageItem {
  text: string;
  x: number;
  y: number;
  width: number;
  /** The size of the letters. */
  size: number;
  isRightToLeft: boolean;
  /** Whether a space was written before it. */
  followsSpace: boolean;
}

/**
 * Returns the text of a PDF page in pieces (`items`), in the order of the file. `aside`: the text of lines that are not
 * horizontal, which `items` do not contain. `isCut`: whether text was left out, because the page has more pieces than
 * `DOCUMENT_LIMITS.pageItems`.
 */
export async function pageItems(page: Page): Promise<{ items: PageItem[]; aside: string; isCut: boolean }> {
  const { items: found } = await page.getTextContent();
  const view = page.getViewport({ scale: 1 }).transform as number[];
  page.cleanup();
  const items: PageItem[] = [];
  const aside: string[] = [];
  let followsSpace = false;
  for (const item of found.slice(0, DOCUMENT_LIMITS.pageItems)) {
    if (!('str' in item)) continue;
    if (item.str.trim() === '') {
      followsSpace ||= item.str !== '' || item.hasEOL;
      continue;
    }
    const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0] = multiplied(view, item.transform as number[]);
    if (Math.abs(b) > Math.abs(a)) aside.push(item.str, item.hasEOL ? '\n' : '');
    else
      items.push({
        text: item.str,
        x,
        y,
        width: item.width,
        size: Math.hypot(c, d) || item.height || 1,
        isRightToLeft: item.dir === 'rtl',
        followsSpace,
      });
    followsSpace = false;
  }
  return { items, aside: aside.join('').trim(), isCut: found.length > DOCUMENT_LIMITS.pageItems };
}
