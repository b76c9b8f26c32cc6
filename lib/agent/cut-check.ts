import type { ModelMessage } from 'ai';
import { estimateTokens } from '#lib/base/estimate-tokens.ts';
import type { Message, PromptSettings, StepPart } from '#lib/messages/message.ts';
import { callModel, type ModelCall } from './call-model.ts';
import { OWN_TEXT } from './middleware/inert-text.ts';
import { WINDOW_MIN } from './too-long.ts';

/** A prompt that was sent, and how many tokens its server has counted. */
interface CountedPrompt {
  estimatedTokens: number;
  inputTokens: number;
  /** Whether it has images, for which models count very differently. */
  hasImages?: boolean;
}

/** The maximum number of steps that a count is compared with: the latest ones of a thread. */
const COMPARED_STEPS = 20;

/**
 * The tolerance for the tokens of added text, as a share of the expected number. `usual`: for a number that comes from
 * the thread's usual scale. `whole`: for one that comes from the scale of a whole prompt, because few steps show what
 * is usual.
 */
const TOLERANCE = { usual: 0.25, whole: 0.5 } as const;
/** The number of tokens by which a count may fall short of the expected number in any case, besides `TOLERANCE`. */
const TOLERANCE_TOKENS = 8;

/** The minimum number of steps from which a thread's usual scale can be told. */
const USUAL_STEPS_MIN = 3;
/** The minimum number of estimated tokens that a step must have added to the prompt so that it tells a scale. */
const ADDED_TOKENS_MIN = 20;

/**
 * The number of prompts in a row that looked cut but turned out to have been read whole, after which the thread's later prompts
 * look cut only if the count is that of a full window (`WINDOW_UNIT`).
 */
const TRUSTED_AFTER = 3;

/** The share of its estimate below which the count of a thread's first prompt looks as if the prompt had been cut. */
const FIRST_SHARE = 0.72;
/**
 * The minimum size of a first prompt that can look cut, in estimated tokens, and the minimum count that can be a full window.
 */
const FIRST_TOKENS_MIN = 1_000;

/**
 * A number of tokens that most windows are multiples of. A count that is such a multiple, and that no earlier count exceeds,
 * looks like a full window, to which the prompt may have been cut.
 */
const WINDOW_UNIT = 1_024;

/**
 * Checks whether a server may have left out a part of a prompt, because it counted too few tokens, or just as many as a full
 * window has (`WINDOW_UNIT`). Compares its count with those of earlier steps or, if there are none, with the estimate:
 * tokenizers differ far less than a cut. False without a count. Makes no request, unlike `cutWindow`.
 */
export function looksCut(
  messages: readonly Message[],
  { estimatedTokens, inputTokens, hasImages = false }: CountedPrompt,
  { model, toolCalling, tokenScale = 1 }: { model: string } & Pick<PromptSettings, 'toolCalling' | 'tokenScale'>,
): boolean {
  if (inputTokens === 0) return false;
  const steps = stepsOf(messages, model, toolCalling);
  const compared = countedSteps(steps);
  if (compared.length === 0)
    return (
      !hasImages && estimatedTokens >= FIRST_TOKENS_MIN && inputTokens < estimatedTokens * tokenScale * FIRST_SHARE
    );
  const isFull =
    inputTokens >= FIRST_TOKENS_MIN &&
    inputTokens % WINDOW_UNIT === 0 &&
    compared.every((before) => before.inputTokens <= inputTokens);
  if (isFull || hasImages) return isFull;
  // A server that keeps reporting too little has its own way of counting.
  const latest = steps.slice(-TRUSTED_AFTER);
  if (latest.length === TRUSTED_AFTER && latest.every(({ wasRead }) => wasRead === true)) return false;
  const usual = usualScale(compared);
  return compared.some((before) => inputTokens < leastExpected(before, estimatedTokens, usual));
}

function leastExpected(before: CountedPrompt, estimatedTokens: number, usual: number | undefined): number {
  const scale = usual ?? before.inputTokens / before.estimatedTokens;
  const added = (estimatedTokens - before.estimatedTokens) * scale;
  const tolerance = usual === undefined ? TOLERANCE.whole : TOLERANCE.usual;
  return before.inputTokens + added - Math.abs(added) * tolerance - TOLERANCE_TOKENS;
}

/**
 * Returns the usual scale of the text that these steps have added: the number of tokens that the server counts for each
 * estimated one. Undefined if too few steps tell it.
 */
function usualScale(steps: readonly CountedPrompt[]): number | undefined {
  const scales = steps
    .slice(1)
    .map(({ estimatedTokens, inputTokens }, index) => {
      const before = steps[index];
      const added = estimatedTokens - (before?.estimatedTokens ?? 0);
      return { added, scale: (inputTokens - (before?.inputTokens ?? 0)) / added };
    })
    .filter(({ added, scale }) => added >= ADDED_TOKENS_MIN && scale > 0)
    .map(({ scale }) => scale)
    .sort((a, b) => a - b);
  return scales.length < USUAL_STEPS_MIN ? undefined : scales[Math.floor(scales.length / 2)];
}

/** The steps that a model has taken in this mode of tool calling since the thread's latest compaction. */
function stepsOf(messages: readonly Message[], model: string, toolCalling: PromptSettings['toolCalling']): StepPart[] {
  const parts = messages.flatMap((message) => (message.role === 'assistant' ? message.parts : []));
  const from = parts.findLastIndex((part) => part.type === 'compaction' && part.failed === undefined);
  return parts
    .slice(from + 1)
    .filter((part): part is StepPart => part.type === 'step' && part.model === model)
    .filter(({ settings }) => settings.toolCalling === toolCalling);
}

/** The latest steps whose tokens the server has counted. */
const countedSteps = (steps: readonly StepPart[]): CountedPrompt[] =>
  steps
    .flatMap(({ estimatedTokens = 0, usage }) =>
      estimatedTokens > 0 && usage?.inputTokens ? [{ estimatedTokens, inputTokens: usage.inputTokens }] : [],
    )
    .slice(-COMPARED_STEPS);

/**
 * The sentence that is repeated in front of a prompt to make it longer; most tokenizers read each of its words as one token.
 */
const FRONT =
  'This is only a line that takes some room, so that the size of what you read can be seen from the outside. ';

/** The approximate number of tokens that are put in front of a prompt to see whether its server counts them. */
const FRONT_TOKENS = 512;

/** A server that counts less than this share of the added tokens has left them out, or something else instead. */
const COUNTED_SHARE = 0.5;

/**
 * If the count is below the share `below` of the expected tokens, a second try puts `front` times the expected tokens in
 * front: servers may leave out half a window at a time, so that what is left grows with each prompt until the next half
 * is left out.
 */
const BLOCK = { below: 0.75, front: 1.5 } as const;

/**
 * Finds out whether a server has left out a part of a prompt: sends the prompt again with more text in front, and looks whether
 * the count grows. If it does not, resolves with the largest count, which is the server's window. Resolves with undefined if
 * the count grows, if the server refuses the longer prompt (a server that refuses prompts leaves out nothing), or if the counts
 * tell nothing: they are missing, or less than any usable window. `inputTokens`: the server's count for the prompt.
 * `expectedTokens`: the count that was expected.
 */
export async function cutWindow(
  call: Omit<ModelCall, 'postpones' | 'onRetry' | 'innermost' | 'maxRetries'>,
  { inputTokens, expectedTokens }: { inputTokens: number; expectedTokens: number },
): Promise<number | undefined> {
  const isFarLess = inputTokens < expectedTokens * BLOCK.below;
  const fronts = [FRONT_TOKENS, ...(isFarLess ? [Math.ceil(expectedTokens * BLOCK.front)] : [])];
  let largest = inputTokens;
  for (const tokens of fronts) {
    const counted = await countWith(call, tokens);
    if (counted === undefined) return undefined;
    largest = Math.max(largest, counted);
    if (counted - inputTokens < tokens * COUNTED_SHARE) return largest < WINDOW_MIN ? undefined : largest;
  }
  return undefined;
}

/** The maximum length of the answer to a prompt that is only counted, in tokens; some providers refuse less. */
const COUNT_OUTPUT_TOKENS = 16;

/**
 * Resolves with the number of tokens that the server counts if `tokens` more are in front of the prompt; undefined if the
 * request fails or the server reports no count.
 */
async function countWith(call: Parameters<typeof cutWindow>[0], tokens: number): Promise<number | undefined> {
  const text = FRONT.repeat(Math.ceil(tokens / estimateTokens(FRONT)));
  const result = callModel({
    ...call,
    model: { ...call.model, maxOutputTokens: COUNT_OUTPUT_TOKENS },
    prompt: { ...call.prompt, messages: withFront(call.prompt.messages, text) },
    maxRetries: 0,
    postpones: false,
    onRetry: () => undefined,
    innermost: { specificationVersion: 'v4' },
  });
  for await (const part of result.stream) {
    if (part.type === 'error') break;
    if (part.type === 'finish-step') return part.usage.inputTokens;
  }
  call.abortSignal?.throwIfAborted();
  return undefined;
}

/** Checks whether messages have images, also in results. */
export const hasImages = (messages: readonly ModelMessage[]): boolean =>
  messages.some(
    ({ content }) =>
      typeof content !== 'string' &&
      content.some((part) => {
        if (part.type !== 'tool-result') return part.type === 'file';
        return part.output.type === 'content' && part.output.value.some(({ type }) => type === 'file');
      }),
  );

/** The messages with a text at the beginning of the first question. */
function withFront(messages: readonly ModelMessage[], text: string): ModelMessage[] {
  const front = { type: 'text', text, providerOptions: OWN_TEXT } as const;
  const [first, ...rest] = messages;
  if (first?.role === 'user' && typeof first.content !== 'string')
    return [{ ...first, content: [front, ...first.content] }, ...rest];
  return [{ role: 'user', content: [front] }, ...messages];
}
