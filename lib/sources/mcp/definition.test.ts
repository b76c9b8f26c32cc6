import { expect, test } from 'vitest';
import { type ListedTool, readDefinitions } from './definition.ts';
import { MCP_LIMITS } from './limits.ts';

const TOOL: ListedTool = {
  name: 'search',
  title: 'Search',
  description: 'Searches.',
  inputSchema: { type: 'object', properties: { query: { type: 'string', description: 'What to find.' } } },
  outputSchema: { type: 'object', properties: { hits: { type: 'number' } } },
  annotations: { readOnlyHint: true },
};

const hashOf = async (tool: ListedTool) => (await readDefinitions([tool])).tools[0]?.hash;

/** A schema in which objects are nested. */
const nested = (levels: number): unknown =>
  levels === 0 ? { type: 'string' } : { type: 'object', properties: { a: nested(levels - 1) } };

test('a definition is the server’s, as plain data', async () => {
  const { tools, refused } = await readDefinitions([TOOL]);
  expect(refused).toEqual([]);
  expect(tools).toMatchObject([{ name: 'search', title: 'Search', description: 'Searches.', isDestructive: false }]);
});

test.each<[string, Partial<ListedTool>]>([
  ['a space', { name: 'se arch' }],
  ['a letter that only looks like another', { name: 'se\u0430rch' }],
  ['an invisible character', { name: 'search\u200b' }],
  ['a line break', { name: 'search\nrm' }],
  ['a character that turns the text around', { name: '\u202esearch' }],
  ['nothing', { name: '' }],
  ['too many characters', { name: 'x'.repeat(MCP_LIMITS.name + 1) }],
])('a name with %s is refused', async (_, change) => {
  const { tools, refused } = await readDefinitions([{ ...TOOL, ...change }]);
  expect(tools).toEqual([]);
  expect(refused[0]?.reason).toMatch(/^Its name /);
});

test.each<[string, unknown, RegExp]>([
  ['no object', { type: 'string' }, /type “object”/],
  ['no schema', 'text', /type “object”/],
  ['nested too deeply', nested(20), /levels deep/],
  ['too large', { type: 'object', enum: Array.from({ length: 30_000 }, (_, n) => n) }, /values/],
  ['too long', { type: 'object', description: 'x'.repeat(200_000) }, /characters/],
])('a schema that is %s is refused', async (_, inputSchema, reason) => {
  const { tools, refused } = await readDefinitions([
    { ...TOOL, inputSchema },
    { ...TOOL, name: 'other' },
  ]);
  expect(tools.map(({ name }) => name)).toEqual(['other']);
  expect(refused).toEqual([{ name: 'search', reason: expect.stringMatching(reason) }]);
});

test('a name that is listed twice is offered once', async () => {
  const { tools, refused } = await readDefinitions([TOOL, { ...TOOL, description: 'Something else.' }]);
  expect(tools.map(({ description }) => description)).toEqual(['Searches.']);
  expect(refused).toHaveLength(1);
});

test('more tools than the limit are not offered', async () => {
  const many = Array.from({ length: MCP_LIMITS.tools + 3 }, (_, n) => ({ ...TOOL, name: `tool${n}` }));
  const { tools, refused } = await readDefinitions(many);
  expect([tools.length, refused.length]).toEqual([MCP_LIMITS.tools, 3]);
});

test('tools that are too large together are not offered', async () => {
  const tool = (n: number) => ({ ...TOOL, name: `t${n}`, inputSchema: { type: 'object', title: 'x'.repeat(90_000) } });
  const { tools, refused } = await readDefinitions(Array.from({ length: 20 }, (_, n) => tool(n)));
  expect([tools.length, refused.length]).toEqual([11, 9]);
  expect(refused[0]?.reason).toMatch(/together/);
});

test('a long description is cut: what nobody gets to see does not count', async () => {
  const long = { ...TOOL, description: `${'x'.repeat(MCP_LIMITS.description)} end` };
  const { tools } = await readDefinitions([long]);
  expect(tools[0]?.description).toMatch(/\[The rest of this description was cut\.\]$/);
  expect(await hashOf(long)).toBe(await hashOf({ ...long, description: `${long.description}!` }));
});

test('the order of properties does not change a definition, anything else does', async () => {
  const known = await hashOf(TOOL);
  const turned = Object.fromEntries(Object.entries(TOOL).reverse()) as unknown as ListedTool;
  expect(await hashOf(turned)).toBe(known);
  const others: ListedTool[] = [
    { ...TOOL, name: 'find' },
    { ...TOOL, title: 'Find' },
    { ...TOOL, title: undefined },
    { ...TOOL, description: 'Searches. ' },
    { ...TOOL, description: undefined },
    { ...TOOL, annotations: undefined },
    { ...TOOL, inputSchema: { type: 'object' } },
    { ...TOOL, outputSchema: undefined },
    { ...TOOL, annotations: { readOnlyHint: false } },
    { ...TOOL, annotations: { readOnlyHint: true, destructiveHint: false } },
  ];
  for (const other of others) expect(await hashOf(other), JSON.stringify(other)).not.toBe(known);
});

test('a server can only say that a tool is more dangerous', async () => {
  const isDestructive = async (annotations: ListedTool['annotations']) =>
    (await readDefinitions([{ ...TOOL, annotations }])).tools[0]?.isDestructive;
  expect(await isDestructive(undefined)).toBe(false);
  expect(await isDestructive({ destructiveHint: true })).toBe(true);
  expect(await isDestructive({ destructiveHint: true, readOnlyHint: true })).toBe(false);
});
