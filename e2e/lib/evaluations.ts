import type { AssistantMessage } from '#lib/messages/message.ts';
import { resultContent } from '#lib/tools/core/tool-call.ts';

/** Code, optionally with its own time limit in seconds. */
export type Piece = string | { code: string; timeout: number };

/** The calls with which a model runs pieces of code. */
export const evaluationsOf = (pieces: readonly Piece[]): { name: string; arguments: string }[] =>
  pieces.map((piece) => ({
    name: 'browser_js_eval',
    arguments: JSON.stringify(typeof piece === 'string' ? { code: piece } : piece),
  }));

/**
 * Returns the outcome of each call of a turn as the model got it: the text of the result, or the code and message of
 * the error, separated by a colon.
 */
export const outcomesOf = (turn: AssistantMessage | undefined): string[] =>
  (turn?.parts ?? []).flatMap((part) => {
    if (part.type !== 'tool-call') return [];
    const { result } = part;
    if (result === undefined) return ['no result'];
    return [result.type === 'tool-result' ? resultContent(result) : `${result.code}: ${result.message}`];
  });
