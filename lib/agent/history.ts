import { borderBefore, startOf } from '#lib/base/cut-text.ts';
import { estimateTokens } from '#lib/base/estimate-tokens.ts';
import type {
  AssistantMessage,
  AssistantPart,
  Message,
  Notice,
  StepPart,
  ToolCallPart,
  UserMessage,
} from '#lib/messages/message.ts';
import { blocksOf, blockText, type ContentBlock, type ToolContent } from '#lib/tools/core/content.ts';
import { resultContent } from '#lib/tools/core/tool-call.ts';
import type { Position } from './compaction/position.ts';
import { IMAGE_TOKENS, MESSAGE_TOKENS } from './tokens.ts';

/**
 * A unit of the history in a prompt: a user message, or one step of a turn with its calls and results. `at`: the place in the
 * branch where it begins. `provider`: the provider that wrote the step; undefined if that is not known. `currentTurn`: whether
 * the step answers the newest user message.
 */
export type HistoryUnit =
  | { role: 'user'; at: Position; message: UserMessage }
  | {
      role: 'assistant';
      at: Position;
      provider: string | undefined;
      currentTurn: boolean;
      parts: readonly AssistantPart[];
      /** The message that asked the model again after this step, because a call in it could not be read. */
      correction?: string | undefined;
    };

/** Returns the message that asked the model again after a step whose call could not be read; undefined for any other step. */
type CorrectStep = (step: StepPart) => string | undefined;

/**
 * Converts messages to units, which prompts keep or leave out as a whole (rule R16): user messages, and steps with their
 * calls and results. A failed step was never finished and is left out (rule R15). A step that the user stopped is kept as
 * far as it got (rule R10). `correct`: returns the message that asked the model again after a step, which becomes the unit's
 * `correction`; undefined if there was none.
 */
export function toUnits(messages: readonly Message[], correct: CorrectStep = () => undefined): HistoryUnit[] {
  const lastUser = messages.findLastIndex(({ role }) => role === 'user');
  return messages.flatMap((message, index): HistoryUnit[] =>
    message.role === 'user'
      ? [{ role: 'user', at: { message: index, part: 0 }, message }]
      : stepsOf(message, index, { currentTurn: index > lastUser, correct }),
  );
}

function stepsOf(
  message: AssistantMessage,
  messageIndex: number,
  { currentTurn, correct }: { currentTurn: boolean; correct: CorrectStep },
): HistoryUnit[] {
  const steps: {
    at: Position;
    provider: string | undefined;
    finished: boolean;
    parts: AssistantPart[];
    correction?: string | undefined;
  }[] = [];
  for (const [index, part] of message.parts.entries()) {
    const at = { message: messageIndex, part: index };
    if (part.type === 'step')
      steps.push({
        at,
        provider: part.provider,
        finished: part.finishReason !== undefined,
        parts: [],
        correction: correct(part),
      });
    else if (part.type === 'compaction') continue;
    else if (steps.length === 0) steps.push({ at, provider: undefined, finished: true, parts: [part] });
    else steps.at(-1)?.parts.push(part);
  }
  const stopped = message.status.type === 'stopped';
  return steps
    .filter(
      ({ finished, parts, correction }) => (finished || stopped) && (parts.length > 0 || correction !== undefined),
    )
    .map(({ finished: _, ...step }) => ({ role: 'assistant', currentTurn, ...step }));
}

/** A notice that tells the user that a tool's result was cut for the prompt, and how much of it was kept. */
export type CutNotice = Extract<Notice, { code: 'result-cut' }>;

/**
 * Cuts every tool's result that is longer than `maxTokens` (estimated), and tells the model so in a note at the end of the
 * result. Returns all units, and notices for the user, but only about the results in the last unit.
 */
export function cutResults(
  units: readonly HistoryUnit[],
  maxTokens: number,
): { units: HistoryUnit[]; notices: CutNotice[] } {
  let notices: CutNotice[] = [];
  const cut = units.map((unit): HistoryUnit => {
    if (unit.role === 'user') return unit;
    notices = [];
    return {
      ...unit,
      parts: unit.parts.map((part) => (part.type === 'tool-call' ? cutResult(part, maxTokens, notices) : part)),
    };
  });
  return { units: cut, notices: units.at(-1)?.role === 'assistant' ? notices : [] };
}

function cutResult(part: ToolCallPart, maxTokens: number, notices: CutNotice[]): ToolCallPart {
  const { result } = part;
  if (result === undefined) return part;
  const content = result.type === 'tool-result' ? result.output.content : result.message;
  const text = typeof content === 'string' ? content : textsOf(content);
  const tokens = estimateTokens(text);
  if (tokens <= maxTokens) return part;
  const share = Math.floor((text.length * maxTokens) / tokens);
  const kept = borderBefore(text, share);
  notices.push({ code: 'result-cut', toolName: part.toolName, kept, total: text.length });
  const note = `[This result was cut: the first ${kept} of its ${text.length} characters are shown.]`;
  const beginning = `${text.slice(0, kept)}\n${note}`;
  if (result.type === 'tool-error') return { ...part, result: { ...result, message: beginning } };
  const shown: ToolContent =
    typeof content === 'string' ? beginning : [...cutBlocks(content, kept), { type: 'text', text: note }];
  return { ...part, result: { ...result, output: { ...result.output, content: shown } } };
}

/** Returns the text of a result's blocks, without images. */
const textsOf = (blocks: readonly ContentBlock[]): string =>
  blocks.map((block) => (block.type === 'image' ? '' : blockText(block))).join('');

/** The first characters of the blocks' texts, and the images. A value that does not fit as a whole becomes text. */
function cutBlocks(blocks: readonly ContentBlock[], characters: number): ContentBlock[] {
  let left = characters;
  return blocks.flatMap((block): ContentBlock[] => {
    if (block.type === 'image') return [block];
    const text = blockText(block);
    const room = left;
    left = Math.max(0, left - text.length);
    if (text.length <= room) return [block];
    return room === 0 ? [] : [{ type: 'text', text: startOf(text, room) }];
  });
}

/**
 * Drops the oldest units, which are user messages and whole steps, until the others fit into `budgetTokens` (estimated). The
 * newest user message and the newest step always stay, whatever their size; other steps of the current turn are dropped
 * last, oldest first. What remains starts with a user message. `tokens`: the size of what remains.
 *
 * About a multiple of `strideTokens` is dropped, so that the same units stay dropped for many steps: providers keep the
 * beginning of a prompt in their caches, and a new beginning is paid in full.
 */
export function trimUnits(
  units: readonly HistoryUnit[],
  budgetTokens: number,
  strideTokens = 1,
  sendsReasoning: SendsReasoning = isInTurn,
): { units: HistoryUnit[]; dropped: number; tokens: number; droppedTokens: number } {
  const newestUser = units.findLastIndex(({ role }) => role === 'user');
  const sizes = units.map((unit) => unitTokens(unit, sendsReasoning));
  const whole = sizes.reduce((sum, size) => sum + size, 0);
  let total = whole;
  const strides = Math.ceil(Math.max(0, whole - budgetTokens) / strideTokens);
  const goal = whole - strides * strideTokens;
  const keep = units.map(() => true);
  const drop = (index: number) => {
    if (!keep[index]) return;
    keep[index] = false;
    total -= sizes[index] ?? 0;
  };
  for (let index = 0; index < newestUser && total > goal; index++) {
    drop(index);
    // Without the question they answer, steps would confuse more than help.
    while (index + 1 < newestUser && units[index + 1]?.role === 'assistant') drop(++index);
  }
  for (let index = newestUser + 1; index < units.length - 1 && total > goal; index++) drop(index);
  const kept = units.filter((_, index) => keep[index]);
  return { units: kept, dropped: units.length - kept.length, tokens: total, droppedTokens: whole - total };
}

/**
 * A function that checks whether a prompt sends the reasoning of a step back to the model, so that it counts in the prompt's
 * size.
 */
export type SendsReasoning = (unit: Extract<HistoryUnit, { role: 'assistant' }>) => boolean;

const isInTurn: SendsReasoning = ({ currentTurn }) => currentTurn;

/**
 * Returns the size of a user message, or of a step with its calls and results, in estimated tokens. A step's reasoning
 * counts only if `sendsReasoning` returns true; by default, in the current turn.
 */
export function unitTokens(unit: HistoryUnit, sendsReasoning: SendsReasoning = isInTurn): number {
  const parts = unit.role === 'user' ? unit.message.parts : unit.parts;
  let tokens = MESSAGE_TOKENS + estimateTokens(unit.role === 'assistant' ? (unit.correction ?? '') : '');
  for (const part of parts) {
    if (part.type === 'text') tokens += estimateTokens(part.text);
    else if (part.type === 'reasoning')
      tokens += unit.role === 'assistant' && sendsReasoning(unit) ? estimateTokens(part.text) : 0;
    else if (part.type === 'file')
      tokens += part.mediaType.startsWith('image/') ? IMAGE_TOKENS : Math.ceil((part.url.length * 3) / 4 / 3.5);
    else if (part.type === 'tool-call') tokens += callTokens(part);
  }
  return tokens;
}

function callTokens(part: ToolCallPart): number {
  const input = part.inputText ?? JSON.stringify(part.input ?? {});
  const { result } = part;
  const text = result === undefined ? '' : resultContent(result);
  const blocks = result?.type === 'tool-result' ? blocksOf(result.output.content) : [];
  const images = blocks.filter(({ type }) => type === 'image').length;
  return 16 + estimateTokens(part.toolName) + estimateTokens(input) + estimateTokens(text) + images * IMAGE_TOKENS;
}
