import { defined } from '#lib/base/defined.ts';
import { estimateTokens, UNKNOWN_CONTEXT_TOKENS } from '#lib/base/estimate-tokens.ts';
import type { StudioData } from '#lib/messages/chunk.ts';
import type { CompactionPart, Message, PromptSettings, Usage } from '#lib/messages/message.ts';
import type { AgentModel } from '../agent-model.ts';
import { countedReasoning } from '../fit-history.ts';
import { type HistoryUnit, unitTokens } from '../history.ts';
import { type PromptOptions, type WholePrompt, wholePrompt } from '../prompt.ts';
import { scaledSections, totalOf } from '../prompt-sections.ts';
import { compactionsOf, currentSummary } from './applied.ts';
import { type Fact, formatFact, latestFacts } from './facts.ts';
import { isBefore } from './position.ts';
import { staleCalls } from './stale-results.ts';
import { type Refusal, type Summarizer, SummaryRefused, summarize } from './summarize.ts';
import { textsOf, transcriptsOf } from './transcript.ts';

/** Options that decide whether and how a conversation is compacted. */
export interface CompactionOptions {
  /** The share of a prompt's room at which compaction happens by itself; 0 for never. */
  share: number;
  /** The maximum length of each of the person's messages in a summary, in characters. */
  messageChars: number;
  /** Whether the person has asked for compaction. */
  isAsked: boolean;
  /** The model that writes summaries; by default, the thread's own model. */
  model?: AgentModel | undefined;
  /**
   * The model that was chosen to write summaries but cannot be used, and the reason (`detail`). A compaction that needs a
   * summary then fails. Absent if there is no such problem.
   */
  unusable?: { model: string; provider: string; detail: string } | undefined;
  /** Describes the error with which a request for a summary failed, without secrets (rule R18). */
  describe(error: unknown): string;
}

/** The conversation to compact, and the prompt for which it is compacted. */
interface CompactRequest {
  messages: readonly Message[];
  settings: PromptSettings;
  /** The whole prompt as it is without the new compaction. */
  whole: WholePrompt;
  promptOptions: PromptOptions;
  model: AgentModel;
  options: CompactionOptions;
  /** The maximum number of retries of a request after temporary failures. */
  maxRetries: number;
  abortSignal: AbortSignal | undefined;
  /** Called when a model is about to be asked for a summary. */
  onStart(): void;
}

/** A compaction as it is added to the turn. */
type NewCompaction = StudioData['compaction'];

/**
 * The share of the room for messages that the newest units may take, which stay verbatim after a summary. `asked`: if the
 * person asks for compaction.
 */
const TAIL_SHARE = { automatic: 0.25, asked: 0.1 } as const;

/**
 * The share of the size at which compaction is due, down to which leaving out stale results must bring the prompt. Otherwise, a
 * summary is made, too.
 */
const STUBS_SHARE = 0.9;

/**
 * The minimum gain from leaving out stale results alone, as a share of the room for messages. With less, they are left out only
 * together with a new summary.
 */
const GAIN_SHARE = 0.1;

/**
 * The minimum size of what a summary covers: a share of the room for messages, or a number of tokens if the person asks
 * for compaction.
 */
const COVERED = { share: 0.1, askedTokens: 150 } as const;

/** The length of a summary without its facts: `share` of the room for messages, but at least `min` and at most `max` tokens. */
const SUMMARY = { share: 0.15, min: 200, max: 1_500 } as const;

/** The share of the room for messages that a summary's facts may take. */
const FACTS_SHARE = 0.15;
/** The share of the room for messages that the person's own words in a summary may take. */
const SAID_SHARE = 0.2;

/**
 * The number of messages after a failed compaction before the next try: those of this turn and of two more. Each further
 * failure doubles the number, at most `doublingsMax` times.
 */
const PAUSE = { messages: 6, doublingsMax: 3 } as const;

/**
 * The number of messages after a summary during which the next compaction is due only when the conversation fills the whole
 * room, instead of the share at which it is due otherwise.
 */
const RECENT_MESSAGES = 8;

/** The largest share of a conversation's tokens that a summary may leave. A summary that leaves more is of no use. */
const SHRINK_MIN = 0.9;

/** The size of a summarizer's instructions, in tokens. */
const INSTRUCTION_TOKENS = 600;

/** The share of its window that a summarizer may fill, so that its reply fits, too. */
const READABLE_SHARE = 0.7;

/**
 * Compacts a conversation, if it is time to or the person has asked: first, results that are out of date are left out; if that
 * is not enough, everything but the newest steps is summarized. Resolves with the compactions to add to the turn: none, one, a
 * failed one that records the reason, or one that leaves out results and a failed one. Rejects only if it is aborted.
 */
export async function compact(request: CompactRequest): Promise<NewCompaction[]> {
  const { settings, whole, options, abortSignal } = request;
  const room = roomOf(whole, settings);
  if (!options.isAsked && !isDue(request, room)) return [];
  const known = new Set(compactionsOf(request.messages).flatMap(({ stubs: ids }) => ids));
  const stubs = staleCalls(whole.units.slice(0, -1), readersOf(request)).filter((id) => !known.has(id));
  const stubbed = partOf(request, { stubs });
  // Each of them changes an early part of the prompt, which is then in no provider's cache.
  const gain = totalOf(stubbed.before) - totalOf(stubbed.after);
  const kept = gain >= room.free * GAIN_SHARE ? [stubbed] : [];
  const enough = settings.budgetTokens * options.share * STUBS_SHARE;
  if (!options.isAsked && kept.length > 0 && totalOf(stubbed.after) <= enough) return kept;
  const left = kept.length === 0 ? whole : wholeOf(request, kept);
  const from = tailOf(left, room, request);
  if (from === undefined) return options.isAsked && kept.length === 0 ? [failed(request, 'nothing')] : kept;
  if (options.unusable !== undefined) return [...kept, failed(request, 'failed', options.unusable)];
  const usage: Usage = {};
  try {
    return [await summarized(request, { stubs, from, usage, units: left.units })];
  } catch (error) {
    abortSignal?.throwIfAborted();
    const [reason, detail] =
      error instanceof SummaryRefused
        ? (['refused', error.code] as const)
        : (['failed', options.describe(error)] as const);
    return [...kept, failed(request, reason, { detail, usage })];
  }
}

/** The room for messages, and for the whole prompt, in estimated tokens. */
interface Room {
  free: number;
  whole: number;
}

function roomOf({ sections: { system, tools, protocol } }: WholePrompt, settings: PromptSettings): Room {
  const whole = settings.budgetTokens / (settings.tokenScale ?? 1);
  return { whole, free: whole - system - tools - protocol };
}

/**
 * Checks whether a prompt is so long that it is time for compaction. Returns false if a compaction has failed lately,
 * because another try would only cost, or if the person has undone the latest one. They may then ask for compaction.
 */
function isDue({ messages, settings, whole, options }: CompactRequest, room: Room): boolean {
  // No summary makes room for what does not come from messages.
  if (options.share === 0 || settings.layout === undefined || room.free <= 0) return false;
  const all = partsOf(messages);
  if (all.findLast(({ failed: failure }) => failure === undefined)?.undone === true) return false;
  const latest = all.findLastIndex(({ summary }) => summary !== undefined);
  const failures = all.slice(latest + 1).filter(isFailure).length;
  const pause = PAUSE.messages * 2 ** Math.min(failures - 1, PAUSE.doublingsMax);
  if (failures > 0 && partsOf(messages.slice(-pause)).some(isFailure)) return false;
  // Only a smaller window makes a summary too long that was not when it was made.
  if (whole.isShortened && (all[latest]?.roomTokens ?? 0) > settings.budgetTokens) return true;
  const isRecent = compactionsOf(messages.slice(-RECENT_MESSAGES)).some(({ summary }) => summary !== undefined);
  return whole.tokens > room.whole * (isRecent ? 1 : options.share);
}

const partsOf = (messages: readonly Message[]): CompactionPart[] =>
  messages.flatMap((message) =>
    message.role === 'assistant' ? message.parts.filter((part) => part.type === 'compaction') : [],
  );

const isFailure = ({ failed: failure }: CompactionPart): boolean =>
  failure !== undefined && failure.reason !== 'nothing';

const readersOf =
  ({ promptOptions: { catalogue } }: CompactRequest) =>
  (toolName: string): boolean =>
    catalogue.tools.get(toolName)?.effect === 'read';

/** The whole prompt with these compactions at the end of the turn, besides those that already apply. */
function wholeOf({ messages, settings, promptOptions }: CompactRequest, added: readonly NewCompaction[]): WholePrompt {
  const [turn] = messages.slice(-1);
  const parts = added.map((part): CompactionPart => ({ type: 'compaction', ...part }));
  const all =
    turn?.role === 'assistant' ? [...messages.slice(0, -1), { ...turn, parts: [...turn.parts, ...parts] }] : messages;
  return wholePrompt(all, { ...settings, compactions: compactionsOf(all).map(({ id }) => id) }, promptOptions);
}

function partOf(request: CompactRequest, { stubs, summary }: Pick<NewCompaction, 'stubs' | 'summary'>): NewCompaction {
  const { settings, whole, options } = request;
  const scale = settings.tokenScale ?? 1;
  const sections = scaledSections(whole.sections, scale);
  const part: NewCompaction = {
    id: crypto.randomUUID(),
    ...(options.isAsked && { asked: true }),
    stubs,
    ...defined({ summary }),
    roomTokens: settings.budgetTokens,
    before: sections,
    after: sections,
  };
  return { ...part, after: scaledSections(wholeOf(request, [part]).sections, scale) };
}

/** A failed compaction, which changes nothing but records the reason. */
function failed(
  request: CompactRequest,
  reason: 'nothing' | 'refused' | 'failed',
  { detail = '', usage, ...who }: { detail?: string; usage?: Usage; model?: string; provider?: string } = {},
): NewCompaction {
  const { id: model, provider } = request.options.model ?? request.model;
  const used = usage !== undefined && Object.keys(usage).length > 0 ? { usage } : {};
  return { ...partOf(request, { stubs: [] }), failed: { reason, model, provider, detail, ...who, ...used } };
}

/**
 * Finds the position from which a new summary keeps everything as it is; undefined if too little precedes it. The newest step
 * stays whole, with whatever its provider needs back, and so does the newest question. If the current summary had to be
 * shortened to fit, there is always a position, so that a new one replaces it.
 */
function tailOf(
  { units, isShortened }: WholePrompt,
  room: Room,
  { messages, settings, promptOptions, options }: CompactRequest,
): HistoryUnit['at'] | undefined {
  const sends = countedReasoning({ ...promptOptions, ...settings });
  const sizes = units.map((unit) => unitTokens(unit, sends));
  const tailRoom = room.free * (options.isAsked ? TAIL_SHARE.asked : TAIL_SHARE.automatic);
  let first = units.length - 1;
  for (let size = sizes[first] ?? 0; first > 0; first--) {
    size += sizes[first - 1] ?? 0;
    if (size > tailRoom) break;
  }
  const newest = units.findLastIndex(({ role }) => role === 'user');
  if (options.isAsked && first === 0) first = newest;
  const covered = sizes.slice(0, first).reduce((sum, size, index) => (index === newest ? sum : sum + size), 0);
  const least = options.isAsked ? COVERED.askedTokens : room.free * COVERED.share;
  if (covered < least && !isShortened) return undefined;
  // The question of a turn stays in the prompt although a summary covers it, and the steps between the two must not return.
  const now = currentSummary(messages)?.from;
  const tail = units.slice(first).find(({ at }) => now === undefined || !isBefore(at, messages, now));
  return tail?.at ?? units.at(-1)?.at;
}

async function summarized(
  request: CompactRequest,
  {
    stubs,
    from,
    usage,
    units,
  }: { stubs: string[]; from: HistoryUnit['at']; usage: Usage; units: readonly HistoryUnit[] },
): Promise<NewCompaction> {
  const { messages, settings, promptOptions, options, maxRetries, abortSignal } = request;
  const { free: room } = roomOf(request.whole, settings);
  const { model, contextSize, tokenScale } = readerOf(request);
  const start = { messageId: messages[from.message]?.id ?? '', part: from.part };
  const covered = units.filter(({ at }) => isBefore(at, messages, start));
  const length = Math.round(Math.min(SUMMARY.max, Math.max(SUMMARY.min, room * SUMMARY.share)));
  const hasFiles = promptOptions.catalogue.tools.list(settings.toolsets).some(({ needs }) => needs.includes('files'));
  const base = {
    from: start,
    messageChars: options.messageChars,
    saidTokens: Math.round(room * SAID_SHARE),
    ...(hasFiles && { hasFiles: true as const }),
    model: model.id,
    provider: model.provider,
  };
  const partWith = (text: string) => partOf(request, { stubs, summary: { ...base, text } });
  const startedAt = performance.now();
  request.onStart();
  const summarizer: Summarizer = {
    model,
    contextSize,
    tokenScale,
    maxRetries,
    abortSignal,
    onUsage: (one) => add(usage, one),
  };
  let text = currentSummary(messages)?.text ?? '';
  const reply = 2 * (length + room * FACTS_SHARE);
  const readable = (contextSize / tokenScale) * READABLE_SHARE - INSTRUCTION_TOKENS - estimateTokens(text) - reply;
  const { parts, leftOut } = transcriptsOf(covered, Math.max(length, readable));
  const passes = parts.length === 0 ? [{ text: '', units: [] }] : parts;
  for (const [index, pass] of passes.entries()) {
    const facts = fittingFacts(latestFacts(text, textsOf(pass.units)), room * FACTS_SHARE);
    const maxTokens = length + estimateTokens(facts.map(formatFact).join('\n'));
    text = await summarize(summarizer, {
      earlier: text,
      transcript: pass.text,
      facts,
      maxTokens,
      refuse: (summary) => (index === passes.length - 1 ? uselessness(request, partWith(summary)) : undefined),
    });
  }
  const summary = {
    ...base,
    text,
    usage,
    durationMs: Math.round(performance.now() - startedAt),
    ...(leftOut > 0 && { leftOut }),
  };
  return { ...partWith(text), summary };
}

/**
 * Returns the reason why a compaction's summary is of no use: it has to be shortened to fit, or it hardly makes the prompt
 * shorter. Undefined if it can be used.
 */
function uselessness(request: CompactRequest, part: NewCompaction): Refusal | undefined {
  const { before, after } = part;
  if (wholeOf(request, [part]).isShortened) return 'too-long';
  return changeable(after) > changeable(before) * SHRINK_MIN ? 'no-shorter' : undefined;
}

/** Returns the model that writes the summary, with its window and its token scale. */
function readerOf({
  settings,
  model,
  options,
}: CompactRequest): Pick<Summarizer, 'model' | 'contextSize' | 'tokenScale'> {
  const { model: other } = options;
  if (other !== undefined)
    return { model: other, contextSize: other.contextSize ?? UNKNOWN_CONTEXT_TOKENS, tokenScale: 1 };
  const { contextSize = UNKNOWN_CONTEXT_TOKENS, tokenScale = 1 } = settings;
  return { model, contextSize, tokenScale };
}

/** Counts the tokens of a prompt that compaction can change. */
const changeable = ({ summary, history, files, results }: CompactionPart['before']): number =>
  summary + history + files + results;

/** The newest facts that fit into `maxTokens`, oldest first. */
function fittingFacts(facts: readonly Fact[], maxTokens: number): Fact[] {
  let left = maxTokens;
  const kept = facts.toReversed().filter((fact) => {
    left -= estimateTokens(formatFact(fact)) + 1;
    return left >= 0;
  });
  return kept.reverse();
}

function add(sum: Usage, { inputTokens = 0, outputTokens = 0, cachedInputTokens = 0, cacheWriteTokens = 0 }: Usage) {
  sum.inputTokens = (sum.inputTokens ?? 0) + inputTokens;
  sum.outputTokens = (sum.outputTokens ?? 0) + outputTokens;
  if (cachedInputTokens > 0) sum.cachedInputTokens = (sum.cachedInputTokens ?? 0) + cachedInputTokens;
  if (cacheWriteTokens > 0) sum.cacheWriteTokens = (sum.cacheWriteTokens ?? 0) + cacheWriteTokens;
}
