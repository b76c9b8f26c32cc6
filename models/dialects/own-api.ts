import { APICallError, JSONParseError, TypeValidationError } from '@ai-sdk/provider';
import type { LanguageModelMiddleware } from 'ai';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { defined } from '#lib/base/defined.ts';
import { beginningOf } from './beginning.ts';
import { asError, correctedError, withBody } from './error-response.ts';
import { failureIn, failureOfText } from './failure.ts';
import { type Fields, fieldsOf, isFilled, numberOf, parsed, textOf } from './fields.ts';
import { BODY_MAX_BYTES, EVENT_MAX_CHARACTERS } from './limits.ts';

/**
 * Wraps `fetch` for the providers' own APIs (Anthropic's messages, Google's Gemini API, OpenAI's responses). Of a stream,
 * events whose data is not JSON are left out, unless they report an error. If the server sends no stream although one was
 * asked for, a whole reply becomes events, and a page, an empty body, or an error becomes a response with an error status.
 * Error responses get the form that the AI SDK reads.
 */
export function ownApiFetch(request: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await request(input, init);
    if (!response.ok) return correctedError(response);
    const url = input instanceof Request ? input.url : String(input);
    const isStream = /[?&]alt=sse\b/.test(url) || /"stream":true/.test(typeof init?.body === 'string' ? init.body : '');
    if (!isStream) return response;
    const type = response.headers.get('content-type') ?? '';
    if (type.includes('json') || type.includes('html')) return notStreamed(response);
    return eventsOf(response);
  };
}

/**
 * Handles a response that is not a stream although one was asked for: turns a whole reply into events, and anything else into
 * an error response.
 */
async function notStreamed(response: Response): Promise<Response> {
  const text = await beginningOf(response, BODY_MAX_BYTES);
  const value = parsed(text);
  const [first, ...others] = (Array.isArray(value) ? value : [value]).map(fieldsOf);
  const events = first === undefined ? [] : first.candidates !== undefined ? [first, ...others] : messageEvents(first);
  if (events.length > 0) return withBody(response, events.map(written).join(''), 'text/event-stream');
  return asError(failureIn(first) ?? failureOfText(value === undefined ? text : NOT_STREAMED), 400);
}

const NOT_STREAMED = 'The server did not stream its reply.';

const written = (event: Fields): string => {
  const name = textOf(event.type) === '' ? '' : `event: ${textOf(event.type)}\n`;
  return `${name}data: ${JSON.stringify(event)}\n\n`;
};

/** Turns a whole message of Anthropic's API into events; none if it is something else. */
function messageEvents(message: Fields): Fields[] {
  if (message.type !== 'message' || !Array.isArray(message.content)) return [];
  const { content, stop_reason: reason, stop_sequence: sequence, usage, ...rest } = message;
  const blocks = content.map(fieldsOf).flatMap((block, index) => {
    const { input, text, thinking, ...start } = block;
    const delta =
      block.type === 'tool_use'
        ? { type: 'input_json_delta', partial_json: JSON.stringify(input ?? {}) }
        : block.type === 'thinking'
          ? { type: 'thinking_delta', thinking }
          : { type: 'text_delta', text: textOf(text) };
    const begun = { ...start, ...(input !== undefined && { input: {} }), ...(text !== undefined && { text: '' }) };
    return [
      {
        type: 'content_block_start',
        index,
        content_block: { ...begun, ...(thinking !== undefined && { thinking: '' }) },
      },
      { type: 'content_block_delta', index, delta },
      ...(textOf(block.signature) === ''
        ? []
        : [{ type: 'content_block_delta', index, delta: { type: 'signature_delta', signature: block.signature } }]),
      { type: 'content_block_stop', index },
    ];
  });
  return [
    withUsage({ type: 'message_start', message: { ...rest, content: [], stop_reason: null, usage } }),
    ...blocks,
    { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: sequence ?? null }, usage: usageOf(usage) },
    { type: 'message_stop' },
  ];
}

/** Returns a usage with the numbers of tokens that Anthropic's SDK requires; those that a gateway left out are 0. */
function usageOf(usage: unknown): Fields {
  const { input_tokens: input, output_tokens: output, ...rest } = fieldsOf(usage);
  return { ...rest, input_tokens: numberOf(input) ?? 0, output_tokens: numberOf(output) ?? 0 };
}

/** Returns Anthropic's event `message_start` with all numbers of tokens that the SDK requires. */
const withUsage = (event: Fields): Fields => {
  const message = fieldsOf(event.message);
  return { ...event, message: { ...message, usage: usageOf(message.usage) } };
};

/**
 * Returns the response with its events in the form that the SDKs read. Resolves once there is an event; an empty stream becomes
 * an error response.
 */
async function eventsOf(response: Response): Promise<Response> {
  if (response.body === null) return asError(failureOfText(''), 400);
  const events = response.body
    .pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)
    .pipeThrough(new EventSourceParserStream({ maxBufferSize: EVENT_MAX_CHARACTERS }))
    .getReader();
  /** Reads the next event whose data is JSON; undefined at the end. */
  const next = async () => {
    for (;;) {
      const { done, value } = await events.read();
      if (done) return undefined;
      const data = value.data.trim();
      // An error may be plain words.
      const said = value.event === 'error' && !data.startsWith('{') && data !== '' ? wordsOf(data) : data;
      if (said.startsWith('{') || said.startsWith('[{')) return { ...value, data: said };
    }
  };
  let event = await next();
  if (event === undefined) return asError(failureOfText(''), 400);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (event === undefined) return controller.close();
      const name = event.event === undefined ? '' : `event: ${event.event}\n`;
      const isStart = event.event === 'message_start';
      const data = isStart ? JSON.stringify(withUsage(fieldsOf(parsed(event.data)))) : event.data;
      controller.enqueue(encoder.encode(`${name}data: ${data.replaceAll('\n', '\ndata: ')}\n\n`));
      event = await next();
    },
    cancel: (reason) => events.cancel(reason),
  });
  return withBody(response, body, 'text/event-stream');
}

const wordsOf = (message: string): string => JSON.stringify({ type: 'error', error: { type: 'api_error', message } });

/**
 * A middleware that lets a stream go on after parts that the provider's SDK does not know, because providers add new kinds.
 * A damaged part of a known kind is an error, because without it, a text or a call would be wrong. A part that reports an
 * error in an unusual form becomes that error.
 */
export const understoodParts: LanguageModelMiddleware = {
  specificationVersion: 'v4',
  wrapStream: async ({ doStream }) => {
    const { stream, ...rest } = await doStream();
    return {
      ...rest,
      stream: stream.pipeThrough(
        new TransformStream({
          transform(part, controller) {
            if (part.type !== 'error' || !isNotUnderstood(part.error)) return controller.enqueue(part);
            const error = failureOf(part.error);
            if (error !== undefined) controller.enqueue({ type: 'error', error });
          },
        }),
      ),
    };
  },
};

type NotUnderstood = TypeValidationError | JSONParseError;

const isNotUnderstood = (error: unknown): error is NotUnderstood =>
  !APICallError.isInstance(error) && (TypeValidationError.isInstance(error) || JSONParseError.isInstance(error));

/** Returns the error to report for a part that the SDK did not understand; undefined if the part can be left out. */
function failureOf(error: NotUnderstood): { message: string; code?: number } | undefined {
  const value = TypeValidationError.isInstance(error) ? fieldsOf(error.value) : undefined;
  const failure = failureIn(value) ?? failureIn(value?.response);
  if (failure !== undefined) return { message: failure.message, ...defined({ code: failure.status }) };
  return value !== undefined && isNew(value) ? undefined : { message: 'A part of the reply arrived damaged.' };
}

/** The types of events in a stream of Anthropic's messages. */
const KNOWN_EVENTS: ReadonlySet<string> = new Set([
  ...['message_start', 'message_delta', 'message_stop', 'content_block_start', 'content_block_delta'],
  ...['content_block_stop', 'error'],
]);
/** The types of blocks that Anthropic's models write. */
const KNOWN_BLOCKS: ReadonlySet<string> = new Set(['text', 'thinking', 'redacted_thinking', 'tool_use']);
/** The types of pieces that Anthropic's events add to a block. */
const KNOWN_DELTAS: ReadonlySet<string> = new Set([
  ...['text_delta', 'input_json_delta', 'thinking_delta', 'signature_delta', 'citations_delta'],
]);

/** Checks whether a part is of a kind that is new, rather than a damaged one of a kind that is known. */
function isNew(value: Fields): boolean {
  const type = textOf(value.type);
  // Google's chunks have no type. Those without candidates say nothing of the reply.
  if (type === '') return isFilled(value) && value.candidates === undefined;
  if (type === 'content_block_start') return !KNOWN_BLOCKS.has(textOf(fieldsOf(value.content_block).type));
  if (type === 'content_block_delta') return !KNOWN_DELTAS.has(textOf(fieldsOf(value.delta).type));
  return !KNOWN_EVENTS.has(type) && !type.startsWith('response.');
}
