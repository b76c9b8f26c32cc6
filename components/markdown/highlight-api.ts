import { type PackedLines, packLines } from './code-tokens.ts';
import { CodeHighlighter } from './highlighter.ts';
import type { Language } from './languages.ts';

/** A request of the page to the worker to highlight the next piece of some code. */
export interface HighlightRequest {
  /** Identifies the code. The same for all of its pieces. */
  id: number;
  language: Language;
  /** The offset in the code at which `added` begins: after the last complete line that was highlighted. */
  from: number;
  added: string;
  /** Whether the last line is highlighted although it has no line end. */
  isWhole: boolean;
}

/** A message of the page to the worker: code to highlight, which is answered, or the id of code no longer shown. */
export type HighlightMessage = HighlightRequest | { forgotten: number };

/**
 * The worker's answer to a `HighlightRequest`: the tokens of the piece of code. `lost`: the worker does not have the code
 * before the piece. `failed`: highlighting failed.
 */
export type HighlightAnswer = PackedLines | 'lost' | 'failed';

/** The highlighters of all code that is being highlighted, by id. */
const highlighters = new Map<number, CodeHighlighter>();

/** Handles a message in the worker. Resolves with the answer; undefined if the message gets none. Never rejects. */
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
