import { toMarkdown } from '#lib/documents/html/markdown.ts';

/** The clipboard when something is pasted. */
interface Clipboard {
  files: readonly File[];
  /** The text with markup; empty if there is none. */
  html: string;
  /** The text without markup; empty if there is none. */
  text: string;
}

/** The parts of a message that a paste becomes: files to attach, and a text to insert. */
export interface Pasted {
  files: readonly File[];
  text: string;
}

/** The maximum length of markup that is converted, in UTF-16 code units. Beyond it, the text without markup is used. */
const HTML_MAX = 1_000_000;

/** The name of a file with a long text that was pasted. */
const FILE_NAME = 'Pasted text.txt';

/** Checks by a file's name whether it was made of a long pasted text, which can become part of the message again. */
export const isPastedText = ({ name }: File): boolean => name === FILE_NAME;

/**
 * Reads what was pasted. Files become attachments, and the text that comes with them is left out. If the files are only
 * pictures of the text, which some programs add, they are left out instead. Cells of a spreadsheet and formatted text become
 * Markdown. A text of `attachFrom` or more characters becomes a file.
 */
export function readPaste(clipboard: Clipboard, attachFrom: number): Pasted {
  if (!isPicture(clipboard)) return { files: clipboard.files, text: '' };
  const text = textOf(clipboard);
  if (text.length < attachFrom) return { files: [], text };
  return { files: [new File([text], FILE_NAME, { type: 'text/plain' })], text: '' };
}

/** Matches the beginning of an address, or of a path. */
const ADDRESS = /^[a-z][\w+.-]*:\/\/|^data:|^[a-z]:\\|^[/\\~]/i;

/** Checks whether all files, if any, are pictures of the text. A file that was copied comes with its name as text. */
function isPicture({ files, html, text }: Clipboard): boolean {
  if (files.length === 0) return true;
  const said = text.trim();
  if (
    said === '' ||
    html.length > HTML_MAX ||
    !files.every(({ type, name }) => type.startsWith('image/') && !said.includes(name))
  )
    return false;
  // Some programs add a picture to a text without any markup. One word, or one line, may be the address of a picture.
  if (html === '') return /\s/.test(said) && (/[\t\n]/.test(said) || !ADDRESS.test(said));
  // A picture that was copied comes with its address, and with markup that has no text.
  return (parse(html).textContent ?? '').trim() !== '';
}

/** Elements whose form Markdown can express. Without any, the text is taken as it is. */
const FORMS = 'h1, h2, h3, h4, h5, h6, ul, ol, blockquote, strong, em, a[href], td + td, th + td';

/** Matches the names of fonts that show code. */
const CODE = /mono|consolas|courier|menlo/i;

/**
 * The most by which the text of the markup may be longer than the text itself: a factor, and UTF-16 code units. If it is even
 * longer, the text itself is used.
 */
const LONGER = { factor: 2, by: 200 };

function textOf({ html, text }: Clipboard): string {
  if (html === '' || html.length > HTML_MAX) return text;
  const body = parse(html);
  const { length } = visible(body.textContent ?? '');
  // It was made by somebody else than who has seen the text.
  if (text !== '' && length > visible(text).length * LONGER.factor + LONGER.by) return text;
  if (isCode(body) || (isIndented(text) && body.querySelector(OUTLINES) === null)) return text;
  tidy(body);
  if (body.querySelector(FORMS) === null) return text || (body.textContent ?? '').trim();
  return toMarkdown(body, { escapes: false }) || text;
}

const visible = (text: string): string => text.replace(/\s/g, '');

/** Elements whose lines are indented in the text without markup although they are no code. */
const OUTLINES = 'h1, h2, h3, h4, h5, h6, ul, ol, blockquote';

/**
 * Checks whether lines of a text are indented, and no line has several cells. That is how code looks that a page shows in a
 * table beside its line numbers, or that an editor copies as paragraphs.
 */
const isIndented = (text: string): boolean => /^[ \t]+\S/m.test(text) && !/\S[^\S\n]*\t/.test(text);

/** Checks whether markup is code as editors copy it, with its colors. */
function isCode(body: HTMLElement): boolean {
  for (let only = onlyChild(body); only !== undefined; only = onlyChild(only))
    if (only.localName === 'pre' || (only instanceof HTMLElement && CODE.test(only.style.fontFamily))) return true;
  return false;
}

/** Returns the only child element; undefined if there are several, or none, or text besides it. */
function onlyChild({ children, childNodes }: Element): Element | undefined {
  const hasText = [...childNodes].some(
    (node) => node.nodeType === Node.TEXT_NODE && (node.nodeValue ?? '').trim() !== '',
  );
  return children.length === 1 && !hasText ? children[0] : undefined;
}

/** Elements that are not seen, or are no text. */
const UNSEEN =
  'style, script, title, template, noscript, select, textarea, input, button, iframe, object, svg, canvas, [hidden]';

function parse(html: string): HTMLElement {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const element of body.querySelectorAll(UNSEEN)) element.remove();
  for (const element of body.querySelectorAll<HTMLElement>('[style]')) {
    const { display, visibility, fontSize, opacity } = element.style;
    const isHidden = display === 'none' || visibility === 'hidden' || /^0(\D|$)/.test(fontSize) || opacity === '0';
    if (isHidden || /mso-hide:\s*all/i.test(element.getAttribute('style') ?? '')) element.remove();
  }
  return body;
}

const withoutEnds = (address: string): string => address.trim().replace(/^(?:https?:\/\/|mailto:)|\/$/gi, '');

/** The maximum number of columns that a cell is taken to span. */
const SPAN_MAX = 100;

/** Gives all rows of a table the same number of cells: one that spans several is followed by empty ones. */
function fillRows({ rows }: HTMLTableElement): void {
  for (const row of rows)
    for (const cell of [...row.cells]) {
      for (let span = Math.min(cell.colSpan, SPAN_MAX); span > 1; span--) cell.after(document.createElement('td'));
      cell.colSpan = 1;
    }
  const width = Math.max(...Array.from(rows, ({ cells }) => cells.length));
  for (const row of rows) while (row.cells.length < width) row.append(document.createElement('td'));
}

/**
 * Simplifies pasted markup: collapses spaces, turns styles into `strong` and `em`, repairs nested lists, completes rows of
 * tables, and removes links and pictures that lead nowhere.
 */
function tidy(body: HTMLElement): void {
  const texts = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode())
    if (node.parentElement?.closest('pre') === null) node.nodeValue = (node.nodeValue ?? '').replace(/\s+/g, ' ');
  for (const element of body.querySelectorAll<HTMLElement>('b, i, span')) {
    const { fontWeight, fontStyle } = element.style;
    const isPlain = element.localName === 'span';
    // Google Docs puts everything into a `b` that is not bold, and what is bold into a `span`.
    const isBold = isPlain || fontWeight !== '' ? Number(fontWeight) >= 600 || fontWeight === 'bold' : undefined;
    const strong = isBold ?? element.localName === 'b';
    const emphasized = fontStyle === 'italic' || (element.localName === 'i' && fontStyle === '');
    const named = strong || emphasized ? document.createElement(strong ? 'strong' : 'em') : undefined;
    if (named !== undefined) element.before(named);
    while (element.firstChild !== null)
      if (named === undefined) element.before(element.firstChild);
      else named.append(element.firstChild);
    element.remove();
  }
  // Google Docs puts a list that belongs to an item behind it, and a paragraph into each item.
  for (const list of body.querySelectorAll(':is(ul, ol) > :is(ul, ol)'))
    if (list.previousElementSibling?.localName === 'li') list.previousElementSibling.append(list);
  for (const item of body.querySelectorAll('li')) {
    const [only, ...others] = item.querySelectorAll(':scope > p');
    if (others.length === 0) only?.replaceWith(...only.childNodes);
  }
  for (const link of body.querySelectorAll('a')) {
    const href = link.getAttribute('href') ?? '';
    if (!/^(https?|mailto):/i.test(href)) link.removeAttribute('href');
    // An address that is a link to itself.
    else if (withoutEnds(href) === withoutEnds(link.textContent ?? '')) link.replaceWith(link.textContent ?? '');
  }
  for (const table of body.querySelectorAll('table')) fillRows(table);
  for (const image of body.querySelectorAll('img'))
    if (!/^https?:/i.test(image.getAttribute('src') ?? '')) image.removeAttribute('src');
}
