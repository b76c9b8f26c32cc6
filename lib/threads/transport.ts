import { createParser } from 'eventsource-parser';
import { type ChatRequest, type ThreadStateAnswer, threadStateSchema } from '#lib/api/chat.ts';
import { problemDetailsSchema } from '#lib/api/problem.ts';
import type { StudioChunk } from '#lib/messages/chunk.ts';

/** Requests up to this many characters are sent as they are. */
const INLINE_MAX_CHARACTERS = 1_000_000;

/** The server answered with problem details. */
export class ServerProblem extends Error {
  override readonly name = 'ServerProblem';
  readonly status: number;
  readonly code: string;
  /** Of `contents-needed`: what the server does not have. */
  readonly missing: readonly string[];

  constructor(status: number, code: string, detail: string, missing: readonly string[] = []) {
    super(detail);
    this.status = status;
    this.code = code;
    this.missing = missing;
  }
}

/** The server did not answer, or the connection broke. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

/** Chunks that came together. `next`: the number of the run's chunk that comes after them, for whoever joins it again. */
export interface ChunkBatch {
  chunks: readonly StudioChunk[];
  next: number;
}

/** Chunks as they arrive. Ends after the run's last; rejects with `ConnectionError` before. */
export type ChunkStream = AsyncIterable<ChunkBatch>;

/** The studio's own server, as a thread session uses it. Rejects with `ServerProblem` or `ConnectionError`. */
export interface Transport {
  post(request: ChatRequest, signal: AbortSignal): Promise<ChunkStream>;
  attach(threadId: string, runId: string, from: number, signal: AbortSignal): Promise<ChunkStream>;
  cancel(threadId: string, runId: string | undefined): Promise<void>;
  acknowledge(threadId: string, runId: string): Promise<void>;
  /** Undefined when the server holds nothing of the thread. */
  threadState(threadId: string): Promise<ThreadStateAnswer | undefined>;
  deleteThread(threadId: string): Promise<void>;
}

export function createTransport(): Transport {
  const threadUrl = (kind: 'chat' | 'threads', threadId: string) => `/api/${kind}/${encodeURIComponent(threadId)}`;
  return {
    async post(request, signal) {
      return chunksOf(await sendLarge('/api/chat', request, signal));
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
        if (!state.success) throw new ConnectionError('The answer is no state of a thread.');
        return state.data;
      } catch (error) {
        if (error instanceof ServerProblem && error.status === 404) return undefined;
        throw error;
      }
    },
    async deleteThread(threadId) {
      await send(threadUrl('threads', threadId), { method: 'DELETE' });
    },
  };
}

const json = (body: unknown): RequestInit => jsonText(JSON.stringify(body));

const jsonText = (body: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body,
});

/** How much of what is missing goes in one request, in characters; at least one text. */
const UPLOAD_CHARACTERS = 8_000_000;

/**
 * Posts a value of any size: in a large one, long texts are named, and sent only where the server does not have them.
 * Rejects as `send` does.
 */
export async function sendLarge(url: string, value: unknown, signal: AbortSignal): Promise<Response> {
  const body = JSON.stringify(value);
  if (body.length <= INLINE_MAX_CHARACTERS) return send(url, { ...jsonText(body), signal });
  const { nameContents } = await import('#lib/api/contents.ts');
  const { value: named, contents } = await nameContents(value);
  const init = { ...json(named), signal };
  try {
    return await send(url, init);
  } catch (error) {
    if (!(error instanceof ServerProblem) || error.code !== 'contents-needed') throw error;
    await upload(error.missing, contents, signal);
  }
  try {
    return await send(url, init);
  } catch (error) {
    if (!(error instanceof ServerProblem) || error.code !== 'contents-needed') throw error;
    // What was sent last has pushed out what was sent first.
    throw new ServerProblem(413, 'too-large', 'The conversation holds more text than the server keeps.');
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

/** `fetch` within the studio's server: any failure is a `ServerProblem` or a `ConnectionError`. */
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
    `The server answered ${response.status} ${response.statusText}.`,
  );
}

async function* chunksOf(response: Response): ChunkStream {
  if (response.body === null) throw new ConnectionError('The answer has no body.');
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
  if (!done) throw new ConnectionError('The connection to the server ended in the middle of an answer.');
}

/** The chunk's form is the server's word; that it is a chunk at all is checked, so that a proxy's page is not taken for one. */
function readChunk(data: string): StudioChunk {
  let chunk: unknown;
  try {
    chunk = JSON.parse(data);
  } catch {
    // No JSON is no chunk either.
  }
  if (typeof chunk === 'object' && chunk !== null && 'type' in chunk && typeof chunk.type === 'string')
    return chunk as StudioChunk;
  throw new ConnectionError('The answer is no stream of the studio.');
}

/** An event's id is the number of the last chunk that it stands for. */
function readNumber(id: string | undefined): number {
  if (id !== undefined && /^\d{1,9}$/.test(id)) return Number(id);
  throw new ConnectionError('The answer is no stream of the studio.');
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
