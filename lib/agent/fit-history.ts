import type { AssistantPart, Notice, PromptSettings } from '#lib/messages/message.ts';
import { type CutNotice, cutResults, type HistoryUnit, type SendsReasoning, trimUnits, unitTokens } from './history.ts';
import { type ReasoningOptions, sendsReasoning } from './model-messages.ts';

/** The smallest size to which a result is cut, in tokens. */
const RESULT_TOKENS_MIN = 50;
/** The approximate size of the note about a cut result, in tokens. */
const CUT_NOTE_TOKENS = 24;

/** Options for fitting a history into a prompt. */
interface FitOptions
  extends Pick<PromptSettings, 'budgetTokens' | 'strideTokens' | 'tokenScale' | 'layout'>,
    ReasoningOptions {
  /** The size of the prompt without its history, in estimated tokens. */
  overhead: number;
  /** The share of the budget that one result may use. */
  resultShare: number;
}

/**
 * A history that was shortened to fit into its room. What always stays, the newest question and the newest step, may still be
 * too long.
 */
interface FittingHistory {
  units: readonly HistoryUnit[];
  notices: Notice[];
  /** The estimated size of the history. */
  tokens: number;
}

/**
 * Returns a function that checks whether the reasoning of a step counts in the size of the history, because the model gets
 * it back. Undefined if the settings have no `layout`, as in earlier versions, where only the current turn's reasoning
 * counts.
 */
export const countedReasoning = (options: Pick<FitOptions, 'layout'> & ReasoningOptions): SendsReasoning | undefined =>
  options.layout && ((unit) => sendsReasoning(unit, options));

/**
 * Shortens a history so that it fits into a prompt: cuts long results, then leaves out the oldest units, which are user
 * messages and whole steps (rules R8, R16). `budgetTokens`, the room for the whole prompt, and `strideTokens`, how much is
 * left out at a time, are in the model's own tokens; all other sizes are in estimated ones.
 */
export function fitHistory(units: readonly HistoryUnit[], options: FitOptions): FittingHistory {
  const { overhead, resultShare, layout, tokenScale = 1, strideTokens = tokenScale } = options;
  const budget = options.budgetTokens / tokenScale;
  const cut = cutResults(units, Math.floor(budget * resultShare));
  const sends = countedReasoning(options);
  const trimmed = trimUnits(cut.units, budget - overhead, strideTokens / tokenScale, sends);
  const fitting = layout === undefined ? { ...trimmed, notices: [] } : fitNewest(trimmed, budget - overhead, sends);
  const cutAgain = new Set(fitting.notices.map(({ toolName }) => toolName));
  const notices: Notice[] = [...cut.notices.filter(({ toolName }) => !cutAgain.has(toolName)), ...fitting.notices];
  if (trimmed.dropped > 0) {
    const tokens = Math.round(trimmed.droppedTokens * tokenScale);
    notices.push({ code: 'history-trimmed', messages: trimmed.dropped, tokens });
  }
  return { units: fitting.units, tokens: fitting.tokens, notices };
}

/** Cuts the newest step's results to equal lengths if they do not fit together: that step is never left out. */
function fitNewest(
  { units, tokens }: { units: readonly HistoryUnit[]; tokens: number },
  room: number,
  sends: SendsReasoning | undefined,
): { units: readonly HistoryUnit[]; tokens: number; notices: CutNotice[] } {
  const newest = units.at(-1);
  const results = newest?.role === 'assistant' ? newest.parts.filter(hasResult).length : 0;
  if (tokens <= room || newest?.role !== 'assistant' || results === 0) return { units, tokens, notices: [] };
  const bare = {
    ...newest,
    parts: newest.parts.map((part) => (hasResult(part) ? { ...part, result: undefined } : part)),
  };
  const others = tokens - unitTokens(newest, sends) + unitTokens(bare, sends);
  const share = Math.max(RESULT_TOKENS_MIN, Math.floor((room - others) / results) - CUT_NOTE_TOKENS);
  const cut = cutResults([newest], share);
  const size = cut.units.reduce((sum, unit) => sum + unitTokens(unit, sends), 0);
  return {
    units: [...units.slice(0, -1), ...cut.units],
    tokens: tokens - unitTokens(newest, sends) + size,
    notices: cut.notices,
  };
}

const hasResult = (part: AssistantPart): boolean => part.type === 'tool-call' && part.result !== undefined;
