import { inputRequired, type McpServer } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import * as z from 'zod';
import type { FormAnswer } from '#lib/tools/core/call-form.ts';
import type { EgressRequest } from '#lib/tools/egress/egress.ts';
import { CallRequests } from './call-requests.ts';
import { openHttpSession } from './http-session.ts';
import { RelayError } from './relay-fetch.ts';
import { testMcpServer } from './test/mcp-server.ts';

const { signal } = new AbortController();
const EVENTS = { asksForms: true, onChange: () => undefined, onClose: () => undefined };
const WHERE = inputRequired.elicit({
  message: 'Where?',
  requestedSchema: { type: 'object', properties: { city: { type: 'string' } } },
});

/** A tool that asks where the person lives before it answers. */
const asking = (server: McpServer) =>
  void server.registerTool('where', { description: 'Asks.', inputSchema: z.object({}) }, (_, context) =>
    context.mcpReq.inputResponses === undefined
      ? inputRequired({ inputRequests: { where: WHERE } })
      : { content: [{ type: 'text', text: 'There.' }] },
  );

async function open(guard?: (request: Request) => Promise<Response | undefined>) {
  const server = testMcpServer(asking);
  const seen: Headers[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    seen.push(request.headers);
    return (await guard?.(request.clone())) ?? server.fetch(request);
  };
  const access = { url: 'https://tools.test/private', headers: { 'x-key': 'secret-0815' } };
  const { session } = await openHttpSession(access, [{ name: 'direct', fetch }], EVENTS);
  const told: EgressRequest[] = [];
  const call = (name: string, args: Record<string, unknown>, onForm?: () => Promise<FormAnswer>) =>
    session.call(name, args, { signal, ...(onForm && { onForm }), onRequest: (request) => told.push(request) });
  return { session, told, seen, call };
}

test('the requests of a call are reported with their sizes and status; those that belong to none are not', async () => {
  const { session, told, seen, call } = await open();
  await session.list();
  expect(told).toEqual([]);
  expect(await call('add', { a: 1, b: 2 })).toMatchObject({ data: { sum: 3 } });
  expect(told).toEqual([{ host: 'tools.test', sent: expect.any(Number), received: expect.any(Number), status: 200 }]);
  expect(told[0]?.sent).toBeGreaterThan(200);
  expect(told[0]?.received).toBeGreaterThan('The sum is 3.'.length);
  expect(JSON.stringify(told)).not.toMatch(/private|secret/);
  // The header that names the call is never sent to the server.
  expect(seen.some((headers) => headers.has('x-roundtrip-call'))).toBe(false);
  expect(seen.at(-1)?.get('x-key')).toBe('secret-0815');
  await session.close();
});

test('a call that its server sends back with a question has a request for each time', async () => {
  const { session, told, call } = await open();
  const outcome = await call('where', {}, async () => ({ action: 'accept', content: { city: 'Lima' } }));
  expect(outcome).toMatchObject({ content: [{ text: 'There.' }] });
  expect(told).toMatchObject([{ status: 200 }, { status: 200 }]);
  await session.close();
});

test('of several calls at once, each reports its own requests', async () => {
  const { session } = await open();
  const told: [number, EgressRequest][] = [];
  await Promise.all(
    [1, 2, 3].map((n) =>
      session.call('add', { a: n, b: 10 ** (n * 5) }, { signal, onRequest: (one) => told.push([n, one]) }),
    ),
  );
  expect(told.map(([n]) => n).sort()).toEqual([1, 2, 3]);
  const size = (wanted: number) => told.find(([n]) => n === wanted)?.[1].sent ?? 0;
  expect([size(2) - size(1), size(3) - size(2)]).toEqual([5, 5]);
  await session.close();
});

test('a refusal, a lost connection and an error of the server are reported, without what they say', async () => {
  let answer: () => Promise<Response | undefined> = async () => undefined;
  const { session, told, call } = await open(async (request) =>
    (await request.text()).includes('"tools/call"') ? answer() : undefined,
  );
  answer = () => Promise.reject(new RelayError('address-refused', 'The studio never calls tools.test.'));
  await call('add', { a: 1, b: 2 });
  answer = () => Promise.reject(new TypeError('secret-0815 is private'));
  await call('add', { a: 1, b: 2 });
  answer = async () => new Response('secret-0815 is private', { status: 500 });
  await call('add', { a: 1, b: 2 });
  expect(told).toEqual([
    { host: 'tools.test', sent: 0, received: 0, refused: 'The studio never calls tools.test.' },
    { host: 'tools.test', sent: expect.any(Number), received: 0, refused: 'No response could be read.' },
    { host: 'tools.test', sent: expect.any(Number), received: 22, status: 500 },
  ]);
  await session.close();
});

test('a stream that is taken up again, and an answer to a question, belong to the call', async () => {
  const requests = new CallRequests();
  const told: EgressRequest[] = [];
  const fetch = requests.fetch(async () => new Response('', { status: 202 }));
  const send = async (headers: Record<string, string>, body?: string) => {
    const response = await fetch('https://tools.test', {
      method: 'POST',
      headers,
      ...(body !== undefined && { body }),
    });
    await response.text();
  };
  const one = requests.begin((request) => told.push(request));
  one.options.onresumptiontoken('here');
  await send({ 'last-event-id': 'elsewhere' });
  await send({}, '{"jsonrpc":"2.0","method":"ping","id":1}');
  expect(told).toHaveLength(0);
  await send({ 'last-event-id': 'here' });
  await send({}, '{"jsonrpc":"2.0","id":1,"result":{"action":"accept"}}');
  expect(told).toHaveLength(2);
  // With a second call, nobody knows whose answer it is.
  const two = requests.begin(() => told.push({ host: '', sent: 0, received: 0 }));
  await send({}, '{"jsonrpc":"2.0","id":1,"result":{"action":"accept"}}');
  expect(told).toHaveLength(2);
  two.end();
  one.end();
  await send({ 'last-event-id': 'here' });
  await send({ ...one.options.headers });
  expect(told).toHaveLength(2);
});
