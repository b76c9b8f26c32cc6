import { createParser } from 'eventsource-parser';
import { PERSONAL_KEY_HEADER, SUMMARY_KEY_HEADER } from '#lib/api/connections.ts';
import type { KnownUse, ModelConfig } from '#lib/api/model-config.ts';
import { problemDetailsSchema } from '#lib/api/problem.ts';
import { threadStateSchema } from '#lib/api/thread-state.ts';
import type { StudioChunk } from '#lib/messages/chunk.ts';
import { type ChunkStream, ConnectionError, ServerProblem, type Transport } from './transport.ts';

/** Requests of up to this many characters are sent unchanged. */
const INLINE_MAX_CHARACTERS = 1_000_000;

/** The text of a catalogue of tools by its name; undefined if this browser does not have it. */
export type CatalogueText = (name: string) => Promise<string | undefined>;

/** What the browser adds to a request for a model. */
export interface ModelAddition {
  /** The model, if it is one of a connection in this browser. */
  personal?: ModelConfig;
  /** The key of that connection. */
  key?: string | undefined;
  /** What is known here of how to use the model. */
  use?: KnownUse | undefined;
}

/** What is added for the model with that id. */
export type ModelAdditionOf = (id: string) => Promise<ModelAddition>;

/**
 * The studio's server over HTTP. `catalogueText`: for when the server asks for a catalogue. `modelAdditionOf`: for what
 * the server does not know of a model, which may reject.
 */
export function createHttpTransport(
  catalogueText: CatalogueText,
  modelAdditionOf: ModelAdditionOf = async () => ({}),
): Transport {
  const threadUrl = (kind: 'chat' | 'threads', threadId: string) => `/api/${kind}/${encodeURIComponent(threadId)}`;
  return {
    async post(request, signal) {
      const { key, ...addition } = await modelAdditionOf(request.settings.model);
      const { compaction, ...rest } = request;
      // If the key of the model for summaries is locked, the server cannot use that model, and says so.
      const summaries =
        compaction?.model === undefined ? undefined : await modelAdditionOf(compaction.model).catch(() => undefined);
      const value = {
        ...{ ...rest, ...addition },
        ...(compaction && {
          compaction: {
            ...compaction,
            ...(summaries?.personal !== undefined && { personal: summaries.personal }),
            ...(summaries?.use !== undefined && { use: summaries.use }),
          },
        }),
      };
      const headers: Record<string, string> = {
        ...(key !== undefined && { [PERSONAL_KEY_HEADER]: key }),
        ...(summaries?.key !== undefined && { [SUMMARY_KEY_HEADER]: summaries.key }),
      };
      return chunksOf(await sendWithCatalogue('/api/chat', value, { textOf: catalogueText, signal, headers }));
    },
    async attach(threadId, runId, from, signal) {
      const query = new URLSearchParams({ run: runId, from: String(from) });
      return chunksOf(await send(`${threadUrl('chat', threadId)}?${query}`, { signal }));
    },
    async cancel(threadId, runId) {
      await send(threadUrl('chat', threadId), json({ type: 'cancel', ...(runId === undefined ? {} : { runId }) }));
    },
    async acknowledge(threadId, runId) {
      await send(threadUrl('chat', threadId), json({ type: 'acknowledge', runId }));
    },
    async threadState(threadId) {
      try {
        const response = await send(threadUrl('threads', threadId), {});
        const body: unknown = await response.json().catch(() => undefined);
        const state = threadStateSchema.safeParse(body);
        if (!state.success) throw new ConnectionError('The response is not a valid thread state.');
        return state.data;
      } catch (error) {
        if (error instanceof ServerProblem && error.status === 404) return undefined;
        throw error;
      }
    },
    async deleteThread(threadId) {
      // It may be the last thing that the page does.
      await send(threadUrl('threads', threadId), { method: 'DELETE', keepalive: true });
    },
  };
}

const json = (body: unknown): RequestInit => jsonText(JSON.stringify(body));

const jsonText = (body: string, headers: Record<string, string> = {}) => ({
  method: 'POST',
  headers: { ...headers, 'content-type': 'application/json' },
  body,
});

/** How a request is sent. */
interface SendOptions {
  signal: AbortSignal;
  /** Besides those for its content. */
  headers?: Record<string, string>;
}

/** Like `sendLarge`, for a request that names a catalogue of tools: its text is sent first if the server asks for it. */
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
    await send('/api/catalogues', { ...json({ text }), signal: options.signal });
    return sendLarge(url, value, options);
  }
}

/** How often missing contents are sent for one request. */
const UPLOADS_MAX = 3;

/** How many characters of missing contents go in one request; always at least one text. */
const UPLOAD_CHARACTERS = 8_000_000;

/**
 * Posts a value of any size. In a large value, long texts are replaced with references and sent only if the server does
 * not have them. Rejects like `send`.
 */
export async function sendLarge(url: string, value: unknown, { signal, headers }: SendOptions): Promise<Response> {
  const body = JSON.stringify(value);
  if (body.length <= INLINE_MAX_CHARACTERS) return send(url, { ...jsonText(body, headers), signal });
  const { nameContents, NAMED_CONTENTS_HEADER } = await import('#lib/api/contents.ts');
  const { value: named, contents } = await nameContents(value);
  const init = jsonText(JSON.stringify(named), { ...headers, [NAMED_CONTENTS_HEADER]: '1' });
  for (let uploads = 0; ; uploads++)
    try {
      return await send(url, { ...init, signal });
    } catch (error) {
      if (!(error instanceof ServerProblem) || error.code !== 'contents-needed') throw error;
      // What other tabs have sent meanwhile may have displaced some of the texts on the server.
      if (uploads === UPLOADS_MAX)
        throw new ServerProblem(413, 'too-large', 'The conversation contains more text than the server can hold.');
      await upload(error.missing, contents, signal);
    }
}

async function upload(
  missing: readonly string[],
  contents: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<void> {
  let batch: string[] = [];
  let length = 0;
  const flush = async () => {
    if (batch.length > 0) await send('/api/contents', { ...json({ contents: batch }), signal });
    batch = [];
    length = 0;
  };
  for (const name of missing) {
    const text = contents.get(name);
    if (text === undefined) continue;
    if (length + text.length > UPLOAD_CHARACTERS) await flush();
    batch.push(text);
    length += text.length;
  }
  await flush();
}

/** `fetch` from the studio's server: any failure is a `ServerProblem` or a `ConnectionError`. */
export async function send(url: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ConnectionError(error instanceof Error ? error.message : String(error));
  }
  if (response.ok) return response;
  const body: unknown = await response.json().catch(() => undefined);
  const problem = problemDetailsSchema.safeParse(body);
  if (problem.success)
    throw new ServerProblem(response.status, problem.data.code, problem.data.detail, problem.data.missing);
  throw new ServerProblem(
    response.status,
    'internal',
    `The server responded with ${response.status} ${response.statusText}.`,
  );
}

async function* chunksOf(response: Response): ChunkStream {
  if (response.body === null) throw new ConnectionError('The response has no body.');
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
  for await (const bytes of readAll(response.body)) {
    parser.feed(decoder.decode(bytes, { stream: true }));
    if (batch.length === 0) continue;
    const chunks = batch;
    batch = [];
    yield { chunks, next };
  }
  if (!done) throw new ConnectionError('The connection to the server ended in the middle of a response.');
}

/**
 * Trusts the server for the chunk's format, but checks that it is a chunk at all and not, for example, a proxy's error
 * page.
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

/** An event's id is the number of the last chunk that it represents. */
function readNumber(id: string | undefined): number {
  if (id !== undefined && /^\d{1,9}$/.test(id)) return Number(id);
  throw new ConnectionError('The response is not a stream from the studio.');
}

async function* readAll(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  try {
    for (;;) {
      let result: ReadableStreamReadResult<Uint8Array<ArrayBuffer>>;
      try {
        result = await reader.read();
      } catch (error) {
        throw new ConnectionError(error instanceof Error ? error.message : String(error));
      }
      if (result.done) return;
      yield result.value;
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}
