import type { Message, StepPart, ToolCallingMode } from '#lib/messages/message.ts';

/** Options for finding a model's token scale: the ratio of its tokens to estimated ones. */
interface ScaleOptions {
  /** The model's id. */
  model: string;
  /** The mode of tool calling: tools are counted differently in each. */
  toolCalling: ToolCallingMode;
  /** The scale that other threads have found; 1 by default. */
  remembered?: number | undefined;
}

/** The minimum estimated tokens of a prompt that tells the scale: in a shorter one, the template adds too much. */
const TOKENS_MIN = 200;

/** The bounds of a scale. A count that gives a scale outside of them is not about the whole prompt. */
const SCALE_MIN = 0.25;
const SCALE_MAX = 3;

/**
 * The largest difference, as a share, between the scale that a step used and the one that its count tells, at which the first
 * is kept: each change of a scale may cut the history elsewhere, and a prompt with another beginning is not in a provider's
 * cache.
 */
const TOLERANCE = 0.05;

/**
 * Returns a model's token scale: how many tokens its server counts for each token of the studio's estimate. It comes from the
 * model's latest step in the branch, in this mode of tool calling, whose count is usable; if there is none, returns
 * `remembered`, the one that other threads have found. A scale that differs by at most `TOLERANCE` from the one that the step
 * itself used is replaced by that one, so that prompts stay the same.
 */
export function tokenScaleOf(
  messages: readonly Message[],
  { model, toolCalling, remembered = 1 }: ScaleOptions,
): number {
  const steps = messages
    .flatMap((message) => (message.role === 'assistant' ? message.parts : []))
    .filter((part): part is StepPart => part.type === 'step' && part.model === model)
    .filter(({ settings }) => settings.toolCalling === toolCalling);
  const telling = steps.findLast((step, index) => scaleOf(step) !== undefined && isWhole(step, steps[index - 1]));
  const told = telling && scaleOf(telling);
  if (telling === undefined || told === undefined) return remembered;
  const { tokenScale = 1 } = telling.settings;
  return Math.abs(told / tokenScale - 1) <= TOLERANCE ? tokenScale : Math.round(told * 100) / 100;
}

/** Checks whether a step's count covers all of its prompt: some servers count only what is not in their cache. */
const isWhole = ({ estimatedTokens = 0, usage }: StepPart, before: StepPart | undefined): boolean =>
  before?.usage?.inputTokens === undefined ||
  estimatedTokens <= (before.estimatedTokens ?? 0) ||
  (usage?.inputTokens ?? 0) >= before.usage.inputTokens;

/**
 * Returns the token scale of a step: how many tokens the server counted for each estimated one. Undefined if the server
 * reported no count, if the prompt was too short, or if the scale is so unusual that the count cannot be of the whole
 * prompt.
 */
export function scaleOf({
  estimatedTokens = 0,
  usage,
}: Pick<StepPart, 'estimatedTokens' | 'usage'>): number | undefined {
  const reported = usage?.inputTokens ?? 0;
  if (estimatedTokens < TOKENS_MIN || reported === 0) return undefined;
  const scale = reported / estimatedTokens;
  return scale < SCALE_MIN || scale > SCALE_MAX ? undefined : scale;
}
