import { DOMParser } from 'linkedom';
import { WEB_LIMITS } from '#lib/tools/web/limits.ts';
import { toMarkdown } from './markdown.ts';
import { pageSource } from './page-source.ts';
import { removeHidden } from './remove-hidden.ts';

/** Elements that XHTML may close at once. HTML has no such form, so all that follows would be their content. */
const CLOSED_AT_ONCE = /<(title|script|style|iframe|textarea|a|div|p|span|i|b|em|td|th)(\s[^<>]*)?\/>/gi;

/**
 * Converts HTML from inside a document, such as a chapter of an e-book, to Markdown. Nothing of it runs or is loaded. Hidden
 * elements, and the addresses of links inside the document, are left out; of images, only the descriptions stay. HTML with too
 * many elements or levels becomes plain text.
 */
export function htmlText(html: string): string {
  const source = pageSource(html.replace(CLOSED_AT_ONCE, '<$1$2></$1>'));
  if (source.elements > WEB_LIMITS.elements || source.depth > WEB_LIMITS.depth) return source.text;
  const page = new DOMParser().parseFromString(
    `<!doctype html><html><head></head><body>${source.markup}</body></html>`,
    'text/html',
  ) as unknown as Document;
  removeHidden(page);
  for (const link of page.querySelectorAll('a'))
    if (!/^(?:https?|mailto):/i.test(link.getAttribute('href') ?? '')) link.removeAttribute('href');
  for (const image of page.querySelectorAll('img')) {
    const alt = (image.getAttribute('alt') ?? '').trim();
    image.removeAttribute('src');
    if (alt !== '') image.setAttribute('alt', `[Image: ${alt}]`);
  }
  return toMarkdown(page.body, { escapes: false });
}
