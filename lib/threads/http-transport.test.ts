import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { StudioChunk } from '#lib/messages/chunk.ts';
import type { ChatRequest } from '#lib/wire/chat.ts';
import { HEARTBEAT_HEADER, HEARTBEAT_MS } from '#lib/wire/heartbeat.ts';
import { createHttpTransport } from './http-transport.ts';
import { type ChunkStream, ConnectionError, ServerProblem } from './transport.ts';

const REQUEST: ChatRequest = {
  threadId: 'thread',
  runId: 'run',
  revision: null,
  head: null,
  turnId: 'turn',
  action: { type: 'turn', message: { id: 'u', role: 'user', createdAt: 1, parts: [{ type: 'text', text: 'Hi' }] } },
  settings: { model: 'm', toolCalling: 'auto', toolsets: [], systemPrompt: '' },
};

const CHUNKS: StudioChunk[] = [
  { type: 'start', messageId: 'turn', messageMetadata: { runId: 'run' } },
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: 'data: [DONE]\n\n日本語 🙂' },
  { type: 'text-end', id: 't' },
  { type: 'finish', messageMetadata: { revision: 'r' } },
];

const sse = (chunks: readonly StudioChunk[]): string =>
  chunks.map((chunk, index) => `id: ${index}\ndata: ${JSON.stringify(chunk)}\n\n`).join('');

const DONE = 'data: [DONE]\n\n';

const { signal } = new AbortController();

/** The requests to the server. */
let requests: { url: string; method: string; body: unknown }[];

/** Replaces the network with a fake server. */
function serve(answer: (signal: AbortSignal | null | undefined) => Response | Promise<Response>): void {
  requests = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
    requests.push({ url, method: init.method ?? 'GET', body });
    return answer(init.signal);
  });
}

/** A response whose body arrives in these pieces, and then ends or breaks. */
function stream(pieces: readonly (string | Uint8Array)[], breaks = false): Response {
  const encoder = new TextEncoder();
  let at = 0;
  return new Response(
    new ReadableStream<Uint8Array>({
      pull(controller) {
        const piece = pieces[at++];
        if (piece !== undefined) controller.enqueue(typeof piece === 'string' ? encoder.encode(piece) : piece);
        else if (breaks) controller.error(new TypeError('network error'));
        else controller.close();
      },
    }),
  );
}

const json = (status: number, body: unknown): Response => new Response(JSON.stringify(body), { status });

async function read(chunks: ChunkStream): Promise<StudioChunk[]> {
  const all: StudioChunk[] = [];
  for await (const batch of chunks) all.push(...batch.chunks);
  return all;
}

const transportOf = () => createHttpTransport(async () => undefined);
const post = async (): Promise<StudioChunk[]> => read(await transportOf().post(REQUEST, signal));

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('a stream', () => {
  test('delivers the chunks as they were sent, whatever their text looks like', async () => {
    serve(() => stream([sse(CHUNKS) + DONE]));
    expect(await post()).toEqual(CHUNKS);
    expect(requests).toEqual([{ url: '/api/chat', method: 'POST', body: REQUEST }]);
  });

  test('delivers the same chunks however its bytes are split, even within characters', async () => {
    const bytes = new TextEncoder().encode(sse(CHUNKS) + DONE);
    for (const size of [1, 2, 3, 7, 64]) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.slice(index * size, (index + 1) * size),
      );
      serve(() => stream(pieces));
      expect(await post()).toEqual(CHUNKS);
    }
  });

  test('delivers chunks that arrived together in one batch', async () => {
    serve(() => stream([sse(CHUNKS.slice(0, 3)), sse(CHUNKS.slice(3)) + DONE]));
    const sizes: number[] = [];
    for await (const batch of await transportOf().post(REQUEST, signal)) sizes.push(batch.chunks.length);
    expect(sizes).toEqual([3, 2]);
  });

  test.each<[string, () => Response]>([
    ['ends before the run does', () => stream([sse(CHUNKS.slice(0, 3))])],
    ['breaks', () => stream([sse(CHUNKS.slice(0, 3))], true)],
    ['ends within a chunk', () => stream([`${sse(CHUNKS.slice(0, 3))}data: {"type":"te`])],
  ])('[R9] that %s is a ConnectionError, after everything that had arrived', async (_, answer) => {
    serve(answer);
    const arrived: StudioChunk[] = [];
    const reading = async () => {
      for await (const batch of await transportOf().post(REQUEST, signal)) arrived.push(...batch.chunks);
    };
    await expect(reading()).rejects.toThrow(ConnectionError);
    expect(arrived).toEqual(CHUNKS.slice(0, 3));
  });

  test.each([
    ['a page', '<html>Sign in</html>'],
    ['events of something else', 'data: <html>\n\n'],
    ['JSON that is not a chunk', 'data: {"hello":1}\n\n'],
    ['JSON that is not an object', 'data: null\n\n'],
  ])('that is %s, as a proxy may send it, is a ConnectionError', async (_, body) => {
    serve(() => stream([body]));
    await expect(post()).rejects.toThrow(ConnectionError);
  });

  describe('over a connection that is dead, but not closed', () => {
    beforeEach(() => void vi.useFakeTimers());
    afterEach(() => void vi.useRealTimers());

    /** A stream that says something at these times, in milliseconds, and then nothing. */
    const silentAfter = (times: readonly number[], headers: Record<string, string>): Response => {
      const encoder = new TextEncoder();
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(encoder.encode(sse(CHUNKS.slice(0, 3))));
          for (const ms of times) setTimeout(() => controller.enqueue(encoder.encode(':\n\n')), ms);
        },
      });
      return new Response(body, { headers });
    };

    test('is a ConnectionError within 15 s of the last sign of life, and not before', async () => {
      serve(() => silentAfter([4_000, 8_000, 12_000], { [HEARTBEAT_HEADER]: String(HEARTBEAT_MS) }));
      let error: unknown;
      void post().catch((reason: unknown) => (error = reason));
      await vi.advanceTimersByTimeAsync(12_000 + HEARTBEAT_MS * 2);
      expect(error).toBeUndefined();
      await vi.advanceTimersByTimeAsync(15_000 - HEARTBEAT_MS * 2);
      expect(error).toBeInstanceOf(ConnectionError);
    });

    test('of a server that gives no signs of life is waited for', async () => {
      serve(() => silentAfter([], {}));
      let isSettled = false;
      void post().finally(() => (isSettled = true));
      await vi.advanceTimersByTimeAsync(600_000);
      expect(isSettled).toBe(false);
    });

    test('a request with a long text has the time that it takes to send it', async () => {
      const long = { ...REQUEST, settings: { ...REQUEST.settings, systemPrompt: 'x'.repeat(900_000) } };
      serve(() => new Promise((resolve) => setTimeout(() => resolve(stream([sse(CHUNKS) + DONE])), 60_000)));
      const reading = transportOf().post(long, signal).then(read);
      await vi.advanceTimersByTimeAsync(60_000);
      expect(await reading).toEqual(CHUNKS);
      serve(() => new Promise(() => undefined));
      let error: unknown;
      void post().catch((reason: unknown) => (error = reason));
      await vi.advanceTimersByTimeAsync(15_000);
      expect(error).toBeInstanceOf(ConnectionError);
    });

    test('one of more requests reaches the server if nine connections are dead, each only for a while', async () => {
      let open = 0;
      let most = 0;
      serve((aborted) => {
        if (requests.length > 9) return stream([sse(CHUNKS) + DONE]);
        most = Math.max(most, ++open);
        return new Promise<Response>((_, reject) => {
          aborted?.addEventListener('abort', () => {
            open--;
            reject(aborted.reason);
          });
        });
      });
      const reading = transportOf().attach('t', 'r', 0, signal).then(read);
      await vi.advanceTimersByTimeAsync(4_000);
      expect(await reading).toEqual(CHUNKS);
      // The browser needs connections for other requests, too.
      expect(most).toBeLessThanOrEqual(5);
      expect(open, 'requests that are no longer needed end').toBe(0);
    });

    test('a server that takes 1.5 s to answer is waited for', async () => {
      serve(
        (aborted) =>
          new Promise<Response>((resolve, reject) => {
            setTimeout(() => resolve(stream([sse(CHUNKS) + DONE])), 1_500);
            aborted?.addEventListener('abort', () => reject(aborted.reason));
          }),
      );
      const reading = transportOf().attach('t', 'r', 0, signal).then(read);
      await vi.advanceTimersByTimeAsync(1_500);
      expect(await reading).toEqual(CHUNKS);
      expect(requests.length).toBeLessThanOrEqual(4);
    });

    test('a server that does not let the page rejoin is asked again', async () => {
      serve(() => new Promise<Response>(() => undefined));
      let error: unknown;
      void transportOf()
        .attach('t', 'r', 0, signal)
        .catch((reason: unknown) => (error = reason));
      await vi.advanceTimersByTimeAsync(10_000);
      expect(error).toBeInstanceOf(ConnectionError);
    });
  });

  test('is cancelled when the reader stops, so that the connection does not stay open', async () => {
    const cancelled = vi.fn();
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(sse(CHUNKS))),
      cancel: cancelled,
    });
    serve(() => new Response(body));
    for await (const _ of await transportOf().post(REQUEST, signal)) break;
    await expect.poll(() => cancelled.mock.calls.length).toBe(1);
  });
});

describe('a failed response', () => {
  const details = {
    type: 'about:blank',
    title: 'Conflict',
    status: 409,
    detail: 'Send the branch.',
    code: 'transcript-needed',
  };

  test('with problem details is a ServerProblem with their code and message', async () => {
    serve(() => json(409, details));
    const error: unknown = await post().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ServerProblem);
    expect(error).toMatchObject({ status: 409, code: 'transcript-needed', message: 'Send the branch.' });
    // As the studio's server sends what only asks for something.
    serve(() => new Response(JSON.stringify(details), { headers: { 'content-type': 'application/problem+json' } }));
    await expect(post()).rejects.toMatchObject({ status: 409, code: 'transcript-needed' });
  });

  test.each<[string, Response]>([
    ['a page', new Response('<html>Too large</html>', { status: 413, statusText: 'Payload Too Large' })],
    ['other JSON', json(500, { error: 'x' })],
    ['nothing', new Response(null, { status: 500 })],
  ])('with %s is a ServerProblem that says so', async (_, response) => {
    serve(() => response);
    await expect(post()).rejects.toMatchObject({ name: 'ServerProblem', status: response.status, code: 'internal' });
  });

  const html = { 'content-type': 'text/html; charset=utf-8' };

  test.each<[string, Response]>([
    [
      '502 and a page',
      new Response('<html>Bad gateway</html>', { status: 502, statusText: 'Bad Gateway', headers: html }),
    ],
    ['502 and nothing', new Response(null, { status: 502 })],
    ['503 and other JSON', json(503, { error: 'x' })],
    ['504', new Response('upstream request timeout', { status: 504 })],
    ['429 of a proxy', new Response('slow down', { status: 429 })],
    ['a web server that is down, as Cloudflare says', new Response('error code: 521', { status: 521 })],
    ['500 and a page', new Response('<!doctype html>', { status: 500, headers: html })],
  ])('of a proxy, %s, is a ConnectionError', async (_, response) => {
    serve(() => response);
    await expect(post()).rejects.toMatchObject({
      name: 'ConnectionError',
      message: expect.stringMatching(new RegExp(`^The server responded with ${response.status}\\b.*(?<! )\\.$`)),
    });
  });

  test('of the studio itself is a ServerProblem, whatever its status', async () => {
    serve(() => json(502, { ...details, status: 502, code: 'odd' }));
    await expect(post()).rejects.toMatchObject({ name: 'ServerProblem', status: 502, code: 'odd' });
  });

  test('of a studio that is being stopped is a ConnectionError, and had no effect', async () => {
    serve(() => json(503, { ...details, status: 503, code: 'draining' }));
    await expect(post()).rejects.toMatchObject({ name: 'ConnectionError', isRefused: true });
  });

  test('because there is no server is a ConnectionError', async () => {
    serve(() => Promise.reject(new TypeError('Failed to fetch')));
    await expect(post()).rejects.toMatchObject({ name: 'ConnectionError', message: 'Failed to fetch' });
  });

  test('because the caller aborted it is neither: the abort reason is thrown', async () => {
    serve(() => Promise.reject(new DOMException('Stopped.', 'AbortError')));
    await expect(transportOf().post(REQUEST, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('requests', () => {
  test('[R9] a run is joined at a chunk number, and ids are escaped in the URL', async () => {
    serve(() => stream([DONE]));
    await read(await transportOf().attach('a/b?c', 'r&s', 7, signal));
    expect(requests).toEqual([{ url: '/api/chat/a%2Fb%3Fc?run=r%26s&from=7', method: 'GET', body: undefined }]);
  });

  test('[R10] a run is cancelled by its id, or without an id whichever is running', async () => {
    serve(() => json(200, {}));
    await transportOf().cancel('t', 'r');
    await transportOf().cancel('t', undefined);
    expect(requests.map(({ url, body }) => [url, body])).toEqual([
      ['/api/chat/t', { type: 'cancel', runId: 'r' }],
      ['/api/chat/t', { type: 'cancel' }],
    ]);
  });

  test('[R9] a run is acknowledged and a thread deleted, each at its own URL', async () => {
    serve(() => json(200, {}));
    await transportOf().acknowledge('t', 'r');
    await transportOf().deleteThread('t');
    expect(requests).toEqual([
      { url: '/api/chat/t', method: 'POST', body: { type: 'acknowledge', runId: 'r' } },
      { url: '/api/threads/t', method: 'DELETE', body: undefined },
    ]);
  });

  test('[R13] the server’s state of a thread is validated; having none is not an error', async () => {
    const turn = { id: 'turn', role: 'assistant', createdAt: 1, parts: [], status: { type: 'done' } };
    serve(() => json(200, { revision: 'r', turn }));
    expect(await transportOf().threadState('t')).toEqual({ revision: 'r', turn });
    serve(() => json(404, { type: 'about:blank', title: 'x', status: 404, detail: 'x', code: 'no-such-thread' }));
    expect(await transportOf().threadState('t')).toBeUndefined();
    serve(() => json(500, {}));
    await expect(transportOf().threadState('t')).rejects.toMatchObject({ status: 500 });
  });

  test.each<[string, () => Response]>([
    ['has a different format', () => json(200, { revision: 7 })],
    ['is not JSON', () => new Response('<html>')],
  ])('[R13] a thread’s state that %s is a ConnectionError, so that it is requested again', async (_, answer) => {
    serve(answer);
    await expect(transportOf().threadState('t')).rejects.toThrow(ConnectionError);
  });
});

describe('a catalogue of tools', () => {
  const NAMED: ChatRequest = { ...REQUEST, catalogue: 'a'.repeat(64) };
  const NEEDED = json(409, {
    type: 'about:blank',
    title: 'x',
    status: 409,
    code: 'catalogue-needed',
    detail: 'Send it.',
  });

  const SENT = new Response(null, { status: 204 });

  /** Answers with these responses, one after the other. */
  const serveInTurn = (...answers: Response[]) => serve(() => answers.shift() ?? stream([sse(CHUNKS) + DONE]));

  test('is sent by its name, and its text only if the server asks for it', async () => {
    serveInTurn();
    await read(await createHttpTransport(async () => 'the text').post(NAMED, signal));
    expect(requests.map(({ body }) => body)).toEqual([NAMED]);
    serveInTurn(NEEDED.clone(), SENT.clone());
    const textOf = vi.fn(async () => 'the text');
    expect(await read(await createHttpTransport(textOf).post(NAMED, signal))).toEqual(CHUNKS);
    expect(textOf).toHaveBeenCalledWith('a'.repeat(64));
    expect(requests.map(({ url }) => url)).toEqual(['/api/chat', '/api/catalogues', '/api/chat']);
    expect(requests.map(({ body }) => body)).toEqual([NAMED, { text: 'the text' }, NAMED]);
  });

  test('[R13] that neither side has anymore is the server’s problem, and is not asked for again', async () => {
    serveInTurn(NEEDED.clone());
    await expect(transportOf().post(NAMED, signal)).rejects.toMatchObject({ code: 'catalogue-needed' });
    expect(requests).toHaveLength(1);
    serveInTurn(NEEDED.clone(), SENT.clone(), NEEDED.clone());
    await expect(createHttpTransport(async () => 'the text').post(NAMED, signal)).rejects.toMatchObject({
      code: 'catalogue-needed',
    });
    expect(requests).toHaveLength(3);
  });

  test('does not hide another problem', async () => {
    serveInTurn(
      json(409, {
        type: 'about:blank',
        title: 'x',
        status: 409,
        code: 'transcript-needed',
        detail: 'Send the branch.',
      }),
    );
    await expect(createHttpTransport(async () => 'the text').post(NAMED, signal)).rejects.toMatchObject({
      code: 'transcript-needed',
    });
    expect(requests).toHaveLength(1);
  });
});
