import { Marked, type Tokens } from 'marked';
import { markdownDialect } from '#lib/base/markdown/dialect.ts';
import { inlineText } from './markdown-text.ts';

const PARSER = new Marked(...markdownDialect());

/** A heading of a Markdown text. */
export interface Heading {
  /** From 1 to 6. */
  level: number;
  /** The text as it reads when it is shown. */
  text: string;
}

/** The headings of a Markdown text that are in no list or quote, in order; none if it cannot be parsed. */
export function headingsIn(markdown: string): Heading[] {
  try {
    return PARSER.lexer(markdown)
      .filter((token): token is Tokens.Heading => token.type === 'heading')
      .map(({ depth, tokens }) => ({ level: depth, text: inlineText(tokens).trim() }));
  } catch {
    // Nobody can be led to them.
    return [];
  }
}
