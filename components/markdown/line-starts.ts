import type { LineCursor } from './line-cursor.ts';

/**
 * Matches the line of a heading with `#`. The constants below match lines of other leaf blocks. See
 * https://spec.commonmark.org/0.31.2/#leaf-blocks.
 */
export const HEADING = /^#{1,6}(?:[ \t]|$)/;
export const SETEXT_UNDERLINE = /^(?:=+|-+)[ \t]*$/;
export const THEMATIC_BREAK = /^(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:-[ \t]*){3,})$/;
export const FOOTNOTE = /^\[\^((?:[^[\]\\\s]|\\.){1,999})\]:/;

const FENCE = /^(?:(`{3,})[^`]*|(~{3,}).*)$/s;
const BULLET = /^[*+-](?=[ \t]|$)/;
const ORDERED = /^(\d{1,9})([.)])(?=[ \t]|$)/;

export interface Fence {
  char: string;
  length: number;
  /** The first word after the fence's characters; empty if there is none. */
  language: string;
}

export function fenceStart(rest: string): Fence | undefined {
  const match = FENCE.exec(rest);
  const ticks = match?.[1] ?? match?.[2];
  if (ticks === undefined) return undefined;
  const language = /^\s*(\S*)/.exec(rest.slice(ticks.length))?.[1] ?? '';
  return { char: ticks.charAt(0), length: ticks.length, language };
}

export function isFenceEnd(rest: string, { char, length }: Pick<Fence, 'char' | 'length'>): boolean {
  const line = rest.trimEnd();
  return line.length >= length && line === char.repeat(line.length);
}

interface ListMarker {
  /** The character that tells lists apart: consecutive items with the same one are in the same list. */
  key: string;
  width: number;
  isEmpty: boolean;
  /** Whether the list can begin right after a line of a paragraph. */
  interrupts: boolean;
}

export function listMarker(rest: string): ListMarker | undefined {
  const ordered = ORDERED.exec(rest);
  const match = ordered ?? BULLET.exec(rest);
  if (match === null) return undefined;
  const width = match[0].length;
  const isEmpty = rest.slice(width).trim() === '';
  return {
    key: ordered?.[2] ?? rest.charAt(0),
    width,
    isEmpty,
    interrupts: !isEmpty && (ordered === null || Number(ordered[1]) === 1),
  };
}

/** Consumes a list marker and the white space that belongs to it. Returns the indentation of the item's content, in columns. */
export function enterItem(cursor: LineCursor, { width, isEmpty }: ListMarker): number {
  const before = cursor.indent;
  cursor.skipIndent();
  cursor.advance(width);
  const after = cursor.indent;
  const padding = isEmpty || after > 4 ? 1 : after;
  if (!isEmpty) cursor.advanceColumns(padding);
  return before + width + padding;
}

const cells = (row: string): number =>
  row
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/).length;

const DELIMITER_ROW = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

/** Checks whether two lines are the head of a table: a header, and a row of delimiters with as many cells. */
export function isTableHead(header: string, delimiters: string): boolean {
  const isRow = /[|:]/.test(delimiters) && header.trim() !== '|';
  return isRow && DELIMITER_ROW.test(delimiters) && cells(header) === cells(delimiters);
}

export interface HtmlKind {
  start: RegExp;
  /** Matches the line that ends the block. If absent, a blank line ends it. */
  end?: RegExp;
  interrupts: boolean;
}

const BLOCK_TAGS =
  'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul';
const ATTRIBUTE = String.raw`\s+[A-Za-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>${'`'}]+|'[^']*'|"[^"]*"))?`;

/** The kinds of HTML blocks, in the order of the specification. */
const HTML_KINDS: readonly HtmlKind[] = [
  {
    start: /^<(?:script|pre|textarea|style)(?:\s|>|$)/i,
    end: /<\/(?:script|pre|textarea|style)>/i,
    interrupts: true,
  },
  { start: /^<!--/, end: /-->/, interrupts: true },
  { start: /^<\?/, end: /\?>/, interrupts: true },
  { start: /^<![A-Za-z]/, end: />/, interrupts: true },
  { start: /^<!\[CDATA\[/, end: /\]\]>/, interrupts: true },
  { start: new RegExp(String.raw`^</?(?:${BLOCK_TAGS})(?:\s|/?>|$)`, 'i'), interrupts: true },
  {
    start: new RegExp(String.raw`^(?:<[A-Za-z][A-Za-z0-9-]*(?:${ATTRIBUTE})*\s*/?>|</[A-Za-z][A-Za-z0-9-]*\s*>)\s*$`),
    interrupts: false,
  },
];

export const htmlStart = (rest: string): HtmlKind | undefined =>
  rest.startsWith('<') ? HTML_KINDS.find(({ start }) => start.test(rest)) : undefined;
