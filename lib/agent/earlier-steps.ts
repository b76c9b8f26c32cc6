import type { Message, PromptSettings, StepPart } from '#lib/messages/message.ts';
import { CALLS_IN_TEXT } from './limits.ts';

/** The steps that a model has taken. */
const stepsOf = (messages: readonly Message[], model: string): StepPart[] =>
  messages
    .flatMap((message) => (message.role === 'assistant' ? message.parts : []))
    .filter((part) => part.type === 'step')
    .filter((step) => step.model === model);

/**
 * Returns the setting `wantsReasoning` if the model's latest step found that its server refuses prompts whose steps have lost
 * their reasoning; otherwise no settings.
 */
export function reasoningSettings(messages: readonly Message[], model: string): Pick<PromptSettings, 'wantsReasoning'> {
  const latest = stepsOf(messages, model).at(-1);
  return latest?.settings.wantsReasoning === true ? { wantsReasoning: true } : {};
}

/**
 * Checks whether a model should get its tools in the prompt, because it writes native calls as text. That is so if at least
 * `CALLS_IN_TEXT.steps` of its latest `CALLS_IN_TEXT.of` finished steps have the notice `calls-in-text`. Steps up to the last
 * one that had the tools in the prompt do not count. `model`: the model's id.
 */
export function writesCallsAsText(messages: readonly Message[], model: string): boolean {
  const steps = stepsOf(messages, model).filter(({ finishReason }) => finishReason !== undefined);
  const native = steps.slice(steps.findLastIndex(({ settings }) => settings.toolCalling === 'prompted') + 1);
  const latest = native.slice(-CALLS_IN_TEXT.of);
  const inText = latest.filter(({ notices }) => notices.some(({ code }) => code === 'calls-in-text'));
  return inText.length >= CALLS_IN_TEXT.steps;
}
