import { expect, test } from 'vitest';
import { rawJson } from '#lib/base/exact-json.ts';
import { openHttpSession } from './http-session.ts';
import { testMcpServer } from './test/mcp-server.ts';

const ACCESS = { url: 'http://tools.test/mcp', headers: {} };
const IDLE = { onChange: () => undefined, onClose: () => undefined };

/** Opens a session of a server whose results of a method are changed. */
async function openOdd(method: string, change: (result: Record<string, unknown>) => unknown) {
  const { fetch: answer } = testMcpServer();
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const sent = request.method === 'POST' ? await request.clone().json() : {};
    const response = await answer(request);
    if (sent.method !== method) return response;
    const text = await response.text();
    const message = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
    return Response.json({ ...message, result: change(message.result) });
  };
  return openHttpSession(ACCESS, [{ name: 'direct', fetch }], IDLE);
}

const SEEN = { type: 'text', text: 'seen' };

test.each<[string, object, object]>([
  [
    'a part of an unknown type',
    { content: [SEEN, { type: 'hologram', x: 1 }] },
    { content: [SEEN, expect.anything()] },
  ],
  ['an unknown part with a text', { content: [{ type: 'note', text: 'seen' }] }, { content: [SEEN] }],
  ['data only', { structuredContent: { a: 1 } }, { content: [{ type: 'json', value: { a: 1 } }], data: { a: 1 } }],
  ['a text in place of parts', { content: 'seen' }, { content: [SEEN] }],
  ['a part in place of parts', { content: SEEN }, { content: [SEEN] }],
  [
    'a number as text',
    { content: [SEEN, { type: 'text', text: 5 }] },
    { content: [SEEN, { type: 'text', text: '5' }] },
  ],
  ['nothing as a part', { content: [null, SEEN] }, { content: [SEEN] }],
  [
    'an image without a type',
    { content: [{ type: 'image', data: 'AAAA' }, SEEN] },
    { content: [expect.anything(), SEEN] },
  ],
  [
    'a resource without an address',
    { content: [{ type: 'resource', resource: { text: 'x' } }, SEEN] },
    { content: [{ type: 'text', text: 'x' }, SEEN] },
  ],
  [
    'a link without a name',
    { content: [{ type: 'resource_link', uri: 'a://b' }, SEEN] },
    { content: [{ type: 'resource', uri: 'a://b', name: 'a://b' }, SEEN] },
  ],
  ['annotations that are none', { content: [{ ...SEEN, annotations: null }] }, { content: [SEEN] }],
  ['annotations out of bounds', { content: [{ ...SEEN, annotations: { priority: 5 } }] }, { content: [SEEN] }],
  ['no content, said so', { content: null, structuredContent: null }, { content: [] }],
  ['an error as text', { content: [SEEN], isError: 'true' }, { type: 'failure', message: 'seen' }],
])('a result with %s is used as far as it can be understood', async (_, result, outcome) => {
  const { session } = await openOdd('tools/call', () => result);
  expect(await session.call('add', { a: 1, b: 2 }, { signal: AbortSignal.timeout(5_000) })).toEqual(
    expect.objectContaining(outcome),
  );
  await session.close();
});

test('the numbers of a result keep all digits, also beyond those that JavaScript can hold', async () => {
  const { session } = await openOdd('tools/call', () => ({
    structuredContent: { id: rawJson('12345678901234567890') },
  }));
  const data = { id: '12345678901234567890' };
  expect(await session.call('add', { a: 1, b: 2 }, { signal: AbortSignal.timeout(5_000) })).toMatchObject({
    content: [{ type: 'json', value: data }],
    data,
  });
  await session.close();
});

test('a result that cannot be read at all is a sentence, not a dump', async () => {
  const { session } = await openOdd('tools/call', (result) => ({ ...result, _meta: null }));
  expect(await session.call('add', { a: 1, b: 2 }, { signal: AbortSignal.timeout(5_000) })).toMatchObject({
    message: expect.stringMatching(/^The server’s response doesn’t follow the protocol\./),
  });
  await session.close();
});

test.each<[string, unknown, object]>([
  ['true', true, { type: 'object' }],
  ['nothing', null, { type: 'object' }],
  ['left out', undefined, { type: 'object' }],
  ['empty', {}, { type: 'object' }],
  ['without a type', { properties: { a: true } }, { type: 'object', properties: { a: true } }],
  ['nullable', { type: ['object', 'null'] }, { type: 'object' }],
  ['in capitals', { type: 'OBJECT' }, { type: 'object' }],
  ['with nothing required', { type: 'object', properties: null, required: null }, { type: 'object' }],
  ['with a list of properties', { type: 'object', properties: [] }, { type: 'object' }],
  [
    'recursive',
    { type: 'object', properties: { next: { $ref: '#' } } },
    { type: 'object', properties: { next: { $ref: '#' } } },
  ],
])('a schema of arguments that is %s is one of an object, and other tools stay', async (_, schema, read) => {
  const { session, listing } = await openOdd('tools/list', (result) => ({
    ...result,
    tools: [...(result.tools as object[]), { name: 'odd', ...(schema !== undefined && { inputSchema: schema }) }],
  }));
  expect(listing.refused).toEqual([]);
  expect(listing.tools.map(({ name }) => name)).toEqual(['add', 'fail', 'odd']);
  expect(listing.tools.at(-1)?.inputSchema).toEqual(read);
  await session.close();
});

test.each<[string, unknown]>([
  ['a text', { type: 'string' }],
  ['a list of values', { enum: [1, 2] }],
  ['false', false],
  ['no schema', 'x'],
])('a schema of arguments that is %s leaves out its tool, with the reason', async (_, schema) => {
  const { session, listing } = await openOdd('tools/list', (result) => ({
    ...result,
    tools: [{ name: 'odd', inputSchema: schema }, ...(result.tools as object[])],
  }));
  expect(listing.tools.map(({ name }) => name)).toEqual(['add', 'fail']);
  expect(listing.refused).toEqual([{ name: 'odd', reason: expect.stringContaining('JSON Schema') }]);
  await session.close();
});
