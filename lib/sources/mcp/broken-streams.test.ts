import { expect, test } from 'vitest';
import { openHttpSession } from './http-session.ts';
import { testMcpServer } from './test/mcp-server.ts';

test.each(['modern', 'legacy'])('a call of a server of the %s era ends when its stream does', async (era) => {
  const server = testMcpServer();
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const { method } = request.method === 'POST' ? await request.clone().json() : { method: '' };
    if (era === 'legacy' && method === 'server/discover') return new Response('', { status: 400 });
    if (method !== 'tools/call') return server.fetch(request);
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(': here\n\n'));
        controller.close();
      },
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };
  const options = { onChange: () => undefined, onClose: () => undefined };
  const access = { url: 'http://tools.test/mcp', headers: {} };
  const { session } = await openHttpSession(access, [{ name: 'direct', fetch }], options);
  expect(await session.call('add', { a: 1, b: 2 }, { signal: new AbortController().signal })).toEqual({
    type: 'failure',
    code: 'failed',
    message:
      'The connection broke before the server answered. The call may have made changes; check before calling again.',
  });
  await session.close();
});
