import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { withSilenceLimit } from './silence-limit.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A server that responds with these pieces, each after so many milliseconds, and then ends or not. */
const server =
  (pieces: readonly number[], isEnding = true): typeof fetch =>
  async (_, init) => {
    const signal = init?.signal;
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        signal?.addEventListener('abort', () => controller.error(signal.reason));
        for (const ms of pieces) {
          await new Promise((resolve) => setTimeout(resolve, ms));
          if (signal?.aborted) return;
          controller.enqueue(new TextEncoder().encode('a'));
        }
        if (isEnding) controller.close();
      },
    });
    return new Response(body);
  };

const LIMITS = { firstMs: 1_000, betweenMs: 200 };

async function textOf(request: typeof fetch): Promise<string> {
  const read = withSilenceLimit(LIMITS, request)('http://x').then((response) => response.text());
  const settled = read.then(
    (text) => text,
    (error: Error) => `${error.name}: ${error.message}`,
  );
  await vi.advanceTimersByTimeAsync(60_000);
  return settled;
}

/** `fetch` that tells the signal of its request. */
function watched(request: typeof fetch) {
  const seen: { signal?: AbortSignal | null | undefined } = {};
  const watching: typeof fetch = (input, init) => {
    seen.signal = init?.signal;
    return request(input, init);
  };
  return { seen, watching };
}

test('a server that goes on is never given up', async () => {
  const { seen, watching } = watched(server([900, ...Array.from({ length: 100 }, () => 150)]));
  expect(await textOf(watching)).toBe('a'.repeat(101));
  // Nor when everything has arrived.
  expect(seen.signal?.aborted).toBe(false);
});

test.each([
  ['that says nothing', server([], false), 'TimeoutError: The model’s server said nothing for 1 s.'],
  ['that stalls', server([10, 10], false), 'TimeoutError: The model’s server said nothing for 1 s.'],
  [
    'that does not respond',
    (_: unknown, init?: RequestInit) =>
      new Promise<Response>((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      }),
    'TimeoutError: The model’s server said nothing for 1 s.',
  ],
])('a server %s is given up', async (_, request, said) => {
  expect(await textOf(request as typeof fetch)).toBe(said);
});

test('nothing waits once the reader has gone', async () => {
  const { seen, watching } = watched(server([10], false));
  const response = await withSilenceLimit(LIMITS, watching)('http://x');
  await response.body?.cancel();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(seen.signal?.aborted).toBe(false);
});

test('the reason of the caller is kept', async () => {
  const stopping = new AbortController();
  const read = withSilenceLimit(LIMITS, server([], false))('http://x', { signal: stopping.signal }).then((response) =>
    response.text(),
  );
  const failed = expect(read).rejects.toThrow('Stopped.');
  await vi.advanceTimersByTimeAsync(10);
  stopping.abort(new Error('Stopped.'));
  await failed;
});
