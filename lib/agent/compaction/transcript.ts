import { estimateTokens } from '#lib/base/estimate-tokens.ts';
import { shortened } from '#lib/messages/said.ts';
import { resultContent } from '#lib/tools/core/tool-call.ts';
import type { HistoryUnit } from '../history.ts';

/** The lengths to which entries may be shortened for a summarizer, in characters. The largest that fits is used. */
const ENTRY_CHARS = [4_000, 1_500, 600, 250, 120] as const;

/** The maximum number of parts of a history that a summarizer reads for one summary, one after the other. */
const PASSES_MAX = 5;

/** A part of a history, as text for the model that summarizes it. `units`: the messages and steps that the text is about. */
export interface Transcript {
  text: string;
  units: readonly HistoryUnit[];
}

/**
 * Writes a history as text for the model that summarizes it, in parts of at most `maxTokens` (estimated). First, long
 * entries are shortened; if that is not enough, the text is divided into parts; only if these are too many, the oldest ones
 * are left out. `leftOut`: the number of units (user messages and steps) in them.
 */
export function transcriptsOf(
  units: readonly HistoryUnit[],
  maxTokens: number,
): { parts: Transcript[]; leftOut: number } {
  for (const chars of ENTRY_CHARS) {
    const parts = partsOf(units, chars, maxTokens);
    // Two parts with more in them are better than one with hardly anything.
    if (parts.length <= (chars > 1_000 ? 1 : 2)) return { parts, leftOut: 0 };
  }
  const parts = partsOf(units, ENTRY_CHARS.at(-1) ?? 0, maxTokens);
  const read = parts.slice(-PASSES_MAX);
  return { parts: read, leftOut: units.length - read.reduce((sum, part) => sum + part.units.length, 0) };
}

/**
 * Returns the texts that the person and the model wrote, without reasoning, calls, and results. Facts may be listed in them.
 */
export const textsOf = (units: readonly HistoryUnit[]): string[] =>
  units.flatMap((unit) => {
    const parts = unit.role === 'user' ? unit.message.parts : unit.parts;
    return parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  });

function partsOf(units: readonly HistoryUnit[], chars: number, maxTokens: number): Transcript[] {
  const parts: { texts: string[]; units: HistoryUnit[]; tokens: number }[] = [];
  for (const unit of units) {
    // One step with very many calls must not be longer than the rest together.
    const whole = entriesOf(unit, chars).join('\n\n');
    const text = estimateTokens(whole) > maxTokens ? shortened(whole, maxTokens) : whole;
    const tokens = estimateTokens(text) + 1;
    const last = parts.at(-1);
    if (last === undefined || last.tokens + tokens > maxTokens) parts.push({ texts: [text], units: [unit], tokens });
    else {
      last.texts.push(text);
      last.units.push(unit);
      last.tokens += tokens;
    }
  }
  return parts.map(({ texts, units: own }) => ({ text: texts.filter(Boolean).join('\n\n'), units: own }));
}

function entriesOf(unit: HistoryUnit, chars: number): string[] {
  if (unit.role === 'user') {
    const text = unit.message.parts.map((part) => (part.type === 'text' ? part.text : `[${part.filename ?? 'file'}]`));
    return [entry('PERSON', text.join('\n'), chars)];
  }
  return unit.parts.flatMap((part) => {
    if (part.type === 'text') return [entry('ASSISTANT', part.text, chars)];
    if (part.type !== 'tool-call') return [];
    const input = part.inputText ?? JSON.stringify(part.input ?? {});
    const { result } = part;
    const outcome = result === undefined ? 'no result' : resultContent(result);
    const name = result?.type === 'tool-error' ? 'FAILED' : 'RESULT';
    return [entry(`CALL of ${part.toolName}`, input, chars), entry(name, outcome, chars)];
  });
}

/** An entry of a transcript. Only its first line begins at the margin, so that no text can pretend to be another entry. */
const entry = (name: string, text: string, chars: number): string =>
  `${name}: ${shortened(text, chars).replace(/\n/g, '\n  ')}`;
