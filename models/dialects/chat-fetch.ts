import { createParser } from 'eventsource-parser';
import { asError, correctedError, errorOf, withBody } from './error-response.ts';
import { failureOfText } from './failure.ts';
import { isFilled, parsed } from './fields.ts';
import { BODY_MAX_BYTES, CUT_AFTER_FINISH_MS, EVENT_MAX_CHARACTERS } from './limits.ts';
import { withReasoningDetails } from './reasoning-details.ts';
import { type EventReading, type ReplyChunk, ReplyReader } from './reply-reader.ts';
import { sendCorrected } from './request-corrections.ts';

/**
 * Wraps `fetch` for servers that offer OpenAI's chat completions: replies and errors in any form that servers use become the
 * form that the AI SDK reads. A reply that fails before it has said anything becomes a response with an error status.
 * `docs/SERVERS.md` lists what is corrected. `isExact`: requests are sent as they are; otherwise, a request of which the server
 * refuses something is corrected and sent again.
 */
export function chatFetch(request: typeof fetch, { isExact = false } = {}): typeof fetch {
  return async (input, given) => {
    const init = typeof given?.body === 'string' ? { ...given, body: withReasoningDetails(given.body) } : given;
    const response = await (isExact ? request(input, init) : sendCorrected(request, input, init));
    if (!response.ok) return correctedError(response);
    const isStream = ASKS_FOR_STREAM.test(typeof init?.body === 'string' ? init.body.slice(-ENDING) : '');
    const reply = new Reply(response);
    return isStream || isEventStream(response) ? reply.stream() : reply.whole();
  };
}

/** Matches the end of a request that asks for a stream, as the SDK writes it. */
const ASKS_FOR_STREAM = /,"stream":true(,"stream_options":\{[^}]*\})?\}$/;
const ENDING = 200;

const isEventStream = ({ headers }: Response): boolean =>
  (headers.get('content-type') ?? '').includes('text/event-stream');

/** One response of a server. */
class Reply {
  readonly #response: Response;
  readonly #chunks: ReadableStreamDefaultReader<Uint8Array> | undefined;
  readonly #decoder = new TextDecoder();
  readonly #reader = new ReplyReader();
  readonly #parser;
  /** Events that have been read, and not passed on yet. */
  #ready: { data: string; read: EventReading }[] = [];
  /** Lines that are not part of an event, such as those of plain JSON or a web page. */
  #stray = '';
  #isAtEnd = false;
  /** True if nothing has followed a finished reply although its connection stays open. */
  #isSilent = false;
  /** The number of bytes that have been read. */
  #size = 0;

  constructor(response: Response) {
    this.#response = response;
    this.#chunks = response.body?.getReader();
    this.#parser = createParser({
      onEvent: ({ data, event }) => this.#take(data, event),
      onError: ({ line, type }) => {
        if (type === 'max-buffer-size-exceeded') throw new TypeError(TOO_LONG);
        if (line !== undefined) this.#takeStray(line);
      },
      maxBufferSize: EVENT_MAX_CHARACTERS,
    });
  }

  /**
   * Returns the reply as a stream of events; an error response if it begins with a failure. Resolves once the server has said
   * something.
   */
  async stream(): Promise<Response> {
    const first = await this.#next();
    if (first?.read.type === 'failure') {
      await this.#close();
      // An error that began as a stream may pass.
      return asError(first.read.failure, isEventStream(this.#response) ? 500 : 400);
    }
    let next = first;
    const encoder = new TextEncoder();
    const events = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        if (next === undefined) {
          controller.enqueue(encoder.encode('data: [DONE]\n\n'));
          controller.close();
          await this.#finish();
          return;
        }
        // Bytes that have arrived together are passed on together.
        const text = [next, ...this.#ready.splice(0)].map(written).join('');
        controller.enqueue(encoder.encode(text));
        next = await this.#next();
      },
      cancel: (reason) => this.#chunks?.cancel(reason),
    });
    return withBody(this.#response, events, 'text/event-stream');
  }

  /** Returns the reply as one completion, once it is complete; an error response if it fails, or is too large. */
  async whole(): Promise<Response> {
    const message = { role: 'assistant', content: '', reasoning_content: '', tool_calls: new Map<number, WholeCall>() };
    let refusal = '';
    let last: ReplyChunk | undefined;
    for (let next = await this.#next(); next !== undefined; next = await this.#next()) {
      const { read, data } = next;
      if (read.type === 'failure' || this.#size > BODY_MAX_BYTES) {
        await this.#close();
        return asError(read.type === 'failure' ? read.failure : { message: TOO_LONG }, 400);
      }
      last = read.type === 'chunk' ? { ...last, ...read.chunk } : { ...last, ...(parsed(data) as ReplyChunk) };
      const [choice] = last.choices;
      message.content += choice?.delta.content ?? '';
      message.reasoning_content += choice?.delta.reasoning_content ?? '';
      refusal += choice?.delta.refusal ?? '';
      for (const { index, function: called, ...call } of choice?.delta.tool_calls ?? []) {
        const known = message.tool_calls.get(index);
        if (known === undefined)
          message.tool_calls.set(index, { ...call, function: { name: called.name, arguments: called.arguments } });
        else known.function.arguments += called.arguments;
      }
    }
    void this.#finish();
    const calls = [...message.tool_calls.values()];
    const body = {
      ...last,
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          message: {
            role: message.role,
            content: message.content === '' ? null : message.content,
            ...(message.reasoning_content !== '' && { reasoning_content: message.reasoning_content }),
            ...(refusal !== '' && { refusal }),
            ...(calls.length > 0 && { tool_calls: calls }),
          },
          finish_reason: last?.choices[0]?.finish_reason ?? 'stop',
        },
      ],
    };
    return withBody(this.#response, JSON.stringify(body), 'application/json');
  }

  /** Reads the next event of the reply; undefined at its end. */
  async #next(): Promise<{ data: string; read: EventReading } | undefined> {
    for (;;) {
      const ready = this.#ready.shift();
      if (ready !== undefined) return ready;
      if (this.#isAtEnd) return undefined;
      if (this.#reader.isDone || !(await this.#receive())) this.#end();
    }
  }

  /** Reads the next bytes, and adds their events to `#ready`. Returns false at the end. */
  async #receive(): Promise<boolean> {
    const chunk = await this.#chunk();
    this.#isSilent = chunk === undefined;
    const { done, value } = chunk ?? { done: true };
    if (done || value === undefined) {
      // The last event may lack the empty line behind it.
      this.#parser.feed(`${this.#decoder.decode()}\n\n`);
      return false;
    }
    this.#parser.feed(this.#decoder.decode(value, { stream: true }));
    this.#size += value.byteLength;
    if (!this.#reader.hasBegun && this.#size > BODY_MAX_BYTES) throw new TypeError(TOO_LONG);
    return true;
  }

  /** Waits for the next bytes; undefined without a body, and if a finished reply's connection stays open but silent. */
  async #chunk(): Promise<ReadableStreamReadResult<Uint8Array> | undefined> {
    const chunk = this.#chunks?.read();
    if (!this.#reader.isFinished) return chunk;
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, CUT_AFTER_FINISH_MS, undefined);
    });
    // A connection that breaks once everything was said is of no matter.
    const read = chunk?.catch(() => undefined);
    try {
      return await Promise.race([read, timeout]);
    } finally {
      clearTimeout(timer);
    }
  }

  #take(data: string, event: string | undefined): void {
    if (this.#reader.isDone) return;
    for (const read of this.#reader.take(data, event)) this.#ready.push({ data, read });
  }

  #takeBody(text: string): void {
    if (this.#reader.isDone) return;
    for (const read of this.#reader.takeBody(text)) this.#ready.push({ data: text, read });
  }

  /** Takes a line that is not part of an event: JSON, an error, or a part of a page or of plain text. */
  #takeStray(line: string): void {
    const text = line.replace(/data:\s*\[DONE\]\s*$/, '').trimStart();
    // llama.cpp once had a field of its own for errors.
    if (/^error:\s*\{/.test(text)) this.#take(text.slice('error:'.length), 'error');
    else if (text.startsWith('data:')) this.#take(text.slice('data:'.length), undefined);
    else if (isFilled(parsed(text))) this.#takeBody(text);
    else if (this.#stray.length < BODY_MAX_BYTES) this.#stray += `${line}\n`;
  }

  #end(): void {
    this.#isAtEnd = true;
    const stray = this.#stray.trim();
    if (!this.#reader.hasBegun && !this.#reader.isDone && parsed(stray) !== undefined) this.#takeBody(stray);
    for (const read of this.#reader.end()) this.#ready.push({ data: '', read });
    if (this.#reader.hasBegun || this.#reader.hasFailed) return;
    this.#ready.push({ data: '', read: { type: 'failure', failure: failureOfText(stray || this.#reader.odd) } });
  }

  /**
   * Reads the bytes after the last event, so that the connection can be used again. Closes it if the end does not come soon.
   */
  async #finish(): Promise<void> {
    if (this.#isSilent || this.#reader.hasFailed || this.#chunks === undefined) return this.#close();
    const timer = setTimeout(() => void this.#close(), END_WAIT_MS);
    for (let reads = 0; reads < READS_AFTER_END; reads++) {
      // A connection that breaks now has ended as well: everything was said.
      const rest = await this.#chunks.read().catch(() => ({ done: true }));
      if (!rest.done) continue;
      clearTimeout(timer);
      return;
    }
  }

  async #close(): Promise<void> {
    // A connection that has failed is closed already.
    await this.#chunks?.cancel().catch(() => undefined);
  }
}

/** The most packets that are read after the last event of a reply. */
const READS_AFTER_END = 5;
/** The time after the last event of a reply until its connection is closed if it has not ended, in milliseconds. */
const END_WAIT_MS = 1_000;

interface WholeCall {
  id?: string;
  type?: 'function';
  function: { name: string | undefined; arguments: string };
}

const TOO_LONG = `The server sent more than ${BODY_MAX_BYTES} bytes that are not a reply.`;

function written({ data, read }: { data: string; read: EventReading }): string {
  if (read.type === 'same') return `data: ${data.includes('\n') ? JSON.stringify(parsed(data)) : data}\n\n`;
  const value = read.type === 'chunk' ? read.chunk : { error: errorOf(read.failure) };
  return `data: ${JSON.stringify(value)}\n\n`;
}
