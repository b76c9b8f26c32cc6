import { expect, test } from 'vitest';
import { openHttpSession } from './http-session.ts';
import { testMcpServer } from './test/mcp-server.ts';

test('a call whose result does not say what kind it is counts as done, because it has been run', async () => {
  const server = testMcpServer();
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const { method } = await request.clone().json();
    const response = await server.fetch(request);
    if (method !== 'tools/call') return response;
    const text = await response.text();
    expect(text).toContain('"resultType":"complete"');
    return new Response(text.replace('"resultType":"complete",', ''), response);
  };
  const { session, listing } = await openHttpSession(
    { url: 'http://tools.test/mcp', headers: {} },
    [{ name: 'direct', fetch }],
    { onChange: () => undefined, onClose: () => undefined },
  );
  expect(listing.era).toBe('modern');
  expect(await session.call('add', { a: 1, b: 2 }, { signal: AbortSignal.timeout(5_000) })).toMatchObject({
    type: 'output',
    data: { sum: 3 },
  });
  expect(server.calls).toEqual(['add']);
  await session.close();
});
