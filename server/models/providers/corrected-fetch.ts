import { EventSourceParserStream } from 'eventsource-parser/stream';
import * as z from 'zod';
import { readText } from './endpoint.ts';

/** What is read of a body that should have been a stream, in bytes. */
const BODY_MAX_BYTES = 16_777_216;

/**
 * `fetch` for servers that offer OpenAI's chat completions with small mistakes, each of which would lose a complete
 * reply:
 *
 * - arguments of calls as an object instead of text,
 * - no finish reason before the stream's end,
 * - a stream that is labelled as JSON,
 * - an error as a response with status 200, as its body or as its first event, or a web page.
 *
 * Everything else passes unchanged. The AI SDK itself tells calls with the same index apart.
 */
export function correctedFetch(request: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await request(input, init);
    if (!response.ok || response.body === null) return response;
    const type = response.headers.get('content-type') ?? '';
    if (type.includes('text/event-stream')) return asStream(response, response.body);
    if (type.includes('text/html')) {
      await response.body.cancel();
      return asError({ error: { message: 'The server returned a web page instead of a reply.' } }, 400);
    }
    if (!type.includes('json')) return response;
    const { isStream, body } = await peek(response.body);
    return isStream ? asStream(response, body) : correctedBody(response, body);
  };
}

/** How the lines of a stream begin. */
const STREAM = /^(?::|data:|event:|id:|retry:)/;
const LONGEST_BEGINNING = 6;

/** Looks at how a body begins. */
async function peek(body: ReadableStream<Uint8Array>) {
  const reader = body.getReader();
  const read: Uint8Array[] = [];
  const decoder = new TextDecoder();
  let begins = '';
  while (begins.length < LONGEST_BEGINNING) {
    const { done, value } = await reader.read();
    if (done) break;
    read.push(value);
    begins = (begins + decoder.decode(value, { stream: true })).trimStart();
  }
  const rest = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = read.shift();
      if (next !== undefined) return controller.enqueue(next);
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return { isStream: STREAM.test(begins), body: rest };
}

/** The events of a stream, corrected one by one; or the error that it begins with. */
async function asStream(response: Response, body: ReadableStream<Uint8Array>): Promise<Response> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)
    .pipeThrough(new EventSourceParserStream())
    .getReader();
  let next: ReadableStreamReadResult<{ data: string }> | undefined = await reader.read();
  const first = next.done ? undefined : parsed(next.value.data);
  if (isError(first)) {
    await reader.cancel();
    return asError(first, 500);
  }
  const reply = new Reply();
  const events = new ReadableStream<string>({
    async pull(controller) {
      const { done, value } = next ?? (await reader.read());
      next = undefined;
      if (done) return controller.close();
      for (const sent of reply.take(value.data)) controller.enqueue(`data: ${sent.replaceAll('\n', '\ndata: ')}\n\n`);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  const corrected = withBody(response, events.pipeThrough(new TextEncoderStream()));
  corrected.headers.set('content-type', 'text/event-stream');
  return corrected;
}

/** The response with another body, whose length and encoding are no longer those of the original. */
function withBody({ status, statusText, headers }: Response, body: BodyInit): Response {
  const kept = [...headers].filter(([name]) => name !== 'content-length' && name !== 'content-encoding');
  return new Response(body, { status, statusText, headers: new Headers(kept) });
}

const errorSchema = z.object({
  error: z.unknown(),
  // OpenRouter's errors in a stream have a choice, too.
  choices: z.array(z.object({ finish_reason: z.literal('error') })).optional(),
});
const errorCodeSchema = z.object({ code: z.coerce.number().int().min(400).max(599) });

/** Whether a body or an event says that the request failed. */
const isError = (value: unknown): boolean => (errorSchema.safeParse(value).data?.error ?? null) !== null;

/** A body that did not come as a stream: an error, or a reply. */
async function correctedBody(response: Response, body: ReadableStream<Uint8Array>): Promise<Response> {
  const text = await readText(withBody(response, body), BODY_MAX_BYTES);
  const value = parsed(text);
  if (isError(value)) return asError(value, 400);
  const calls = replySchema.safeParse(value).data?.choices[0]?.message.tool_calls ?? [];
  const changed = calls.map(writeArguments).some(Boolean);
  return withBody(response, changed ? JSON.stringify(value) : text);
}

/** The response with which an endpoint should have failed. `status`: for an error that names none. */
function asError(value: unknown, status: number): Response {
  const { error } = errorSchema.parse(value);
  const { code = status } = errorCodeSchema.safeParse(error).data ?? {};
  return Response.json({ error }, { status: code });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Kept as they are, so that what is written into a call changes the whole. */
const callSchema = z.custom<WrittenCall>((value) => typeof value === 'object' && value !== null);

interface WrittenCall {
  function?: { arguments?: unknown } | null;
}

const replySchema = z.object({
  choices: z.array(z.object({ message: z.object({ tool_calls: z.array(callSchema).nullish() }) })),
});

const chunkSchema = z.object({
  choices: z.array(
    z.object({
      finish_reason: z.string().nullish(),
      delta: z.object({ tool_calls: z.array(callSchema).nullish() }).nullish(),
    }),
  ),
});

/** Writes arguments that are an object as text. Whether they were. */
function writeArguments({ function: called }: WrittenCall): boolean {
  if (typeof called?.arguments !== 'object' || called.arguments === null) return false;
  called.arguments = JSON.stringify(called.arguments);
  return true;
}

/** What is worth a closer look in an event: most have a null reason, and no calls. */
const TELLING = /"tool_calls"|"error"|"finish_reason"\s*:\s*"[^"]/;

/** One reply, event by event. */
class Reply {
  #hasBegun = false;
  #hasCalls = false;
  #isFinished = false;

  /** The events that stand for one, by their data. */
  take(data: string): string[] {
    if (data.trim() === '[DONE]') {
      const lacksReason = this.#hasBegun && !this.#isFinished;
      this.#isFinished = true;
      return lacksReason ? [finishing(this.#hasCalls ? 'tool_calls' : 'stop'), data] : [data];
    }
    this.#hasBegun ||= data.includes('"choices"');
    if (!TELLING.test(data)) return [data];
    const value = parsed(data);
    const choice = chunkSchema.safeParse(value).data?.choices[0];
    const calls = choice?.delta?.tool_calls ?? [];
    this.#hasCalls ||= calls.length > 0;
    this.#isFinished ||= isError(value) || (choice?.finish_reason ?? '') !== '';
    return [calls.map(writeArguments).some(Boolean) ? JSON.stringify(value) : data];
  }
}

const finishing = (reason: 'stop' | 'tool_calls'): string =>
  JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: reason }] });
