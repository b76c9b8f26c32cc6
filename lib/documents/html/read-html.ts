import { Readability } from '@mozilla/readability';
import { DOMParser } from 'linkedom';
import { startOf } from '#lib/base/cut-text.ts';
import type { WebText } from '#lib/tools/capabilities/web.ts';
import { WEB_LIMITS } from '#lib/tools/web/limits.ts';
import { toMarkdown } from './markdown.ts';
import { pageSource } from './page-source.ts';
import { removeHidden } from './remove-hidden.ts';

/** The minimum share of a page’s text that its article has; with less, an overview was taken for an article. */
const ARTICLE_SHARE = 0.3;

/** The minimum length of an article, in characters. */
const ARTICLE_MIN = 200;

/**
 * Returns an HTML page as Markdown: its article, or all of it if it has none, without hidden elements. Nothing of it runs or is
 * loaded. A page that is too complex or cannot be parsed becomes plain text, with a note that says why, and so does any page if
 * `isPlain`. `url`: the page's address, which relative links are resolved against.
 */
export function readHtml(html: string, url: string, isPlain = false): WebText {
  const source = pageSource(html);
  const title = startOf(source.title.replace(/\s+/g, ' ').trim(), WEB_LIMITS.title);
  const plain = (why: string): WebText => ({
    ...(title !== '' && { title }),
    text: source.text,
    notes: [`The page ${why}, so this is its plain text.`],
  });
  if (isPlain) return plain('takes too long to be read');
  if (source.elements > WEB_LIMITS.elements) return plain(`has ${source.elements} elements`);
  if (source.depth > WEB_LIMITS.depth) return plain(`is nested ${source.depth} levels deep`);
  try {
    const base = baseOf(source.base, url);
    const page = documentOf(source.markup);
    removeHidden(page);
    for (const link of page.querySelectorAll('a')) makeWhole(link, 'href', base);
    for (const image of page.querySelectorAll('img')) makeWhole(image, 'src', base);
    const whole = (page.body.textContent ?? '').length;
    // The parser changes the document that it reads.
    const article = new Readability(page.cloneNode(true) as Document, { serializer: (node) => node }).parse();
    const length = article?.textContent?.trim().length ?? 0;
    const isArticle = length >= ARTICLE_MIN && length >= whole * ARTICLE_SHARE;
    const node = isArticle && article?.content != null ? (article.content as Element) : page.body;
    return { ...(title !== '' && { title }), text: toMarkdown(node), notes: [] };
  } catch {
    // The text is there, even if the parser fails.
    return plain('cannot be read as HTML');
  }
}

/** The address that a page's links are relative to: that of its `base` element if it is a web address, otherwise `url`. */
function baseOf(base: string | undefined, url: string): URL {
  const own = new URL(url);
  const named = base !== undefined && URL.canParse(base, own) ? new URL(base, own) : own;
  return named.protocol === 'https:' || named.protocol === 'http:' ? named : own;
}

/**
 * Makes the address in an attribute absolute if it is a web or an email address; otherwise removes the attribute. Every address
 * must go through this: where this runs, relative addresses would be those of the studio.
 */
function makeWhole(element: Element, attribute: string, base: URL): void {
  const value = element.getAttribute(attribute);
  const address = value !== null && URL.canParse(value, base) ? new URL(value, base) : undefined;
  if (address !== undefined && /^(?:https?|mailto):$/.test(address.protocol))
    element.setAttribute(attribute, address.href.replace(/[()<>\s]/g, encodeURIComponent));
  else element.removeAttribute(attribute);
}

const documentOf = (markup: string): Document =>
  new DOMParser().parseFromString(
    `<!doctype html><html><head></head><body>${markup}</body></html>`,
    'text/html',
  ) as unknown as Document;
