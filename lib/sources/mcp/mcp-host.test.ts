import { expect, test } from 'vitest';
import { McpHost } from './mcp-host.ts';

const ACCESS = { url: 'https://tools.test/mcp', headers: {} };

/** Answers each request of JSON-RPC with an error. */
const failing: typeof fetch = async (_, init) => {
  const { id } = JSON.parse(String(init?.body ?? '{}'));
  return Response.json({ jsonrpc: '2.0', id, error: { code: -32_000, message: 'Not today.' } });
};

test('a server that refuses to begin is told of by the result, and by nothing else', async () => {
  const events: string[] = [];
  const host = new McpHost([{ name: 'direct', fetch: failing }]);
  const opened = await host.open(ACCESS, undefined, (event) => events.push(event));
  expect(opened).toEqual({ problem: { code: 'failed', detail: 'Not today.' } });
  expect(events).toEqual([]);
});

test('a route is tried only for the addresses that it reaches', async () => {
  const tried: string[] = [];
  const route = (name: 'direct' | 'relay', isReached: boolean) => ({
    name,
    reaches: () => isReached,
    fetch: async () => {
      tried.push(name);
      throw new TypeError('Failed to fetch');
    },
  });
  const host = new McpHost([route('direct', true), route('relay', false)]);
  expect(await host.open(ACCESS, 'relay', () => undefined)).toMatchObject({ problem: { code: 'unreachable' } });
  expect(new Set(tried)).toEqual(new Set(['direct']));
});
