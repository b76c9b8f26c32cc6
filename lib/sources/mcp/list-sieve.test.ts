import { describe, expect, test } from 'vitest';
import { openHttpSession } from './http-session.ts';
import { MCP_LIMITS } from './limits.ts';
import type { McpListing } from './server-lists.ts';
import { testMcpServer } from './test/mcp-server.ts';

type Page = (params: { cursor?: string }) => object;

/** Returns the listing of a server whose lists have these pages, in either era; the rest of the server works. */
async function listingOf(era: 'modern' | 'legacy', lists: Readonly<Record<string, Page>>): Promise<McpListing> {
  const server = testMcpServer((one) => {
    one.registerPrompt('one', {}, () => ({ messages: [] }));
    one.registerResource('one', 'test://one', {}, () => ({ contents: [] }));
  });
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const rpc = request.method === 'POST' ? await request.clone().json() : {};
    if (era === 'legacy' && rpc.method === 'server/discover') return new Response('', { status: 400 });
    const page = lists[rpc.method];
    if (page === undefined) return server.fetch(request);
    const result = { ...(era === 'modern' && { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }) };
    return Response.json({ jsonrpc: '2.0', id: rpc.id, result: { ...result, ...page(rpc.params ?? {}) } });
  };
  const options = { onChange: () => undefined, onClose: () => undefined };
  const access = { url: 'http://tools.test/mcp', headers: {} };
  const { session, listing } = await openHttpSession(access, [{ name: 'direct', fetch }], options);
  await session.close();
  expect(listing.era).toBe(era);
  return listing;
}

const PLAIN = { name: 'plain', inputSchema: { type: 'object' } };

/** Nested so deep that whoever walks through it by recursion runs out of stack. */
function deep(levels: number): object {
  let value: object = {};
  for (let level = 0; level < levels; level++) value = { a: value };
  return value;
}

describe.each(['modern', 'legacy'] as const)('of a server of the %s era', (era) => {
  test.each<[string, unknown]>([
    ['nothing', null],
    ['a number', 7],
    ['a list', []],
    ['no name', { inputSchema: { type: 'object' } }],
    ['a name that is a number', { ...PLAIN, name: 7 }],
    ['a schema that is a text', { name: 'odd', inputSchema: 'object' }],
    ['a schema of another type', { name: 'odd', inputSchema: { type: 'string' } }],
    ['a schema that requires a number', { name: 'odd', inputSchema: { type: 'object', required: [7] } }],
    ['properties that are a list', { name: 'odd', inputSchema: { type: 'object', properties: 'many' } }],
    ['a description that is an object', { ...PLAIN, name: 'odd', description: {} }],
    ['annotations that are none', { ...PLAIN, name: 'odd', annotations: { destructiveHint: 'yes' } }],
    ['a schema that is nested too deep', { name: 'odd', inputSchema: { type: 'object', a: deep(2_000) } }],
  ])('a tool that is %s is listed as refused, with the reason, and the others are offered', async (_, odd) => {
    const { tools, refused } = await listingOf(era, { 'tools/list': () => ({ tools: [odd, PLAIN] }) });
    expect(tools.map(({ name }) => name)).toEqual(['plain']);
    expect(refused).toHaveLength(1);
    expect(refused[0]?.reason).not.toBe('');
  });

  test('a tool with properties that are absent, said by null, or unknown to the studio is offered', async () => {
    const odd = {
      ...PLAIN,
      title: null,
      description: null,
      outputSchema: null,
      annotations: null,
      icons: 7,
      execution: 'x',
      _meta: 1,
    };
    const { tools, refused } = await listingOf(era, { 'tools/list': () => ({ tools: [odd] }) });
    expect(refused).toEqual([]);
    expect(tools).toMatchObject([{ name: 'plain', description: '', isDestructive: false }]);
    expect(Object.keys(tools[0] ?? {})).not.toContain('annotations');
  });

  test('prompts and resources are listed likewise', async () => {
    const { prompts, resources, refused } = await listingOf(era, {
      'prompts/list': () => ({
        prompts: [
          { name: 'review', arguments: [{ name: 'file', required: true }] },
          { name: 7 },
          { name: 'twice' },
          { name: 'twice' },
          { name: 'odd', arguments: [{ name: 'a' }, { name: 'a' }] },
        ],
      }),
      'resources/list': () => ({
        resources: [
          { uri: 'test://a', name: 'a', mimeType: 'text/plain' },
          { uri: 'test://a', name: 'a again' },
          { name: 'lost' },
          { uri: `test://${'x'.repeat(MCP_LIMITS.uri)}`, name: 'long' },
        ],
      }),
    });
    expect(prompts.map(({ name }) => name)).toEqual(['review', 'twice']);
    expect(prompts[0]?.arguments).toEqual([{ name: 'file', description: '', isRequired: true }]);
    expect(resources).toEqual([{ uri: 'test://a', name: 'a', description: '', mediaType: 'text/plain' }]);
    expect(refused.map(({ name }) => name)).toEqual([
      ...['prompts/?', 'prompts/twice', 'prompts/odd'],
      ...['resources/lost', 'resources/a again', 'resources/long'],
    ]);
  });

  test('resource templates are listed likewise, with the variables of their addresses', async () => {
    const { templates, refused } = await listingOf(era, {
      'resources/templates/list': () => ({
        resourceTemplates: [
          { uriTemplate: 'test://{id}{?page}', name: 'one', title: 'One' },
          { uriTemplate: 'test://{id}{?page}', name: 'again' },
          { uriTemplate: 'test://{a,b}', name: 'odd' },
          { uriTemplate: 7, name: 'number' },
          { uriTemplate: `test://${Array.from({ length: 21 }, (_, n) => `{v${n}}`).join('')}`, name: 'many' },
          { uriTemplate: `test://{${'x'.repeat(MCP_LIMITS.name + 1)}}`, name: 'long' },
          { uriTemplate: `test://{id}/${'x'.repeat(MCP_LIMITS.uri)}`, name: 'longer' },
        ],
      }),
    });
    expect(templates).toEqual([
      {
        uriTemplate: 'test://{id}{?page}',
        name: 'one',
        title: 'One',
        description: '',
        arguments: [
          { name: 'id', description: '', isRequired: true },
          { name: 'page', description: '', isRequired: false },
        ],
      },
    ]);
    expect(refused.map(({ name }) => name)).toEqual(
      ['number', 'again', 'odd', 'many', 'long', 'longer'].map((name) => `templates/${name}`),
    );
  });

  test('a list of prompts that cannot be read says so, and the tools are offered', async () => {
    const { tools, refused } = await listingOf(era, { 'prompts/list': () => ({ prompts: 'none' }) });
    expect(tools.map(({ name }) => name)).toEqual(['add', 'fail']);
    expect(refused.map(({ name }) => name)).toEqual(['prompts']);
  });

  test('a list that is too large over all of its pages is given up', async () => {
    let pages = 0;
    const description = 'x'.repeat(MCP_LIMITS.listRead / 10);
    const listing = listingOf(era, {
      'tools/list': () => ({ tools: [{ ...PLAIN, name: `t${++pages}`, description }], nextCursor: `${pages}` }),
    });
    await expect(listing).rejects.toMatchObject({ problem: { detail: expect.stringContaining('characters') } });
    expect(pages).toBeLessThanOrEqual(11);
  });
});

test('a tool that asks for headers in a way that the protocol does not allow is listed as refused', async () => {
  const inputSchema = { type: 'object', properties: { a: { type: 'string', 'x-mcp-header': 'bad header\n' } } };
  const { tools, refused } = await listingOf('modern', {
    'tools/list': () => ({ tools: [{ name: 'odd', inputSchema }, PLAIN] }),
  });
  expect(tools.map(({ name }) => name)).toEqual(['plain']);
  expect(refused).toMatchObject([{ name: 'odd', reason: expect.stringContaining('headers') }]);
});
