import { beforeEach, describe, expect, test } from 'vitest';
import { type TestMcpServer, testMcpServer } from '#lib/sources/mcp/test/mcp-server.ts';
import { MemoryThreadStore } from '#lib/threads/memory-thread-store.ts';
import type { Tool, ToolContext } from '#lib/tools/core/tool.ts';
import { lockableVault } from '../test/lockable-vault.ts';
import { openServerPage, toolOf } from './test/server-page.ts';

let server: TestMcpServer;
beforeEach(() => {
  server = testMcpServer();
});

/** A page that is connected to the server. */
async function openPage() {
  const fetch: typeof globalThis.fetch = (input, init) => server.fetch(input, init);
  const page = await openServerPage({ fetch, store: new MemoryThreadStore(), vault: lockableVault(), own: [] });
  await page.servers.add({ name: 'test', url: 'https://tools.test/mcp' }, {});
  await page.servers.connect('test');
  return page;
}

const runTool = (tool: Tool, input: unknown) =>
  tool.execute(input, { abortSignal: new AbortController().signal, report: () => undefined } as unknown as ToolContext);

describe('a server that has forgotten the session', () => {
  /** Answers like a server of the earlier era, with sessions. `forget` ends them: what knows one is answered like this. */
  function withSessions(answer: () => Response) {
    const { fetch } = server;
    let session = 1;
    server.fetch = async (input, init) => {
      const request = new Request(input, init);
      const { method } = request.method === 'POST' ? await request.clone().json() : { method: '' };
      if (method === 'server/discover') return new Response('Bad Request', { status: 400 });
      const known = request.headers.get('mcp-session-id');
      if (known !== null && known !== String(session)) return answer();
      const response = await fetch(request);
      if (method !== 'initialize') return response;
      const headers = new Headers([...response.headers, ['mcp-session-id', String(session)]]);
      return new Response(response.body, { status: response.status, headers });
    };
    return { forget: () => session++ };
  }

  test.each<[string, () => Response]>([
    ['404', () => new Response('', { status: 404 })],
    [
      '400, and says so',
      () =>
        Response.json(
          { jsonrpc: '2.0', error: { code: -32_000, message: 'Bad Request: No valid session ID provided' }, id: null },
          { status: 400 },
        ),
    ],
    ['400, as before a handshake', () => new Response('Bad Request: Server not initialized', { status: 400 })],
    ['401, and says so', () => Response.json({ error: 'Session expired or unknown' }, { status: 401 })],
  ])('is connected to again, and the call runs once: %s', async (_, answer) => {
    const sessions = withSessions(answer);
    const { servers, registry } = await openPage();
    sessions.forget();
    expect(await runTool(toolOf(registry, 'test_add'), { a: 1, b: 2 })).toMatchObject({ data: { sum: 3 } });
    sessions.forget();
    // It has effects, and ran only once, too.
    await expect(runTool(toolOf(registry, 'test_fail'), {})).rejects.toThrow('There is no more.');
    expect(server.calls).toEqual(['add', 'fail']);
    expect(servers.state.getState()[0]?.status).toBe('ready');
  });

  test('without saying so: a call that only reads is made again, and no other', async () => {
    const sessions = withSessions(() => new Response('Bad Request', { status: 400 }));
    const { registry } = await openPage();
    sessions.forget();
    expect(await runTool(toolOf(registry, 'test_add'), { a: 1, b: 2 })).toMatchObject({ data: { sum: 3 } });
    sessions.forget();
    await expect(runTool(toolOf(registry, 'test_fail'), {})).rejects.toThrow('may have forgotten the connection');
    expect(server.calls).toEqual(['add']);
    await expect(runTool(toolOf(registry, 'test_fail'), {})).rejects.toThrow('There is no more.');
    expect(server.calls).toEqual(['add', 'fail']);
  });

  test('never runs a call again that it refuses as wrong', async () => {
    const { fetch } = server;
    let refused = 0;
    server.fetch = async (input, init) => {
      const request = new Request(input, init);
      if (request.headers.get('mcp-method') !== 'tools/call') return fetch(request);
      refused++;
      return new Response('Bad Request', { status: 400 });
    };
    const { registry } = await openPage();
    await expect(runTool(toolOf(registry, 'test_add'), { a: 1, b: 2 })).rejects.toThrow('400');
    expect(refused).toBe(1);
  });

  test.each<[string, number, object]>([
    ['400, about another session', 400, { message: 'Done, but the browser session closed before the receipt.' }],
    ['400, about a session in a database', 400, { message: 'Database session expired' }],
    ['404, without a session of ours', 404, { message: 'There is no such order' }],
  ])('a call that it has run is not run again: %s', async (_, status, error) => {
    const { fetch } = server;
    if (status === 400) withSessions(() => new Response('', { status: 404 }));
    const answer = server.fetch;
    let ran = 0;
    server.fetch = async (input, init) => {
      const request = new Request(input, init);
      const { method, id } = request.method === 'POST' ? await request.clone().json() : { method: '', id: 0 };
      if (method !== 'tools/call') return (status === 400 ? answer : fetch)(request);
      ran++;
      return Response.json(
        { jsonrpc: '2.0', id: status === 400 ? id : null, error: { code: -32_000, ...error } },
        { status },
      );
    };
    const { registry } = await openPage();
    await expect(runTool(toolOf(registry, 'test_fail'), {})).rejects.toThrow();
    expect(ran).toBe(1);
  });

  test('a reason that it gives is passed on, and other calls of the connection go on', async () => {
    withSessions(() => new Response('', { status: 404 }));
    const { fetch } = server;
    const slow = Promise.withResolvers<void>();
    server.fetch = async (input, init) => {
      const request = new Request(input, init);
      const { method, params } = request.method === 'POST' ? await request.clone().json() : { method: '', params: {} };
      if (method !== 'tools/call') return fetch(request);
      if (params.name === 'fail') return new Response('a must be positive', { status: 400 });
      await slow.promise;
      return fetch(request);
    };
    const { servers, registry } = await openPage();
    const running = runTool(toolOf(registry, 'test_add'), { a: 1, b: 2 });
    await expect(runTool(toolOf(registry, 'test_fail'), {})).rejects.toThrow('a must be positive');
    expect(servers.state.getState()[0]?.status).toBe('ready');
    slow.resolve();
    expect(await running).toMatchObject({ data: { sum: 3 } });
  });
});
