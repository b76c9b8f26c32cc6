import { expect, test } from 'vitest';
import { suggestionsIn } from './completion.ts';
import { openHttpSession } from './http-session.ts';
import { MCP_LIMITS } from './limits.ts';
import { testMcpServer } from './test/mcp-server.ts';

test('each suggestion is offered once, and only so many that can be filled in', () => {
  expect(suggestionsIn(['a', '', 'b', 'a', 'x'.repeat(MCP_LIMITS.promptArgument + 1)])).toEqual(['a', 'b']);
  expect(suggestionsIn(Array.from({ length: 500 }, (_, n) => `${n}`))).toHaveLength(MCP_LIMITS.suggestions);
});

/** A session with a server that says that it suggests values, and what it answers when it is asked. */
async function suggesting(result: unknown) {
  const server = testMcpServer((one) => one.server.registerCapabilities({ completions: {} }));
  let asked = 0;
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const rpc = await request.clone().json();
    if (rpc.method !== 'completion/complete') return server.fetch(request);
    asked += 1;
    return Response.json({ jsonrpc: '2.0', id: rpc.id, result });
  };
  const { session, listing } = await openHttpSession(
    { url: 'http://tools.test/mcp', headers: {} },
    [{ name: 'direct', fetch }],
    { onChange: () => undefined, onClose: () => undefined },
  );
  expect(listing.completes).toBe(true);
  const request = { of: { prompt: 'review' }, argument: { name: 'file', value: 'a' }, known: {} };
  const suggested = session.complete(request, AbortSignal.timeout(5_000));
  return { suggested: suggested.finally(() => session.close()), asked: () => asked };
}

test('what a server suggests is taken from it', async () => {
  const { suggested } = await suggesting({ resultType: 'complete', completion: { values: ['a.ts', 'ab.ts'] } });
  expect(await suggested).toEqual(['a.ts', 'ab.ts']);
});

test.each<[string, unknown]>([
  ['nothing', null],
  ['another result', { resultType: 'complete', content: [] }],
  ['values that are no list', { resultType: 'complete', completion: { values: 'a.ts' } }],
  ['values that are no texts', { resultType: 'complete', completion: { values: [1, {}] } }],
])('a server that answers with %s is reported, and has been asked once', async (_, result) => {
  const { suggested, asked } = await suggesting(result);
  await expect(suggested).rejects.toMatchObject({ problem: { code: 'failed' } });
  expect(asked()).toBe(1);
});

test('a server that does not suggest values is not asked', async () => {
  const server = testMcpServer();
  const { session } = await openHttpSession(
    { url: 'http://tools.test/mcp', headers: {} },
    [{ name: 'direct', fetch: server.fetch }],
    { onChange: () => undefined, onClose: () => undefined },
  );
  const request = { of: { prompt: 'review' }, argument: { name: 'file', value: 'a' }, known: {} };
  expect(await session.complete(request, AbortSignal.timeout(5_000))).toEqual([]);
  await session.close();
});
