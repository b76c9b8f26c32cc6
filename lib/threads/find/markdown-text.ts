import { Marked, type Token, type Tokens } from 'marked';
import { markdownDialect } from '#lib/base/markdown/dialect.ts';
import { INLINE_TAG, LINE_BREAK } from '#lib/base/markdown/inline-tags.ts';

const PARSER = new Marked(...markdownDialect());

/** The length, in characters, above which a text is searched as it is written: parsing it would take too long. */
const PARSED_MAX = 1_000_000;

/**
 * The approximate length of the pieces in which long texts are parsed, in characters. That takes far less time than at once.
 */
const PIECE = 20_000;

/**
 * Returns the text of Markdown as it reads when it is shown, with line breaks between blocks. Markdown that is too long, or
 * cannot be parsed, is returned as it is.
 */
export function markdownText(markdown: string): string {
  if (markdown.length > PARSED_MAX) return markdown;
  const pieces = markdown.length > PIECE * 5 ? piecesOf(markdown) : [markdown];
  return pieces.map(readPiece).join('\n');
}

/** Reads the text of a piece. Markdown that cannot be parsed is searched as it is written. */
function readPiece(markdown: string): string {
  try {
    return PARSER.lexer(markdown).map(textOf).join('\n');
  } catch {
    return markdown;
  }
}

/** Splits Markdown into pieces. Each ends at the end of a line, and not within fenced code. */
function piecesOf(markdown: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  let fence: string | undefined;
  for (let line = 0; line < markdown.length; ) {
    const end = markdown.indexOf('\n', line) + 1 || markdown.length;
    const marks = /^ {0,3}(`{3,}|~{3,})/.exec(markdown.slice(line, line + 100))?.[1];
    if (fence === undefined) fence = marks;
    else if (marks?.startsWith(fence)) fence = undefined;
    line = end;
    if (fence !== undefined || line - start < PIECE) continue;
    pieces.push(markdown.slice(start, line));
    start = line;
  }
  pieces.push(markdown.slice(start));
  return pieces;
}

/** Matches the tags of details, which are not shown as text. */
const DETAILS_TAGS = /<\/?(?:details|summary)(?:\s[^>]{0,200})?>/gi;

/** Returns the text of inline Markdown tokens, such as those of a cell of a table, as it reads when it is shown. */
export const inlineText = (tokens: readonly Token[]): string => tokens.map(textOf).join('');

function textOf(token: Token): string {
  switch (token.type) {
    case 'space':
    case 'def':
      return '';
    case 'br':
      return '\n';
    case 'html': {
      const tag = token.raw.trim();
      if (LINE_BREAK.test(tag)) return '\n';
      return INLINE_TAG.test(tag) ? '' : token.raw.replace(DETAILS_TAGS, '');
    }
    case 'list':
      return (token as Tokens.List).items.map(textOf).join('\n');
    case 'table': {
      const { header, rows } = token as Tokens.Table;
      return [header, ...rows].map((row) => row.map(({ tokens }) => tokens.map(textOf).join('')).join('\n')).join('\n');
    }
    case 'blockquote':
    case 'list_item':
      return (token.tokens ?? []).map(textOf).join('\n');
    default: {
      const inner = 'tokens' in token ? token.tokens : undefined;
      if (inner !== undefined && inner.length > 0) return inner.map(textOf).join('');
      return 'text' in token && typeof token.text === 'string' ? decodeEntities(token.text) : token.raw;
    }
  }
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** Undoes the escapes that the lexer puts into the text of some tokens. */
const decodeEntities = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (whole, name: string) => ENTITIES[name] ?? whole);
