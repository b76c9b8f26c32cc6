import { shortened } from '#lib/messages/said.ts';
import { resultContent } from '#lib/tools/core/tool-call.ts';
import type { HistoryUnit } from '../history.ts';
import { estimateTokens } from '../tokens.ts';

/** How much of each entry a summarizer reads, in characters: as much as fits. */
const ENTRY_CHARS = [4_000, 1_500, 600, 250, 120] as const;

/** A history as text for a summarizer. */
export interface Transcript {
  text: string;
  /** How many of the oldest entries did not fit. */
  leftOut: number;
}

/** Writes a history so that it fits: first, long entries are shortened, and then the oldest ones are left out. */
export function transcriptOf(units: readonly HistoryUnit[], maxTokens: number): Transcript {
  let entries: string[] = [];
  for (const chars of ENTRY_CHARS) {
    entries = units.flatMap((unit) => entriesOf(unit, chars));
    if (estimateTokens(entries.join('\n\n')) <= maxTokens) return { text: entries.join('\n\n'), leftOut: 0 };
  }
  const sizes = entries.map((entry) => estimateTokens(entry) + 1);
  let total = sizes.reduce((sum, size) => sum + size, 0);
  let leftOut = 0;
  while (leftOut < entries.length - 1 && total > maxTokens) total -= sizes[leftOut++] ?? 0;
  return { text: entries.slice(leftOut).join('\n\n'), leftOut };
}

/** The texts of a history in which facts may be listed: not the contents of files, which can be read again. */
export const textsOf = (units: readonly HistoryUnit[]): string[] =>
  units.flatMap((unit) => {
    if (unit.role === 'user') return unit.message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    return unit.parts.flatMap((part) => {
      if (part.type === 'text') return [part.text];
      const { result } = part.type === 'tool-call' ? part : {};
      return result?.type === 'tool-result' && (result.files ?? []).length === 0 ? [resultContent(result)] : [];
    });
  });

function entriesOf(unit: HistoryUnit, chars: number): string[] {
  if (unit.role === 'user') {
    const text = unit.message.parts.map((part) => (part.type === 'text' ? part.text : `[${part.filename ?? 'file'}]`));
    return [`PERSON: ${shortened(text.join('\n'), chars)}`];
  }
  return unit.parts.flatMap((part) => {
    if (part.type === 'text') return [`ASSISTANT: ${shortened(part.text, chars)}`];
    if (part.type !== 'tool-call') return [];
    const input = part.inputText ?? JSON.stringify(part.input ?? {});
    const { result } = part;
    const outcome = result === undefined ? 'no result' : resultContent(result);
    const name = result?.type === 'tool-error' ? 'FAILED' : 'RESULT';
    return [`CALL of ${part.toolName}: ${shortened(input, chars)}`, `${name}: ${shortened(outcome, chars)}`];
  });
}
