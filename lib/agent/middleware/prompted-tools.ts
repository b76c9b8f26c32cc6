import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolResultOutput,
} from '@ai-sdk/provider';
import { generateId, type LanguageModelMiddleware } from 'ai';
import * as z from 'zod';
import type { ProtocolCodec, ProtocolSettings, ReplayedResult } from '#lib/prompts/codec.ts';
import { codecOf } from '#lib/prompts/codecs/codecs.ts';
import { createProtocolParser, type ProtocolParser } from '#lib/prompts/parser.ts';
import type { ProtocolPart } from '#lib/prompts/protocol-part.ts';
import type { ToolEffect, ToolSpec } from '#lib/tools/core/spec.ts';

/** The schema of `providerMetadata.studio` in the finish part of a reply, in which the middleware reports its findings. */
export const replyNotesSchema = z.object({
  /** The name of the tool in a call that could not be read. */
  unreadableCall: z.string().optional(),
  /** The name of the tool in a call that was left out, with all that follows, because it needs a result not yet there. */
  postponedCall: z.string().optional(),
  /** Present if a model with native tools wrote its calls as text. */
  callsInText: z.literal(true).optional(),
  /** Present if the reply consists only of a thought, which is its answer. */
  thoughtIsAnswer: z.literal(true).optional(),
  /** Calls that may only have been quoted, by their index in the reply. */
  doubtfulCalls: z.array(z.object({ index: z.number(), excerpt: z.string() })).optional(),
});

/** The findings about a reply that its parts do not show, such as a call that could not be read. */
export type ReplyNotes = z.infer<typeof replyNotesSchema>;

/** Options for giving a model its tools as text. */
interface PromptedToolsOptions {
  protocol: ProtocolSettings;
  tools: readonly ToolSpec[];
  createId: () => string;
  startsInReasoning: boolean;
  /**
   * Whether a reply ends before a call that needs the result of an earlier call in it, if the codec is made for small models
   * (`isBrief`).
   */
  postpones: boolean;
  /**
   * Whether a prompt of a step that may make no calls begins exactly like the prompts of other steps. With brief codecs, it
   * never does.
   */
  keepsBeginning: boolean;
}

/**
 * Returns a middleware that gives a model its tools through the prompt: the schemas become system text, past calls and results
 * become plain messages, and the streamed text is parsed into the same parts that a provider with native tools sends. The
 * finish part also carries the parser's findings in `providerMetadata.studio` (`ReplyNotes`).
 */
export function promptedTools(options: PromptedToolsOptions): LanguageModelMiddleware {
  const createParser = () =>
    createProtocolParser({
      tools: options.tools.map((tool) => ({ name: tool.name, inputSchema: tool.inputSchema })),
      createId: options.createId,
      startsInReasoning: options.startsInReasoning,
    });
  return {
    specificationVersion: 'v4',
    transformParams: async ({ params }) => toPromptedParams(params, options),
    wrapStream: async ({ doStream }) => {
      const { stream, ...rest } = await doStream();
      const { isBrief = false } = codecOf(options.protocol.codec);
      return {
        ...rest,
        stream: stream.pipeThrough(parseStream(createParser(), isBrief && options.postpones ? options.tools : [])),
      };
    },
  };
}

function toPromptedParams(
  params: LanguageModelV4CallOptions,
  { protocol, tools, keepsBeginning }: PromptedToolsOptions,
): LanguageModelV4CallOptions {
  const codec = codecOf(protocol.codec);
  const { tools: _tools, toolChoice, ...rest } = params;
  const isToldAll = keepsBeginning && codec.isBrief !== true;
  const mayCall = tools.length > 0 && (isToldAll || toolChoice?.type !== 'none');
  const system = params.prompt.filter((message) => message.role === 'system').map(({ content }) => content);
  // Earlier calls stay explained, but not to models that call whatever is described, whether they may or not.
  if (tools.length > 0 && (mayCall || codec.isBrief !== true)) system.push(codec.formatTools(tools, protocol));
  if (mayCall) system.push(codec.reminder);
  const examples = mayCall ? (codec.formatExampleTurns?.(tools, protocol) ?? []) : [];
  const prompt: LanguageModelV4Prompt = [
    ...(system.length === 0 ? [] : [{ role: 'system' as const, content: system.join('\n\n') }]),
    ...examples.map(({ role, text }) => ({ role, content: [{ type: 'text' as const, text }] })),
    ...params.prompt.filter((message) => message.role !== 'system').map((message) => toPlainMessage(message, codec)),
  ];
  return {
    ...rest,
    prompt,
    ...(tools.length > 0 && codec.stopSequences.length > 0
      ? { stopSequences: [...(params.stopSequences ?? []), ...codec.stopSequences] }
      : {}),
  };
}

function toPlainMessage(message: LanguageModelV4Message, codec: ProtocolCodec): LanguageModelV4Message {
  if (message.role === 'assistant') {
    const text = message.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
    const calls = message.content.filter((part) => part.type === 'tool-call');
    const written = codec.formatToolCalls(
      calls.map(({ toolCallId, toolName, input }) => ({
        toolCallId,
        toolName,
        inputText: typeof input === 'string' ? input : JSON.stringify(input),
      })),
    );
    const whole = calls.length === 0 ? text : text === '' ? written : `${text.trimEnd()}\n\n${written}`;
    return { role: 'assistant', content: [{ type: 'text', text: whole }] };
  }
  if (message.role === 'tool') {
    const results = message.content.filter((part) => part.type === 'tool-result');
    const text = results.map(({ toolCallId, toolName, output }) =>
      codec.formatToolResult(toReplayedResult(toolCallId, toolName, output)),
    );
    return { role: 'user', content: [{ type: 'text', text: text.join('\n\n') }] };
  }
  return message;
}

/** Converts a tool result for a prompted model, which gets only its text. */
function toReplayedResult(
  toolCallId: string,
  toolName: string,
  output: LanguageModelV4ToolResultOutput,
): ReplayedResult {
  const text =
    'value' in output ? (typeof output.value === 'string' ? output.value : JSON.stringify(output.value)) : '';
  return { toolCallId, toolName, text, hasFailed: output.type === 'error-text' };
}

type FinishReason = Extract<LanguageModelV4StreamPart, { type: 'finish' }>['finishReason'];

const toolCallsReason = (reason: FinishReason): FinishReason =>
  reason.unified === 'stop' ? { unified: 'tool-calls', raw: reason.raw } : reason;

/**
 * Parses text deltas; all other parts pass through, and the finish part also gets the parser's findings. Blank text around
 * calls is dropped. A reply ends before a call of one of the `awaited` tools that would change something or run code although
 * an earlier call's result is still missing.
 */
function parseStream(
  parser: ProtocolParser,
  awaited: readonly ToolSpec[],
): TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart> {
  let open: { type: 'text' | 'reasoning'; id: string } | undefined;
  let blank = '';
  let called = false;
  const notes: ReplyNotes = {};
  /** Whether the reply was cut off rather than ended by the model. */
  let isCut = true;
  /** The arguments' text of open calls, by id. */
  const inputs = new Map<string, string>();
  const effects = new Map(
    awaited.flatMap(({ name, aliases = [], effect }) => [name, ...aliases].map((known) => [known, effect] as const)),
  );
  const seen = new Set<ToolEffect>();

  /** Checks whether a call must wait for the results of the calls before it, and counts it as one of them from then on. */
  const mustWait = (toolName: string): boolean => {
    const effect = effects.get(toolName);
    const waits =
      effect === 'write' ? seen.has('read') || seen.has('execute') : effect === 'execute' && seen.has('read');
    if (effect !== undefined) seen.add(effect);
    return waits;
  };

  type Controller = TransformStreamDefaultController<LanguageModelV4StreamPart>;

  const closeBlock = (controller: Controller) => {
    if (open !== undefined) controller.enqueue({ type: `${open.type}-end`, id: open.id });
    open = undefined;
    blank = '';
  };
  const writeBlock = (type: 'text' | 'reasoning', delta: string, controller: Controller) => {
    if (open?.type !== type) {
      if (delta.trim() === '') {
        // Blank text between blocks is emitted only if text follows.
        blank += delta;
        return;
      }
      const lead = type === 'text' && open === undefined ? blank : '';
      closeBlock(controller);
      open = { type, id: generateId() };
      controller.enqueue({ type: `${type}-start`, id: open.id });
      controller.enqueue({ type: `${type}-delta`, id: open.id, delta: lead + delta });
      return;
    }
    controller.enqueue({ type: `${type}-delta`, id: open.id, delta });
  };
  const write = (part: ProtocolPart, controller: Controller) => {
    // Which of the calls before it may only be quoted is known at the end.
    if (notes.postponedCall !== undefined && part.type !== 'doubtful-call') return;
    if (part.type === 'tool-input-start' && mustWait(part.toolName)) {
      notes.postponedCall = part.toolName;
      return;
    }
    switch (part.type) {
      case 'text-delta':
        writeBlock('text', part.delta, controller);
        break;
      case 'reasoning-delta':
        writeBlock('reasoning', part.delta, controller);
        break;
      case 'tool-input-start':
        closeBlock(controller);
        called = true;
        inputs.set(part.toolCallId, '');
        controller.enqueue({ type: 'tool-input-start', id: part.toolCallId, toolName: part.toolName });
        break;
      case 'invented-result':
        break;
      case 'unreadable-call':
        notes.unreadableCall = part.toolName;
        break;
      case 'doubtful-call':
        notes.doubtfulCalls = [...(notes.doubtfulCalls ?? []), { index: part.index, excerpt: part.excerpt }];
        break;
      case 'tool-input-delta':
        inputs.set(part.toolCallId, (inputs.get(part.toolCallId) ?? '') + part.delta);
        controller.enqueue({ type: 'tool-input-delta', id: part.toolCallId, delta: part.delta });
        break;
      default: {
        controller.enqueue({ type: 'tool-input-end', id: part.toolCallId });
        // A call that was cut off gets no end, as with native tools (rule R6).
        if (part.incomplete && isCut) break;
        // The model itself left the call unclosed. Its arguments match no schema, so it is answered with an error.
        const input = inputs.get(part.toolCallId) || (part.incomplete ? '{' : '');
        controller.enqueue({ type: 'tool-call', toolCallId: part.toolCallId, toolName: part.toolName, input });
      }
    }
  };

  return new TransformStream({
    transform(part, controller) {
      if (part.type === 'text-start' || part.type === 'text-end') return;
      if (part.type === 'text-delta') {
        for (const parsed of parser.push(part.delta)) write(parsed, controller);
      } else if (part.type === 'finish') {
        isCut = part.finishReason.unified !== 'stop' && part.finishReason.unified !== 'tool-calls';
        for (const parsed of parser.end()) write(parsed, controller);
        closeBlock(controller);
        controller.enqueue({
          ...part,
          ...(called ? { finishReason: toolCallsReason(part.finishReason) } : {}),
          ...(Object.keys(notes).length === 0 ? {} : { providerMetadata: { ...part.providerMetadata, studio: notes } }),
        });
      } else controller.enqueue(part);
    },
  });
}
