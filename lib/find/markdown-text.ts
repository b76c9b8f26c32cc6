import { marked, type Token, type Tokens } from 'marked';

/** Longer texts are searched as they are written: taking them apart would take too long. */
const PARSED_MAX = 200_000;

/** The text of Markdown as it reads when it is shown, with a line break after each block. */
export function markdownText(markdown: string): string {
  return markdown.length > PARSED_MAX ? markdown : marked.lexer(markdown).map(textOf).join('\n');
}

function textOf(token: Token): string {
  switch (token.type) {
    case 'space':
    case 'def':
      return '';
    case 'br':
      return '\n';
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

/** The lexer escapes these in the text of some tokens. */
const decodeEntities = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (whole, name: string) => ENTITIES[name] ?? whole);
