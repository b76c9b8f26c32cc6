import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { AssistantModelMessage, LanguageModelMiddleware, ModelMessage } from 'ai';
import type { AgentModel } from '#lib/agent/agent-model.ts';
import { callModel } from '#lib/agent/call-model.ts';
import { StepError } from '#lib/agent/problems.ts';
import { defined } from '#lib/base/defined.ts';
import type { ToolCallingMode } from '#lib/messages/message.ts';
import type { ProtocolSettings } from '#lib/prompts/codec.ts';
import type { ToolSpec } from '#lib/tools/core/spec.ts';

/** One request of an examination, which finds out how a model calls tools and how large its context window is. */
export interface Question {
  system: string;
  messages: ModelMessage[];
  tools: readonly ToolSpec[];
  toolCalling: ToolCallingMode;
  /** The form in which the prompt describes the tools and asks for calls, if `toolCalling` is `prompted`. */
  protocol?: ProtocolSettings;
  /** Whether the endpoint is told to make the model call a tool; false by default. */
  isForced?: boolean;
  /** The maximum length of the reply, in tokens; without it, the endpoint decides. */
  maxOutputTokens?: number;
}

/** A call of a tool in a reply, as a chat would get it. */
export interface ReadCall {
  name: string;
  /** The arguments, parsed; a string if they are not JSON. */
  input: unknown;
}

/** A model's whole reply to a request of an examination, in which it is found out how the model calls tools. */
export interface Reply {
  /** The text that the user would see. */
  text: string;
  /** The text as the endpoint sent it. */
  rawText: string;
  hasReasoning: boolean;
  /** Whether the reply ended at the limit of its length. */
  isCut: boolean;
  /** All calls, as a chat would get them: those that the endpoint sent as calls, and those that were read from the text. */
  calls: readonly ReadCall[];
  /** The number of calls that the endpoint sent as calls, not as text. */
  nativeCalls: number;
  /** The number of pieces in which the arguments of native calls came. */
  argumentPieces: number;
  inputTokens: number | undefined;
  outputTokens: number | undefined;
  /** The reply as the messages that a following request contains. */
  messages: AssistantModelMessage[];
}

/** The longest reply that is read, in characters: far more than `maxOutputTokens` allows. */
const REPLY_MAX_CHARACTERS = 200_000;

/**
 * Sends a request of an examination in the same way as a chat does, and reads the whole reply. Rejects with the provider's
 * error, with the reason of the signal, and with `StepError` `reply-too-long`.
 */
export async function ask(model: AgentModel, question: Question, abortSignal: AbortSignal): Promise<Reply> {
  const { system, messages, tools, toolCalling, protocol, isForced = false, maxOutputTokens } = question;
  const recorder = new Recorder(isForced);
  const ending = new AbortController();
  const result = callModel({
    model: { ...model, toolChoice: 'auto', ...defined({ maxOutputTokens }) },
    prompt: { instructions: system, messages, tools },
    settings: { toolCalling, lastStep: false, ...defined({ protocol }) },
    maxRetries: 0,
    postpones: false,
    abortSignal: AbortSignal.any([abortSignal, ending.signal]),
    onRetry: () => undefined,
    innermost: recorder.middleware,
  });
  const inputs = new Map<string, { name: string; text: string }>();
  let text = '';
  let hasReasoning = false;
  let isCut = false;
  let usage: { inputTokens: number | undefined; outputTokens: number | undefined } | undefined;
  let length = 0;
  for await (const part of result.stream) {
    if ('text' in part) length += part.text.length;
    if (part.type === 'tool-input-delta') length += part.delta.length;
    if (length > REPLY_MAX_CHARACTERS) {
      ending.abort();
      throw new StepError('reply-too-long', `The reply has more than ${REPLY_MAX_CHARACTERS} characters.`);
    }
    if (part.type === 'error') throw part.error;
    if (part.type === 'abort') abortSignal.throwIfAborted();
    if (part.type === 'text-delta') text += part.text;
    if (part.type === 'reasoning-delta') hasReasoning ||= part.text.trim() !== '';
    if (part.type === 'tool-input-start') inputs.set(part.id, { name: part.toolName, text: '' });
    if (part.type === 'tool-input-delta') {
      const input = inputs.get(part.id);
      if (input !== undefined) input.text += part.delta;
    }
    if (part.type === 'finish-step') {
      usage = part.usage;
      isCut = part.finishReason === 'length';
    }
  }
  return {
    text,
    hasReasoning,
    isCut,
    ...recorder,
    calls: [...inputs.values()].map(({ name, text: input }) => ({ name, input: parsed(input) })),
    inputTokens: usage?.inputTokens,
    outputTokens: usage?.outputTokens,
    messages: (await result.response).messages.filter((message) => message.role === 'assistant'),
  };
}

function parsed(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    // Input that is no JSON is a result of the examination, too.
    return input;
  }
}

/** Records the text and the calls as the endpoint sent them, before prompted calls are read from the text. */
class Recorder {
  rawText = '';
  nativeCalls = 0;
  argumentPieces = 0;
  readonly #isForced: boolean;
  readonly middleware: LanguageModelMiddleware = {
    specificationVersion: 'v4',
    // The SDK itself would discard a reply without a call.
    transformParams: async ({ params }) => (this.#isForced ? { ...params, toolChoice: { type: 'required' } } : params),
    wrapStream: async ({ doStream }) => {
      const { stream, ...rest } = await doStream();
      const record = (part: LanguageModelV4StreamPart) => this.#record(part);
      return {
        ...rest,
        stream: stream.pipeThrough(
          new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
            transform(part, controller) {
              record(part);
              controller.enqueue(part);
            },
          }),
        ),
      };
    },
  };

  constructor(isForced: boolean) {
    this.#isForced = isForced;
  }

  #record(part: LanguageModelV4StreamPart): void {
    if (part.type === 'text-delta') this.rawText += part.delta;
    if (part.type === 'tool-call') this.nativeCalls++;
    if (part.type === 'tool-input-delta') this.argumentPieces++;
  }
}
