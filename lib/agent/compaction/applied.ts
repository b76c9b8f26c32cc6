import type { CompactionPart, Message, PromptSettings } from '#lib/messages/message.ts';
import type { HistoryUnit } from '../history.ts';
import { isBefore } from './position.ts';
import { withStubs } from './stale-results.ts';
import { summaryText } from './summary-text.ts';

/**
 * The history of a prompt after compaction: notes stand in the place of stale results, which show files as they no longer are
 * or were read again, and a summary stands in the place of older units, which are user messages and steps.
 */
export interface CompactedHistory {
  units: HistoryUnit[];
  /** The summary of the units that are left out; empty if none are. */
  summary: string;
  /** Whether the summary was shortened, because it was made for a larger window and would not fit. */
  isShortened: boolean;
}

/** Returns the compactions in a branch that apply to its prompts, oldest first: all but those that failed or were undone. */
export const compactionsOf = (messages: readonly Message[]): CompactionPart[] =>
  partsOf(messages).filter(({ undone, failed }) => undone !== true && failed === undefined);

const partsOf = (messages: readonly Message[]): CompactionPart[] =>
  messages.flatMap((message) =>
    message.role === 'assistant' ? message.parts.filter((part) => part.type === 'compaction') : [],
  );

/**
 * Returns the latest summary of the compactions with the given `ids`; undefined if there is none. Ignores a summary if its
 * point `from`, from which it keeps everything, is in a message that the branch no longer has.
 */
export function latestSummary(messages: readonly Message[], ids: readonly string[]): CompactionPart['summary'] {
  const summaries = partsOf(messages).flatMap(({ id, summary }) => (summary && ids.includes(id) ? [summary] : []));
  return summaries.findLast(({ from }) => messages.some(({ id }) => id === from.messageId));
}

/** Returns the summary that stands for older messages in the prompt of the next step; undefined if there is none. */
export const currentSummary = (messages: readonly Message[]): CompactionPart['summary'] =>
  latestSummary(
    messages,
    compactionsOf(messages).map(({ id }) => id),
  );

/**
 * Applies the compactions that a step's settings name to the units of its history: puts notes in the place of stale results,
 * and leaves out the units before the point from which the latest summary keeps everything, except for the newest question.
 * Each step stays or goes as a whole (rules R1, R16, R17). `roomTokens`: the room for history and summary, in estimated
 * tokens.
 */
export function compacted(
  messages: readonly Message[],
  units: readonly HistoryUnit[],
  { compactions = [] }: Pick<PromptSettings, 'compactions'>,
  roomTokens: number,
): CompactedHistory {
  const parts = partsOf(messages).filter(({ id }) => compactions.includes(id));
  const stubbed = withStubs(units, new Set(parts.flatMap(({ stubs }) => stubs)));
  const summary = latestSummary(messages, compactions);
  if (summary === undefined) return { units: stubbed, summary: '', isShortened: false };
  const newest = stubbed.findLastIndex(({ role }) => role === 'user');
  const { text, isShortened } = summaryText(messages, summary, roomTokens);
  return {
    units: stubbed.filter(({ at }, index) => index === newest || !isBefore(at, messages, summary.from)),
    summary: text,
    isShortened,
  };
}
