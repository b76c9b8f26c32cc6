import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { LanguageModelMiddleware } from 'ai';
import { createProtocolParser } from '#lib/prompts/parser.ts';
import type { ProtocolPart } from '#lib/prompts/protocol-part.ts';
import type { ToolEffect, ToolSpec } from '#lib/tools/core/spec.ts';
import { OWN_METADATA_KEY } from './call-ids.ts';
import type { ReplyNotes } from './prompted-tools.ts';

/** Options for reading calls in text. */
interface CallsInTextOptions {
  tools: readonly ToolSpec[];
  createId: () => string;
}

/**
 * Returns a middleware that turns calls which a model with native tools wrote as plain text, because its server did not
 * recognize them, into native ones. Only a reply without native calls counts, if it ends in complete calls of known tools; any
 * other text stays as it is. From where a call seems to begin, text is held back until the end of the reply. The finish part
 * then says so in `providerMetadata.studio` (`callsInText`). If other text stands before the calls, those that change
 * something or run code may be examples in an explanation, so it also lists them as `doubtfulCalls`.
 */
export function callsInText({ tools, createId }: CallsInTextOptions): LanguageModelMiddleware {
  const known = new Map(tools.map(({ name, effect }) => [name, effect]));
  const createParser = () =>
    createProtocolParser({
      tools: tools.map(({ name, inputSchema }) => ({ name, inputSchema })),
      createId,
      startsInReasoning: false,
    });
  return {
    specificationVersion: 'v4',
    wrapStream: async ({ doStream, params }) => {
      const result = await doStream();
      if (tools.length === 0 || params.toolChoice?.type === 'none') return result;
      const reply = new NativeReply(createParser, known);
      const transform = new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
        transform(part, controller) {
          for (const sent of reply.take(part)) controller.enqueue(sent);
        },
        flush(controller) {
          for (const sent of reply.end()) controller.enqueue(sent);
        },
      });
      return { ...result, stream: result.stream.pipeThrough(transform) };
    },
  };
}

type Part<Type extends LanguageModelV4StreamPart['type']> = Extract<LanguageModelV4StreamPart, { type: Type }>;
type Parser = ReturnType<typeof createProtocolParser>;
type WrittenCall = Extract<ProtocolPart, { type: 'tool-call' }>;

class NativeReply {
  readonly #createParser: () => Parser;
  #parser: Parser;
  readonly #known: ReadonlyMap<string, ToolEffect>;
  /** The text block that is being read, once it has begun. */
  #block: { start: Part<'text-start'>; isSent: boolean; end?: Part<'text-end'> } | undefined;
  /** The text that has not been passed on. */
  #held = '';
  #hasNativeCalls = false;
  /** Whether any text but white space was passed on. */
  #hasWords = false;
  #calls: WrittenCall[] = [];
  /** Whether text is held back because a call seems to have begun. */
  #isHolding = false;
  /** Whether the reply is passed on as it is, because it cannot consist of text and calls at its end. */
  #isPlain = false;

  constructor(createParser: () => Parser, known: ReadonlyMap<string, ToolEffect>) {
    this.#createParser = createParser;
    this.#parser = createParser();
    this.#known = known;
  }

  take(part: LanguageModelV4StreamPart): LanguageModelV4StreamPart[] {
    const isThought = part.type === 'text-end' && part.providerMetadata?.[OWN_METADATA_KEY]?.becomesReasoning === true;
    if (isThought && !this.#hasNativeCalls) return this.#beginBehind(part);
    if (this.#isPlain) return [part];
    switch (part.type) {
      case 'text-start':
        if (this.#block !== undefined) return [...this.#passOn(), part];
        this.#block = { start: part, isSent: false };
        return [];
      case 'text-delta':
        return this.#takeText(part);
      case 'text-end':
        if (this.#block !== undefined) this.#block.end = part;
        return [];
      case 'tool-input-start':
      case 'tool-call':
        this.#hasNativeCalls = true;
        return [...this.#passOn(), part];
      case 'error':
        return [...this.#passOn(), part];
      case 'finish':
        return this.#finish(part);
      default:
        return [part];
    }
  }

  /**
   * Begins again behind a text that turned out to be a thought. Calls in that text were only drafts, and are forgotten. Returns
   * what was held back, and the end of the text.
   */
  #beginBehind(end: Part<'text-end'>): LanguageModelV4StreamPart[] {
    const sent = this.#isPlain ? [] : this.#passOn();
    this.#isPlain = false;
    this.#parser = this.#createParser();
    this.#block = undefined;
    this.#held = '';
    this.#calls = [];
    this.#isHolding = false;
    return [...sent, end];
  }

  /** Returns the parts that are still held back when the stream ends without a finish part. */
  end(): LanguageModelV4StreamPart[] {
    return this.#isPlain || this.#held === '' ? [] : this.#passOn();
  }

  #takeText({ delta }: Part<'text-delta'>): LanguageModelV4StreamPart[] {
    this.#held += delta;
    const sent: LanguageModelV4StreamPart[] = [];
    for (const parsed of this.#parser.push(delta)) sent.push(...this.#takeParsed(parsed));
    return sent;
  }

  /**
   * Takes a part that the parser has read: collects calls, and passes on the text before them. Passes on the whole reply as it
   * is if the part shows that the reply does not end in calls: reasoning, an invented result, or text behind a call.
   */
  #takeParsed(parsed: ProtocolPart): LanguageModelV4StreamPart[] {
    if (parsed.type === 'tool-input-start') this.#isHolding = true;
    if (parsed.type === 'tool-call') this.#calls.push(parsed);
    // Something follows the calls, so they may be part of an example.
    if (parsed.type === 'invented-result' && !this.#isPlain) return this.#passOn();
    const isText = parsed.type === 'text-delta' || parsed.type === 'reasoning-delta';
    if (!isText || this.#isPlain) return [];
    if (this.#isHolding) {
      const isBlank = parsed.delta.trim() === '';
      return isBlank ? [] : this.#passOn();
    }
    if (parsed.type === 'reasoning-delta' || !this.#held.startsWith(parsed.delta)) return this.#passOn();
    return this.#send(parsed.delta.length);
  }

  /** Passes on the first characters of the held text. */
  #send(length: number): LanguageModelV4StreamPart[] {
    const block = this.#block;
    if (block === undefined || length === 0) return [];
    const delta: Part<'text-delta'> = {
      type: 'text-delta',
      id: block.start.id,
      delta: this.#held.slice(0, length),
    };
    this.#held = this.#held.slice(length);
    this.#hasWords ||= delta.delta.trim() !== '';
    if (block.isSent) return [delta];
    block.isSent = true;
    return [block.start, delta];
  }

  /** Passes on everything that is held back, and all that follows as it is. */
  #passOn(): LanguageModelV4StreamPart[] {
    this.#isPlain = true;
    const block = this.#block;
    if (block === undefined) return [];
    const sent = block.isSent || this.#held !== '' ? this.#send(this.#held.length) : [block.start];
    return block.end === undefined ? sent : [...sent, block.end];
  }

  #doubtfulCalls(rest: readonly ProtocolPart[]): NonNullable<ReplyNotes['doubtfulCalls']> {
    const found = new Map(rest.flatMap((parsed) => (parsed.type === 'doubtful-call' ? [[parsed.index, parsed]] : [])));
    return this.#calls.flatMap(({ toolName }, index) => {
      const doubt = found.get(index);
      if (doubt !== undefined) return [{ index, excerpt: doubt.excerpt }];
      const isDoubtful = this.#hasWords && this.#known.get(toolName) !== 'read';
      return isDoubtful ? [{ index, excerpt: this.#held.trim().slice(0, EXCERPT_MAX) }] : [];
    });
  }

  #finish(part: Part<'finish'>): LanguageModelV4StreamPart[] {
    const rest: ProtocolPart[] = this.#parser.end();
    const sent = rest.flatMap((parsed) => this.#takeParsed(parsed));
    const isWhole = part.finishReason.unified === 'stop' || part.finishReason.unified === 'tool-calls';
    const areCalls = this.#calls.every(({ toolName, incomplete }) => this.#known.has(toolName) && incomplete !== true);
    if (this.#isPlain || this.#calls.length === 0 || !isWhole || !areCalls)
      return [...sent, ...(this.#isPlain ? [] : this.#passOn()), part];
    const doubtfulCalls = this.#doubtfulCalls(rest);
    this.#held = '';
    const notes: ReplyNotes = { callsInText: true, ...(doubtfulCalls.length > 0 && { doubtfulCalls }) };
    const end =
      this.#block?.isSent === true ? [this.#block.end ?? { type: 'text-end' as const, id: this.#block.start.id }] : [];
    return [
      ...sent,
      ...end,
      ...this.#calls.flatMap(partsOf),
      {
        ...part,
        finishReason: { unified: 'tool-calls', raw: part.finishReason.raw },
        providerMetadata: { ...part.providerMetadata, studio: { ...part.providerMetadata?.studio, ...notes } },
      },
    ];
  }
}

/** The longest excerpt of a call that may only have been quoted, in characters. */
const EXCERPT_MAX = 500;

function partsOf({ toolCallId, toolName, input: value }: WrittenCall): LanguageModelV4StreamPart[] {
  const input = typeof value === 'string' ? value : JSON.stringify(value);
  return [
    { type: 'tool-input-start', id: toolCallId, toolName },
    { type: 'tool-input-delta', id: toolCallId, delta: input },
    { type: 'tool-input-end', id: toolCallId },
    { type: 'tool-call', toolCallId, toolName, input },
  ];
}
