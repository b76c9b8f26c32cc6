import { createParser } from 'eventsource-parser';
import { defined } from '#lib/base/defined.ts';
import { messageOf } from '#lib/base/message-of.ts';
import type { StudioChunk } from '#lib/messages/chunk.ts';
import { PERSONAL_KEY_HEADER, SUMMARY_KEY_HEADER } from '#lib/wire/connections.ts';
import { HEARTBEAT_HEADER } from '#lib/wire/heartbeat.ts';
import type { KnownUse, ModelConfig } from '#lib/wire/model-config.ts';
import { threadStateSchema } from '#lib/wire/thread-state.ts';
import { deleteThread, serverFetch, threadUrl } from './server-fetch.ts';
import { type ChunkStream, ConnectionError, ServerProblem, type Transport } from './transport.ts';

/** Requests of up to this many characters are sent unchanged; longer ones with references (see `sendLarge`). */
const INLINE_MAX_CHARACTERS = 1_000_000;

/** Finds the text of a catalogue of tools by its name; undefined if this browser does not have it. */
type CatalogueText = (name: string) => Promise<string | undefined>;

/** Data about a model that the browser adds to a request. */
interface ModelAddition {
  /** The model's configuration, if the model belongs to a connection in this browser. */
  personal?: ModelConfig;
  /** The key of the connection that the model belongs to, if it belongs to one in this browser. */
  key?: string | undefined;
  /** The settings for using the model that only this browser knows. */
  use?: KnownUse | undefined;
}

/** Finds the data to add for the model with that id. May reject, for instance if the connection's key is locked. */
type ModelAdditionOf = (id: string) => Promise<ModelAddition>;

/**
 * Creates the connection of the page to the studio's server over HTTP, which starts, rejoins, and cancels runs, and reads and
 * deletes the server's states of threads. `catalogueText`: finds the text of a catalogue (the data of the tools that a run
 * offers) for which the server asks. `modelAdditionOf`: finds the data about a model that the server does not have, such as its
 * key.
 */
export function createHttpTransport(
  catalogueText: CatalogueText,
  modelAdditionOf: ModelAdditionOf = async () => ({}),
): Transport {
  return {
    async post(request, signal) {
      const { key, ...addition } = await modelAdditionOf(request.settings.model);
      const { compaction, ...rest } = request;
      // If the key of the model for summaries is locked, the server cannot use that model, and says so.
      const summaries =
        compaction?.model === undefined ? undefined : await modelAdditionOf(compaction.model).catch(() => undefined);
      const value = {
        ...rest,
        ...addition,
        ...(compaction && {
          compaction: {
            ...compaction,
            ...defined({ personal: summaries?.personal, use: summaries?.use }),
          },
        }),
      };
      const headers: Record<string, string> = {
        ...defined({ [PERSONAL_KEY_HEADER]: key, [SUMMARY_KEY_HEADER]: summaries?.key }),
      };
      const options = { textOf: catalogueText, signal, headers, limitMs: POST_MS };
      return chunksOf(await sendWithCatalogue('/api/chat', value, options));
    },
    async attach(threadId, runId, from, signal) {
      const query = new URLSearchParams({ run: runId, from: String(from) });
      const url = `${threadUrl('chat', threadId)}?${query}`;
      const options = { limitMs: ATTACH_MS, againMax: AGAIN_MAX, signal };
      // With its cache, a browser would send one such request after the other.
      const request = (attempt: AbortSignal) => serverFetch(url, { signal: attempt, cache: 'no-store' });
      return chunksOf(await answered(request, options));
    },
    async cancel(threadId, runId) {
      await serverFetch(
        threadUrl('chat', threadId),
        json({ type: 'cancel', ...(runId === undefined ? {} : { runId }) }),
      );
    },
    async acknowledge(threadId, runId) {
      await serverFetch(threadUrl('chat', threadId), json({ type: 'acknowledge', runId }));
    },
    async threadState(threadId) {
      try {
        const response = await serverFetch(threadUrl('threads', threadId), {});
        // The schema refuses a body that is not JSON.
        const body: unknown = await response.json().catch(() => undefined);
        const state = threadStateSchema.safeParse(body);
        if (!state.success) throw new ConnectionError('The response is not a valid thread state.');
        return state.data;
      } catch (error) {
        if (error instanceof ServerProblem && error.status === 404) return undefined;
        throw error;
      }
    },
    deleteThread,
  };
}

const json = (body: unknown): RequestInit => jsonText(JSON.stringify(body));

const jsonText = (body: string, headers: Record<string, string> = {}) => ({
  method: 'POST',
  headers: { ...headers, 'content-type': 'application/json' },
  body,
});

/** Options for sending a request. */
interface SendOptions {
  signal: AbortSignal;
  /** Headers besides `content-type`. */
  headers?: Record<string, string>;
  /** The longest time until the response to a request that is not large begins, in milliseconds; any time if absent. */
  limitMs?: number;
}

/**
 * Posts a value of any size as JSON, which may name a catalogue: the data of the tools that a run offers to its model. If the
 * server asks for the catalogue's text, sends the text, which `textOf` finds, and posts again. Rejects with `ServerProblem`,
 * also if this browser does not have the text, with `ConnectionError`, or as `textOf` does.
 */
export async function sendWithCatalogue(
  url: string,
  value: { catalogue?: string | undefined },
  { textOf, ...options }: SendOptions & { textOf: CatalogueText },
): Promise<Response> {
  try {
    return await sendLarge(url, value, options);
  } catch (error) {
    const { catalogue } = value;
    if (!(error instanceof ServerProblem) || error.code !== 'catalogue-needed' || catalogue === undefined) throw error;
    const text = await textOf(catalogue);
    if (text === undefined) throw error;
    await serverFetch('/api/catalogues', { ...json({ text }), signal: options.signal });
    return sendLarge(url, value, options);
  }
}

/**
 * Posts a value of any size. In a large value, long texts are replaced with references and sent only if the server does
 * not have them. Rejects with `ServerProblem` or `ConnectionError`.
 */
async function sendLarge(url: string, value: unknown, { signal, headers, limitMs }: SendOptions): Promise<Response> {
  const body = JSON.stringify(value);
  if (body.length <= INLINE_MAX_CHARACTERS) {
    const request = (attempt: AbortSignal) => serverFetch(url, { ...jsonText(body, headers), signal: attempt });
    return limitMs === undefined
      ? request(signal)
      : answered(request, { limitMs: limitMs + body.length / UPLOAD_PER_MS, signal });
  }
  const { sendContents } = await import('./send-contents.ts');
  return sendContents(value, {
    post: (text, more) => serverFetch(url, { ...jsonText(text, { ...headers, ...more }), signal }),
    upload: (contents) => serverFetch('/api/contents', { ...json({ contents }), signal }),
  });
}

/** The longest time that the server may take to let a page rejoin a run, in milliseconds. Normally, it answers at once. */
const ATTACH_MS = 8_000;

/** The longest time that the server may take to start a run, in milliseconds, besides the time to send the request. */
const POST_MS = 12_000;

/** The characters of a request that even a slow connection sends in a millisecond. */
const UPLOAD_PER_MS = 5;

/** The time without an answer after which a request is repeated over another connection, in milliseconds. */
const AGAIN_MS = 400;

/**
 * The maximum number of times that a request without an answer is repeated: a browser was seen to keep nine connections to a
 * host, and all may be dead. The last repetition has the rest of the time.
 */
const AGAIN_MAX = 12;

/** The number of requests that wait for an answer at once, each for a while: a browser has only six connections for them. */
const AT_ONCE_MAX = 4;

/** The silence after which a connection counts as dead, as a multiple of the server's heartbeat interval. */
const MISSING_SIGNS = 2.5;

/** The interval at which it is checked how long nothing has come, in milliseconds. */
const SILENCE_CHECK_MS = 1_000;

const ENDED = 'The connection to the server ended in the middle of a response.';

/**
 * Sends a request, and repeats it up to `againMax` times while there is no answer. The first answer or failure counts.
 * Rejects with `ConnectionError` if there is none within `limitMs`.
 */
function answered(
  request: (signal: AbortSignal) => Promise<Response>,
  { limitMs, againMax = 0, signal }: { limitMs: number; againMax?: number; signal: AbortSignal },
): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const attempts = new Set<AbortController>();
  let left = againMax;
  const begin = () => {
    const own = new AbortController();
    attempts.add(own);
    // The oldest give up their connections, which could be all that the browser has.
    for (const attempt of [...attempts].slice(0, -AT_ONCE_MAX)) {
      attempts.delete(attempt);
      attempt.abort();
    }
    request(AbortSignal.any([signal, own.signal])).then(
      (response) => {
        attempts.delete(own);
        resolve(response);
      },
      (error: unknown) => own.signal.aborted || reject(error),
    );
  };
  const again = setInterval(() => left-- > 0 && begin(), AGAIN_MS);
  const limit = setTimeout(() => reject(new ConnectionError(ENDED)), limitMs);
  begin();
  return promise.finally(() => {
    clearInterval(again);
    clearTimeout(limit);
    for (const attempt of attempts) attempt.abort();
  });
}

async function* chunksOf(response: Response): ChunkStream {
  if (response.body === null) throw new ConnectionError('The response has no body.');
  const silenceMs = Number(response.headers.get(HEARTBEAT_HEADER)) * MISSING_SIGNS;
  let batch: StudioChunk[] = [];
  let next = 0;
  let done = false;
  const parser = createParser({
    onEvent({ id, data }) {
      if (data === '[DONE]') {
        done = true;
        return;
      }
      batch.push(readChunk(data));
      next = readNumber(id) + 1;
    },
  });
  const decoder = new TextDecoder();
  for await (const bytes of readAll(response.body, silenceMs)) {
    parser.feed(decoder.decode(bytes, { stream: true }));
    if (batch.length === 0) continue;
    const chunks = batch;
    batch = [];
    yield { chunks, next };
  }
  if (!done) throw new ConnectionError(ENDED);
}

/**
 * Parses a chunk. Trusts the server for its format, but throws `ConnectionError` for anything that is not a chunk at all, such
 * as a proxy's error page.
 */
function readChunk(data: string): StudioChunk {
  let chunk: unknown;
  try {
    chunk = JSON.parse(data);
  } catch {
    // Without valid JSON, it is not a chunk either.
  }
  if (typeof chunk === 'object' && chunk !== null && 'type' in chunk && typeof chunk.type === 'string')
    return chunk as StudioChunk;
  throw new ConnectionError('The response is not a stream from the studio.');
}

/** Reads an event's id: the number of the last chunk that the event represents. Throws `ConnectionError`. */
function readNumber(id: string | undefined): number {
  if (id !== undefined && /^\d{1,9}$/.test(id)) return Number(id);
  throw new ConnectionError('The response is not a stream from the studio.');
}

/** Yields a body's bytes. Throws `ConnectionError` after `silenceMs` milliseconds without any; 0 for no limit. */
async function* readAll(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  silenceMs: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  // Nobody reads the rest; a stream that has failed cannot be cancelled.
  const cancel = () => reader.cancel().catch(() => undefined);
  let isDead = false;
  let lastAt = Date.now();
  // One timer for the whole stream: a reply comes in thousands of pieces.
  const timer = setInterval(() => {
    if (silenceMs === 0 || Date.now() - lastAt < silenceMs) return;
    isDead = true;
    void cancel();
  }, SILENCE_CHECK_MS);
  try {
    for (;;) {
      let result: ReadableStreamReadResult<Uint8Array<ArrayBuffer>>;
      try {
        result = await reader.read();
      } catch (error) {
        throw new ConnectionError(messageOf(error));
      }
      if (isDead) throw new ConnectionError(ENDED);
      if (result.done) return;
      lastAt = Date.now();
      yield result.value;
    }
  } finally {
    clearInterval(timer);
    void cancel();
  }
}
