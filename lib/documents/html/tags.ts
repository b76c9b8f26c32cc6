/**
 * A tag of an HTML source. `start` and `end` are offsets: `end` is after its `>` or, if it opens an element whose content is
 * dropped, after the end of that element.
 */
export interface Tag {
  /** The element's name in lower case; empty for a comment or a declaration. */
  name: string;
  isClosing: boolean;
  start: number;
  end: number;
  /**
   * The offsets of the content of the element that the tag opens, if such content is dropped, as that of `script` is (see
   * `OPAQUE`); absent otherwise.
   */
  content?: { start: number; end: number };
}

/** Elements whose content is dropped: it is no text of the page, or runs, or is shown only in place of something else. */
const OPAQUE: ReadonlySet<string> = new Set([
  ...['script', 'style', 'template', 'noscript', 'iframe', 'object', 'embed', 'svg', 'math', 'canvas', 'title'],
  ...['textarea', 'noembed', 'noframes', 'xmp', 'audio', 'video'],
]);

const NAME = /[a-z][^\s/>]*/iy;

/**
 * Yields the tags of an HTML source in order; comments and declarations are tags without a name. Reads each character a
 * fixed number of times, so that no source can make this slow.
 */
export function* tagsOf(html: string): Generator<Tag> {
  // Unlike `toLowerCase`, this never changes the length.
  const lower = html.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  for (let start = html.indexOf('<'); start !== -1; ) {
    const tag = tagAt(lower, start);
    if (tag !== undefined) yield tag;
    start = html.indexOf('<', tag?.end ?? start + 1);
  }
}

/** The tag that begins at a `<`; undefined if the character is only text. */
function tagAt(lower: string, start: number): Tag | undefined {
  if (lower.startsWith('<!--', start)) return unnamed(start, after(lower, '-->', start + 4));
  const next = lower[start + 1];
  if (next === '!' || next === '?') return unnamed(start, after(lower, '>', start + 2));
  const isClosing = next === '/';
  NAME.lastIndex = start + (isClosing ? 2 : 1);
  const name = NAME.exec(lower)?.[0];
  if (name === undefined) return isClosing ? unnamed(start, after(lower, '>', start + 2)) : undefined;
  const end = endOfTag(lower, NAME.lastIndex);
  const tag: Tag = { name, isClosing, start, end };
  if (isClosing || !OPAQUE.has(name) || lower[end - 2] === '/') return tag;
  const close = lower.indexOf(`</${name}`, end);
  if (close === -1) return { ...tag, end: lower.length, content: { start: end, end: lower.length } };
  return { ...tag, end: after(lower, '>', close), content: { start: end, end: close } };
}

const unnamed = (start: number, end: number): Tag => ({ name: '', isClosing: false, start, end });

function after(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at === -1 ? text.length : at + mark.length;
}

/** The offset after the `>` that ends a tag, not counting one inside a quoted value; the end of the text if there is none. */
function endOfTag(text: string, from: number): number {
  let quote = '';
  for (let at = from; at < text.length; at++) {
    const char = text[at] ?? '';
    if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === '>') return at + 1;
    else if ((char === '"' || char === "'") && text[at - 1] === '=') quote = char;
  }
  return text.length;
}
