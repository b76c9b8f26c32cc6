import { count, shortened } from './en.ts';

/**
 * The texts of the notices about a model's steps in English. They are loaded with the view that shows them, not with the
 * page.
 */
export const noticeTexts = {
  repeatedCalls: (tool: string) =>
    `The model kept making the same call (${tool}) with the same result, so it was asked to answer.`,
  stepLimit: (steps: number) =>
    `The model stopped after ${count(steps, 'step', 'steps')}, the limit for one answer. Send a message to continue.`,
  historyTrimmed: (n: number) =>
    `The model’s context is full: ${count(n, 'older part of this thread was', 'older parts of this thread were')} left out.`,
  windowCut: (model: string, { window, sent, read }: { window: string; sent: string; read: string }) =>
    `${model}’s server read only ${read} of about ${sent} tokens and silently dropped the rest. That answer was discarded, and the model was asked again with at most ${window} tokens. To raise the limit, set OLLAMA_CONTEXT_LENGTH (Ollama), “Context Length” when you load the model (LM Studio), or -c (llama.cpp). Then restart the model and update the context window in its settings.`,
  windowRefused: (model: string, window: string) =>
    `${model}’s server accepts at most ${window} tokens, so older parts of this thread will be left out from now on. If you raise the limit on the server, update the context window in the model’s settings.`,
  resultCut: (tool: string, kept: string, total: string) =>
    `The result of ${tool} was too long, so the model got only the first ${kept} of ${total} characters.`,
  toolsLeftOut: (tokens: string, tools: readonly string[]) =>
    `Only the main tools fit into this model’s context of ${tokens} tokens. Left out: ${new Intl.ListFormat('en').format(shortened(tools, (n) => `${n} more`))}. To make room for them, turn off other tools under “Tools”, or give the model a larger context window.`,
  instructionsChanged: (paths: readonly string[]) =>
    `The project’s instructions have changed since the last answer: ${new Intl.ListFormat('en').format(paths)}.`,
  toolsRefused: (model: string) =>
    `${model} doesn’t support native tool calling, so its tools are now described in the prompt.`,
  callsInText: (model: string, isGivenUp: boolean) =>
    isGivenUp
      ? `${model} keeps writing its tool calls as plain text, so its tools are now described in the prompt. You can switch back under “Tool calling”.`
      : `${model} wrote its tool calls as plain text, and the studio recognized them.`,
  proseOnly: (model: string, answers: string, toolCalling: 'native' | 'prompted') =>
    `${model} has answered ${answers} questions about files without calling a tool, so it may have made the answers up. ${
      toolCalling === 'native' ? 'Set “Tool calling” to Prompted, or choose' : 'Choose'
    } a larger model or one trained for tools.`,
  thoughtAsAnswer: 'The model stopped while it was still thinking, so its thoughts are shown as the answer.',
  callPostponed: (tool: string) =>
    `The model called ${tool} before it had seen an earlier result, so that call didn’t run. The model was shown the result first.`,
  callUnreadable: (tool: string, askedAgain: boolean) =>
    askedAgain
      ? `A call to ${tool} couldn’t be read, so it didn’t run. The model was shown the correct format and asked to try again.`
      : `A call to ${tool} couldn’t be read, so it didn’t run. Retry, or switch the tool calling mode or the model.`,
  examine: 'Check this model…',
  length: 'The answer was cut off at the model’s length limit.',
  stepRepeated: (times: number) =>
    times === 1
      ? 'The studio’s server lost this step before it was finished, so the step was repeated.'
      : `The studio’s server lost this step before it was finished, so the step was repeated ${times} times.`,
  contentFilter: 'The provider’s content filter stopped the answer.',
};
