import { getLanguageService, type Node, TextDocument, TokenType } from 'vscode-html-languageservice';

/** Elements without an end tag. */
const VOID = new Set([
  'area',
  'base',
  'br',
  'col',
  'embed',
  'hr',
  'img',
  'input',
  'link',
  'meta',
  'source',
  'track',
  'wbr',
]);

/** Elements whose end tag is optional. */
const OPTIONAL_END = new Set([
  'html',
  'head',
  'body',
  'li',
  'dt',
  'dd',
  'p',
  'option',
  'optgroup',
  'thead',
  'tbody',
  'tfoot',
  'tr',
  'td',
  'th',
]);

const service = getLanguageService();

/** Checks whether a script with this `type` is JavaScript; others are data or templates. */
const isJavaScript = (type: string): boolean => /^$|^module$|javascript$/.test(type);

/**
 * Returns an HTML text with all but its styles (`css`) or its scripts (`javascript`) replaced by spaces, so offsets stay the
 * same. Undefined if it has none.
 */
export function embeddedText(html: string, language: 'css' | 'javascript'): string | undefined {
  const scanner = service.createScanner(html);
  const regions: [start: number, end: number][] = [];
  let attribute = '';
  let type = '';
  for (let token = scanner.scan(); token !== TokenType.EOS; token = scanner.scan()) {
    const text = scanner.getTokenText();
    if (token === TokenType.StartTag) type = '';
    else if (token === TokenType.AttributeName) attribute = text.toLowerCase();
    else if (token === TokenType.AttributeValue && attribute === 'type') type = text.replace(/^["']|["']$/g, '');
    const isWanted =
      (language === 'css' && token === TokenType.Styles) ||
      (language === 'javascript' && token === TokenType.Script && isJavaScript(type));
    if (isWanted) regions.push([scanner.getTokenOffset(), scanner.getTokenEnd()]);
  }
  if (regions.length === 0) return undefined;
  let blanked = '';
  let from = 0;
  for (const [start, end] of regions) {
    blanked += html.slice(from, start).replace(/[^\n\r]/g, ' ') + html.slice(start, end);
    from = end;
  }
  return blanked + html.slice(from).replace(/[^\n\r]/g, ' ');
}

/** The elements of an HTML text that need an end tag and have none, with the offsets of their start tags. */
export function unclosedElements(html: string): { offset: number; tag: string }[] {
  const { roots } = service.parseHTMLDocument(TextDocument.create('file:///page.html', 'html', 0, html));
  const found: { offset: number; tag: string }[] = [];
  const visit = (node: Node): void => {
    const tag = node.tag?.toLowerCase();
    const isClosed = node.endTagStart !== undefined || node.startTagEnd === undefined || isSelfClosed(html, node);
    if (tag !== undefined && !isClosed && !VOID.has(tag) && !OPTIONAL_END.has(tag))
      found.push({ offset: node.start, tag });
    node.children.forEach(visit);
  };
  roots.forEach(visit);
  return found;
}

const isSelfClosed = (html: string, { startTagEnd = 0 }: Node): boolean =>
  html.slice(startTagEnd - 2, startTagEnd) === '/>';
