import { toMarkdown } from '#lib/web/reader/markdown.ts';

/** What is on the clipboard when something is pasted. */
export interface Clipboard {
  files: readonly File[];
  /** Both are empty if there is none. */
  html: string;
  text: string;
}

/** What it becomes in a message: files to attach, and a text to insert. */
export interface Pasted {
  files: readonly File[];
  text: string;
}

/** Longer markup is not converted, in UTF-16 code units; its text is taken instead. */
const HTML_MAX = 2_000_000;

/** The name of a file with a long text that was pasted. */
const FILE_NAME = 'Pasted text.txt';

/** Files that hold what was pasted as text, which can become part of the message again. */
const made = new WeakSet<File>();

/** Checks whether a file is a text that was pasted. */
export const isPastedText = (file: File): boolean => made.has(file);

/**
 * Reads what was pasted. Cells of a spreadsheet, and text with a form, become Markdown: programs put a picture of the same next
 * to them, which is left out. `attachFrom`: from how many characters on a text becomes a file; 0 for never.
 */
export function readPaste(clipboard: Clipboard, attachFrom: number): Pasted {
  if (!isPicture(clipboard)) return { files: clipboard.files, text: '' };
  const text = textOf(clipboard);
  if (attachFrom === 0 || text.length < attachFrom) return { files: [], text };
  const file = new File([text], FILE_NAME, { type: 'text/plain' });
  made.add(file);
  return { files: [file], text: '' };
}

/** Checks whether all files are pictures of the text. A file that was copied comes with its name as text. */
function isPicture({ files, text }: Clipboard): boolean {
  if (files.length === 0) return true;
  const said = text.trim();
  return said !== '' && files.every(({ type, name }) => type.startsWith('image/') && !said.includes(name));
}

/** Elements that say how a text is built. */
const FORMS = 'table, h1, h2, h3, h4, h5, h6, ul, ol, blockquote, strong, em, a[href]';

function textOf({ html, text }: Clipboard): string {
  if (html === '' || html.length > HTML_MAX) return text;
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  // Editors of code copy its colors, too.
  if (body.querySelector(':scope > pre:only-child') !== null) return text;
  tidy(body);
  if (body.querySelector(FORMS) === null) return text || (body.textContent ?? '').trim();
  return toMarkdown(body, { escapes: false }) || text;
}

/** Leaves in a document what its text is made of, in the elements that mean it. */
function tidy(body: HTMLElement): void {
  for (const element of body.querySelectorAll('style, script, title, template')) element.remove();
  for (const element of body.querySelectorAll<HTMLElement>('b, i, span')) {
    const { fontWeight, fontStyle } = element.style;
    const isPlain = element.localName === 'span';
    // Google Docs puts everything into a `b` that is not bold, and what is bold into a `span`.
    const isBold = isPlain || fontWeight !== '' ? Number(fontWeight) >= 600 || fontWeight === 'bold' : undefined;
    const strong = isBold ?? element.localName === 'b';
    const emphasized = fontStyle === 'italic' || (element.localName === 'i' && fontStyle === '');
    if (!strong && !emphasized) element.replaceWith(...element.childNodes);
    else rename(element, strong ? 'strong' : 'em');
  }
  for (const link of body.querySelectorAll('a'))
    if (!/^(https?|mailto):/i.test(link.href)) link.removeAttribute('href');
  for (const image of body.querySelectorAll('img')) if (!/^https?:/i.test(image.src)) image.removeAttribute('src');
}

function rename(element: Element, name: string): void {
  const named = document.createElement(name);
  named.append(...element.childNodes);
  element.replaceWith(named);
}
