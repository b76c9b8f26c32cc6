import { expect, test } from 'vitest';
import { openHttpSession } from './http-session.ts';
import { testMcpServer } from './test/mcp-server.ts';

/** A session with a server that has tools, prompts and resources. `streams`: ends those that tell of changes. */
async function listening() {
  const server = testMcpServer((one) => {
    one.registerPrompt('one', {}, () => ({ messages: [] }));
    one.registerResource('one', 'test://one', {}, () => ({ contents: [] }));
  });
  const streams = new Set<AbortController>();
  let changes = 0;
  let waiting = Promise.withResolvers<void>();
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const { method } = request.method === 'POST' ? await request.clone().json() : { method: '' };
    if (method !== 'subscriptions/listen') return server.fetch(request);
    const stream = new AbortController();
    streams.add(stream);
    return server.fetch(new Request(request, { signal: AbortSignal.any([request.signal, stream.signal]) }));
  };
  const { session } = await openHttpSession(
    { url: 'http://tools.test/mcp', headers: {} },
    [{ name: 'direct', fetch }],
    {
      onChange() {
        changes += 1;
        waiting.resolve();
        waiting = Promise.withResolvers();
      },
      onClose: () => undefined,
    },
  );
  return { server, session, streams, changed: () => waiting.promise, count: () => changes };
}

test('changes of tools, prompts and resources are told', async () => {
  const { server, session, changed, count } = await listening();
  for (const notify of ['toolsChanged', 'promptsChanged', 'resourcesChanged'] as const) {
    const told = changed();
    server.handler.notify[notify]();
    await told;
  }
  expect(count()).toBe(3);
  await session.close();
});

test('after the stream that tells of changes has broken, it is opened again, and what changed meanwhile is asked for', async () => {
  const { server, session, streams, changed } = await listening();
  const told = changed();
  for (const stream of streams) stream.abort();
  await told;
  expect(streams.size).toBe(2);
  const again = changed();
  server.handler.notify.promptsChanged();
  await again;
  await session.close();
});
