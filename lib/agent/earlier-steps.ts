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
 * Checks whether a model has written its calls as text in most of its latest steps with native tools (`CALLS_IN_TEXT`). Only
 * steps since its tools were last prompted count.
 */
export function writesCallsAsText(messages: readonly Message[], model: string): boolean {
  const steps = stepsOf(messages, model).filter(({ finishReason }) => finishReason !== undefined);
  const native = steps.slice(steps.findLastIndex(({ settings }) => settings.toolCalling === 'prompted') + 1);
  const latest = native.slice(-CALLS_IN_TEXT.of);
  const inText = latest.filter(({ notices }) => notices.some(({ code }) => code === 'calls-in-text'));
  return inText.length >= CALLS_IN_TEXT.steps;
}
