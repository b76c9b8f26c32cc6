import type { Message, PromptSettings, StepPart } from '#lib/messages/message.ts';
import { CALLS_IN_TEXT } from './limits.ts';

/** The steps that a model has taken. */
const stepsOf = (messages: readonly Message[], model: string): StepPart[] =>
  messages
    .flatMap((message) => (message.role === 'assistant' ? message.parts : []))
    .filter((part) => part.type === 'step')
    .filter((step) => step.model === model);

/** Returns `wantsReasoning` if a model's server wants reasoning back, as the model's latest step has learned. */
export function reasoningSettings(messages: readonly Message[], model: string): Pick<PromptSettings, 'wantsReasoning'> {
  const latest = stepsOf(messages, model).at(-1);
  return latest?.settings.wantsReasoning === true ? { wantsReasoning: true } : {};
}

/** Checks whether a model has written most of its latest native calls as text since its tools were last prompted. */
export function writesCallsAsText(messages: readonly Message[], model: string): boolean {
  const steps = stepsOf(messages, model).filter(({ finishReason }) => finishReason !== undefined);
  const native = steps.slice(steps.findLastIndex(({ settings }) => settings.toolCalling === 'prompted') + 1);
  const latest = native.slice(-CALLS_IN_TEXT.of);
  const inText = latest.filter(({ notices }) => notices.some(({ code }) => code === 'calls-in-text'));
  return inText.length >= CALLS_IN_TEXT.steps;
}
