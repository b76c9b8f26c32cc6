import { type PackedLines, packLines } from './code-tokens.ts';
import { CodeHighlighter } from './highlighter.ts';
import type { Language } from './languages.ts';

/** The next piece of some code. */
export interface HighlightRequest {
  /** The same for all pieces of the same code. */
  id: number;
  language: Language;
  /** Where the piece begins: after the last complete line, in characters. */
  from: number;
  added: string;
  /** Whether the last line is to be highlighted although it may continue. */
  isWhole: boolean;
}

/** A message of the page to the worker: code to highlight, which is answered, or the id of code no longer shown. */
export type HighlightMessage = HighlightRequest | { forgotten: number };

/** The tokens of the piece. `lost`: what comes before the piece is not known here. `failed`: there is no grammar. */
export type HighlightAnswer = PackedLines | 'lost' | 'failed';

/** Code that is being highlighted, by id. */
const highlighters = new Map<number, CodeHighlighter>();

/** The answer of the worker to a message, if it gets one. */
export async function answerTo(message: HighlightMessage): Promise<HighlightAnswer | undefined> {
  if ('forgotten' in message) {
    highlighters.delete(message.forgotten);
    return undefined;
  }
  const { id, language, from, added, isWhole } = message;
  try {
    if (from === 0) highlighters.set(id, await CodeHighlighter.load(language));
    const highlighter = highlighters.get(id);
    if (highlighter?.length !== from) return 'lost';
    return packLines(highlighter.highlight(added, isWhole));
  } catch {
    // The chunk with the grammar cannot be loaded, for example while the server is down.
    return 'failed';
  }
}
