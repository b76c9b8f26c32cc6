import { expect, test } from 'vitest';
import * as z from 'zod';
import { type HttpRoute, openHttpSession } from './http-session.ts';
import { McpError } from './mcp-error.ts';
import { type TestMcpServer, testMcpServer } from './test/mcp-server.ts';

const ACCESS = { url: 'http://tools.test/mcp', headers: { authorization: 'Bearer secret' } };
const IDLE = { onChange: () => undefined, onClose: () => undefined };
const NO_SIGNAL = { signal: new AbortController().signal };

const open = (server: TestMcpServer, routes: readonly HttpRoute[] = [{ name: 'direct', fetch: server.fetch }]) =>
  openHttpSession(ACCESS, routes, IDLE);

/** A server that speaks only the protocol of before 2026. */
const legacy = (server: TestMcpServer): typeof fetch => {
  return async (input, init) => {
    const request = new Request(input, init);
    const { method } = request.method === 'POST' ? await request.clone().json() : { method: '' };
    if (method === 'server/discover') return new Response('Bad Request: no session', { status: 400 });
    return server.fetch(request);
  };
};

test('a server’s tools are listed and called', async () => {
  const server = testMcpServer();
  const { session, listing, route } = await open(server);
  expect(route).toBe('direct');
  expect(listing).toMatchObject({ title: 'Test server', era: 'modern', refused: [] });
  expect(listing.tools.map(({ name, isDestructive }) => [name, isDestructive])).toEqual([
    ['add', false],
    ['fail', true],
  ]);
  expect(await session.call('add', { a: 1, b: 2 }, NO_SIGNAL)).toEqual({
    type: 'output',
    content: [{ type: 'text', text: 'The sum is 3.' }],
    data: { sum: 3 },
  });
  expect(await session.call('fail', {}, NO_SIGNAL)).toEqual({
    type: 'failure',
    code: 'failed',
    message: 'There is no more.',
  });
  expect(server.calls).toEqual(['add', 'fail']);
  await session.close();
});

test('a server of the earlier era is used like any other', async () => {
  const server = testMcpServer();
  const { session, listing } = await open(server, [{ name: 'direct', fetch: legacy(server) }]);
  expect(listing).toMatchObject({ title: 'Test server', era: 'legacy' });
  expect(await session.call('add', { a: 2, b: 2 }, NO_SIGNAL)).toMatchObject({ data: { sum: 4 } });
  await session.close();
});

test('each request has the headers that the person has given', async () => {
  const server = testMcpServer();
  const seen = new Set<string | null>();
  const fetch: HttpRoute['fetch'] = (input, init) => {
    seen.add(new Request(input, init).headers.get('authorization'));
    return server.fetch(input, init);
  };
  const { session } = await open(server, [{ name: 'direct', fetch }]);
  await session.call('add', { a: 1, b: 1 }, NO_SIGNAL);
  await session.close();
  expect([...seen]).toEqual(['Bearer secret']);
});

test('if the browser may not call the server, the relay does', async () => {
  const server = testMcpServer();
  const refused: HttpRoute = { name: 'direct', fetch: () => Promise.reject(new TypeError('Failed to fetch')) };
  const { session, route } = await open(server, [refused, { name: 'relay', fetch: server.fetch }]);
  expect(route).toBe('relay');
  await session.close();
});

test.each<[string, typeof fetch, string]>([
  ['is not there', () => Promise.reject(new TypeError('Failed to fetch')), 'unreachable'],
  ['wants a login', async () => new Response('', { status: 401 }), 'needs-login'],
  ['refuses', async () => new Response('', { status: 403 }), 'refused'],
  ['is another service', async () => new Response('<h1>Hello</h1>', { status: 404 }), 'not-mcp'],
  [
    'is a web page',
    async () => new Response('<h1>Hello</h1>', { headers: { 'content-type': 'text/html' } }),
    'not-mcp',
  ],
  ['fails', async () => new Response('', { status: 500 }), 'failed'],
])('a server that %s says so', async (_, fetch, code) => {
  const opening = openHttpSession(ACCESS, [{ name: 'direct', fetch }], IDLE);
  await expect(opening).rejects.toThrow(McpError);
  await expect(opening).rejects.toMatchObject({ problem: { code } });
});

test('a call that is stopped ends at once, and the server is told', async () => {
  const told = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const server = testMcpServer((one) =>
    one.registerTool('wait', { inputSchema: z.object({}) }, async (_, { mcpReq }) => {
      begun.resolve();
      await new Promise<void>((resolve) => mcpReq.signal.addEventListener('abort', () => resolve()));
      told.resolve();
      return { content: [] };
    }),
  );
  const { session } = await open(server);
  const controller = new AbortController();
  const outcome = session.call('wait', {}, { signal: controller.signal });
  await begun.promise;
  controller.abort();
  expect(await outcome).toEqual({ type: 'failure', code: 'aborted', message: 'Stopped by the user.' });
  await told.promise;
  await session.close();
});

test('progress is passed on', async () => {
  const server = testMcpServer((one) =>
    one.registerTool('work', { inputSchema: z.object({}) }, async (_, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken ?? '';
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken, progress: 1, total: 2, message: 'Half' },
      });
      return { content: [{ type: 'text', text: 'Done.' }] };
    }),
  );
  const { session } = await open(server);
  const seen: unknown[] = [];
  await session.call('work', {}, { ...NO_SIGNAL, onProgress: (progress) => void seen.push(progress) });
  expect(seen).toEqual([{ done: 1, of: 2, text: 'Half' }]);
  await session.close();
});

test('a response that would fill the memory ends the call', async () => {
  const server = testMcpServer((one) =>
    one.registerTool('flood', { inputSchema: z.object({}) }, () => ({
      content: [{ type: 'text', text: 'x'.repeat(17_000_000) }],
    })),
  );
  const { session } = await open(server);
  expect(await session.call('flood', {}, NO_SIGNAL)).toMatchObject({ type: 'failure', code: 'failed' });
  await session.close();
});
