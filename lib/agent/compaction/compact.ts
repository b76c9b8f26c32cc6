import type { CompactionPart, Message, Notice, PromptSettings } from '#lib/messages/message.ts';
import type { AgentModel } from '../agent-model.ts';
import { type HistoryUnit, type SendsReasoning, unitTokens } from '../history.ts';
import { sendsReasoning } from '../model-messages.ts';
import { type PromptOptions, type WholePrompt, wholePrompt } from '../prompt.ts';
import { scaledSections, totalOf } from '../prompt-sections.ts';
import { estimateTokens, promptBudget } from '../tokens.ts';
import { compactionsOf, latestSummary } from './applied.ts';
import { type Fact, formatFact, latestFacts } from './facts.ts';
import { isBefore } from './position.ts';
import { staleCalls } from './stale-results.ts';
import { SummaryRefused, summarize } from './summarize.ts';
import { textsOf, transcriptOf } from './transcript.ts';

/** When and how conversations are compacted. */
export interface CompactionOptions {
  /** The share of a prompt's room at which it happens by itself; 0 for never. */
  share: number;
  /** How much of each of the person's messages a summary contains, in characters. */
  messageChars: number;
  /** Whether the person has asked for it. */
  isAsked: boolean;
  /** Who writes summaries; by default, the thread's own model. */
  model?: AgentModel | undefined;
  /** Says why that model could not be asked, without secrets (rule R18). */
  describe(error: unknown): string;
}

/** What is compacted, and for which prompt. */
export interface CompactRequest {
  messages: readonly Message[];
  settings: PromptSettings;
  promptOptions: PromptOptions;
  model: AgentModel;
  options: CompactionOptions;
  /** How often a request is repeated if it fails in a passing way. */
  maxRetries: number;
  abortSignal: AbortSignal | undefined;
  /** A model is about to be asked for a summary. */
  onStart(): void;
}

/** What came of it: the part to add to the turn, and what the person should know. */
export interface Compacted {
  part?: Omit<CompactionPart, 'type' | 'runId'>;
  notice?: Notice;
}

/** The share of a prompt's room that stays verbatim at the end: by itself, and if the person asks for it. */
const TAIL_SHARE = { automatic: 0.25, asked: 0.1 } as const;

/** Below this share, leaving out stale results is enough. */
const STUBS_SHARE = 0.6;

/** What precedes the tail must be at least this share, or a summary would gain little. */
const COVERED_SHARE = 0.1;

/** The length of a summary without its facts, as a share of the room and in tokens. */
const SUMMARY = { share: 0.15, min: 200, max: 1_500 } as const;

/** How much of the room the facts may take. */
const FACTS_SHARE = 0.2;

/** How much of the room the person's own words may take, in characters for each token of it. */
const SAID_CHARS_PER_TOKEN = 1;

/** How many of the latest messages go without after it has failed: this turn, and the one before. */
const PAUSE_MESSAGES = 3;

/** A summary that leaves more than this share of the conversation is of no use. */
const SHRINK_MIN = 0.9;

/** What a summarizer's instructions and a second try take, in tokens. */
const SUMMARIZER_OVERHEAD = 1_200;

/**
 * Compacts a conversation, if it is time to: first, results that are out of date are left out; if that is not enough,
 * everything but the newest steps is summarized. Rejects only if it is aborted.
 */
export async function compact(request: CompactRequest): Promise<Compacted> {
  const { messages, settings, options, abortSignal } = request;
  const whole = wholeOf(request, []);
  const room = settings.budgetTokens / (settings.tokenScale ?? 1);
  if (!options.isAsked && !isDue(request, whole, room)) return {};
  const stubs = staleCalls(whole.units.slice(0, -1), readersOf(request));
  const stubbed = partOf(request, whole, { stubs });
  const isEnough =
    !options.isAsked && stubs.length > 0 && totalOf(stubbed.after) <= settings.budgetTokens * STUBS_SHARE;
  if (isEnough) return { part: stubbed };
  const kept = stubs.length > 0 ? { part: stubbed } : {};
  const from = tailOf(wholeOf(request, [stubbed]), room, request);
  if (from === undefined) return options.isAsked && stubs.length === 0 ? failed(request, 'nothing', '') : kept;
  try {
    return { part: await summarized(request, whole, { stubs, from, messages }) };
  } catch (error) {
    abortSignal?.throwIfAborted();
    if (error instanceof SummaryRefused) return { ...kept, ...failed(request, 'refused', error.message) };
    return { ...kept, ...failed(request, 'failed', options.describe(error)) };
  }
}

type Part = Omit<CompactionPart, 'type' | 'runId'>;

/** If it has failed, a few turns go on without. */
function isDue(
  { messages, settings, options }: CompactRequest,
  { tokens, sections: { system, tools, protocol } }: WholePrompt,
  room: number,
): boolean {
  // No summary makes room for what does not come from messages.
  if (system + tools + protocol >= room) return false;
  const hasFailed = messages
    .slice(-PAUSE_MESSAGES)
    .flatMap((message) => (message.role === 'assistant' ? message.parts : []))
    .some((part) => part.type === 'step' && part.notices.some(({ code }) => code === 'compaction-failed'));
  return options.share > 0 && !hasFailed && tokens > room * options.share && settings.layout !== undefined;
}

const readersOf =
  ({ promptOptions: { catalogue } }: CompactRequest) =>
  (toolName: string): boolean =>
    catalogue.tools.get(toolName)?.effect === 'read';

/** The whole prompt with these compactions at the end of the turn, besides those that already apply. */
function wholeOf({ messages, settings, promptOptions }: CompactRequest, parts: readonly Part[]): WholePrompt {
  const [turn] = messages.slice(-1);
  const added = parts.map((part): CompactionPart => ({ type: 'compaction', ...part }));
  const all =
    turn?.role === 'assistant' ? [...messages.slice(0, -1), { ...turn, parts: [...turn.parts, ...added] }] : messages;
  return wholePrompt(all, { ...settings, compactions: compactionsOf(all).map(({ id }) => id) }, promptOptions);
}

function partOf(
  request: CompactRequest,
  before: WholePrompt,
  { stubs, summary }: Pick<Part, 'stubs' | 'summary'>,
): Part {
  const { settings, options } = request;
  const scale = settings.tokenScale ?? 1;
  const none = scaledSections(before.sections, scale);
  const part: Part = {
    id: crypto.randomUUID(),
    ...(options.isAsked && { asked: true }),
    stubs,
    ...(summary !== undefined && { summary }),
    roomTokens: settings.budgetTokens,
    before: none,
    after: none,
  };
  return { ...part, after: scaledSections(wholeOf(request, [part]).sections, scale) };
}

/**
 * The first unit that stays as it is, if enough precedes it. The newest step stays whole, with whatever its provider
 * needs back, and so does the newest question.
 */
function tailOf(
  { units }: WholePrompt,
  room: number,
  { promptOptions, options }: CompactRequest,
): HistoryUnit['at'] | undefined {
  const sends: SendsReasoning = (unit) => sendsReasoning(unit, promptOptions);
  const sizes = units.map((unit) => unitTokens(unit, sends));
  const tailRoom = room * (options.isAsked ? TAIL_SHARE.asked : TAIL_SHARE.automatic);
  let first = units.length - 1;
  for (let size = sizes[first] ?? 0; first > 0; first--) {
    size += sizes[first - 1] ?? 0;
    if (size > tailRoom) break;
  }
  const newest = units.findLastIndex(({ role }) => role === 'user');
  if (options.isAsked && first === 0) first = newest;
  const covered = sizes.slice(0, first).reduce((sum, size, index) => (index === newest ? sum : sum + size), 0);
  const least = options.isAsked ? 1 : room * COVERED_SHARE;
  return covered < least ? undefined : units[first]?.at;
}

async function summarized(
  request: CompactRequest,
  before: WholePrompt,
  { stubs, from, messages }: { stubs: string[]; from: HistoryUnit['at']; messages: readonly Message[] },
): Promise<Part> {
  const { settings, promptOptions, options, maxRetries, abortSignal } = request;
  const { model = request.model } = options;
  const room = settings.budgetTokens / (settings.tokenScale ?? 1);
  const start = { messageId: messages[from.message]?.id ?? '', part: from.part };
  const covered = before.units.filter(({ at }) => isBefore(at, messages, start));
  const earlier =
    latestSummary(
      messages,
      compactionsOf(messages).map(({ id }) => id),
    )?.text ?? '';
  const facts = fittingFacts(latestFacts(earlier, textsOf(covered)), room * FACTS_SHARE);
  const length = Math.round(Math.min(SUMMARY.max, Math.max(SUMMARY.min, room * SUMMARY.share)));
  const maxTokens = length + estimateTokens(facts.map(formatFact).join('\n'));
  const readable =
    promptBudget(model.contextSize, undefined) - SUMMARIZER_OVERHEAD - estimateTokens(earlier) - 2 * maxTokens;
  const transcript = transcriptOf(covered, Math.max(maxTokens, readable));
  const hasFiles = promptOptions.catalogue.tools.list(settings.toolsets).some(({ needs }) => needs.includes('files'));
  const base = {
    from: start,
    messageChars: options.messageChars,
    saidChars: Math.round(room * SAID_CHARS_PER_TOKEN),
    ...(hasFiles && { hasFiles: true as const }),
    model: model.id,
    provider: model.provider,
  };
  const partWith = (text: string) => partOf(request, before, { stubs, summary: { ...base, text } });
  const startedAt = performance.now();
  request.onStart();
  const { text, usage } = await summarize({
    ...{ model, earlier, transcript: transcript.text, facts, maxTokens, maxRetries, abortSignal },
    refuse(summary) {
      const { before: all, after } = partWith(summary);
      return changeable(after) > changeable(all) * SHRINK_MIN
        ? 'It does not make the conversation shorter.'
        : undefined;
    },
  });
  const part = partWith(text);
  const summary = {
    ...{ ...base, text, usage, durationMs: Math.round(performance.now() - startedAt) },
    ...(transcript.leftOut > 0 && { leftOut: transcript.leftOut }),
  };
  return { ...part, summary };
}

/** What compacting can change of a prompt. */
const changeable = ({ summary, history, files, results }: CompactionPart['before']): number =>
  summary + history + files + results;

/** The newest facts that fit. */
function fittingFacts(facts: readonly Fact[], maxTokens: number): Fact[] {
  let left = maxTokens;
  const kept = facts.toReversed().filter((fact) => {
    left -= estimateTokens(formatFact(fact)) + 1;
    return left >= 0;
  });
  return kept.reverse();
}

function failed(
  { model, options }: CompactRequest,
  reason: 'nothing' | 'refused' | 'failed',
  detail: string,
): Compacted {
  return { notice: { code: 'compaction-failed', reason, model: (options.model ?? model).id, detail } };
}
