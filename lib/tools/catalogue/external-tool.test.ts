import { describe, expect, test } from 'vitest';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import { ToolDefinitionError } from '../core/tool.ts';
import type { ToolOutput } from '../core/tool-call.ts';
import { NOTHING_KNOWN } from '../execution/known-files.ts';
import { inputSignature } from '../schema/signature.ts';
import { testCapabilities } from '../test/run-tool.ts';
import { type ExternalTool, externalTool } from './external-tool.ts';

const toolWith = (inputSchema: unknown, change: Partial<ExternalTool> = {}) =>
  externalTool({
    name: 'tracker/find',
    toolset: 'tracker',
    effect: 'read',
    inputSchema,
    execute: async () => ({ content: 'found' }),
    ...change,
  });

const PLACE = { type: 'array', items: [{ type: 'string' }, { type: 'number' }], additionalItems: false };

test.each<[string, object, unknown, unknown, string]>([
  ['a tuple as older drafts write it', { at: PLACE }, { at: ['x', 1] }, { at: [1, 'x'] }, 'at[0]'],
  [
    'a tuple as newer drafts write it',
    { at: { prefixItems: [{ type: 'string' }] } },
    { at: ['x'] },
    { at: [1] },
    'at[0]',
  ],
  ['"not"', { at: { not: { type: 'string' } } }, { at: 1 }, { at: 'x' }, 'at'],
  ['one of several forms', { at: { anyOf: [{ type: 'string' }, { type: 'null' }] } }, { at: null }, { at: 1 }, 'at'],
  ['a constant', { at: { const: 'here' } }, { at: 'here' }, { at: 'there' }, 'at'],
])('arguments are checked by the tool’s own schema: %s', (_, properties, good, bad, path) => {
  const { parse } = toolWith({ type: 'object', properties });
  expect(parse(good)).toEqual({ success: true, data: good });
  expect(parse(bad)).toMatchObject({
    success: false,
    issues: expect.arrayContaining([expect.objectContaining({ path })]),
  });
});

test('what is wrong is said in plain words, by path', () => {
  const schema = {
    type: 'object',
    properties: { list: { type: 'array', items: { type: 'object', properties: { 'a/b': { type: 'integer' } } } } },
    required: ['list', 'id'],
    additionalProperties: false,
  };
  expect(toolWith(schema).parse({ list: [{ 'a/b': 'x' }], extra: 1 })).toEqual({
    success: false,
    issues: [
      { path: '', message: 'the property "id" is missing' },
      { path: 'list[0].a/b', message: 'must be integer, not string' },
      { path: 'extra', message: 'is not allowed' },
    ],
  });
});

test('providers and prompts get the schema as it is', () => {
  const schema = { type: 'object', properties: { at: PLACE }, 'x-own': true };
  const tool = toolWith(schema);
  expect(tool.inputSchema).toEqual(schema);
  expect(inputSignature(tool)).toBe('{ at?: [string, number] }');
});

test('a regular expression from elsewhere is not run, however long it would take', () => {
  const slow = { type: 'string', pattern: '^(a+)+$' };
  const schema = {
    type: 'object',
    properties: { at: slow },
    patternProperties: { '^(b+)+$': slow },
    additionalProperties: false,
  };
  const hard = `${'a'.repeat(60)}!`;
  expect(toolWith(schema).parse({ at: hard, [`${'b'.repeat(60)}!`]: 'x' }).success).toBe(true);
  expect(toolWith(schema).parse({ at: 1 }).success).toBe(false);
});

describe('a schema from elsewhere does not hold up the page', () => {
  const check = (at: object, value: unknown) => {
    const { parse } = toolWith({ type: 'object', properties: { at } });
    // Other processes may take the machine meanwhile, so the time of this one counts.
    const startedAt = process.cpuUsage();
    const parsed = parse({ at: value });
    return { parsed, ms: process.cpuUsage(startedAt).user / 1_000 };
  };
  /** Far more than a check may take: the machine may be slow, but each of these would take longer by far. */
  const SLOW_MS = 2_000;
  const names = Array.from({ length: 19_000 }, (_, n) => `name${n}`);
  const all = (schema: unknown) => Object.fromEntries(names.map((name) => [name, schema]));
  const rows = (count: number, row: unknown) => Array.from({ length: count }, () => row);

  test('by a format, which stands for a regular expression', () => {
    const { parsed, ms } = check({ type: 'string', format: 'url' }, `http://${':'.repeat(60_000)}`);
    expect(parsed.success).toBe(true);
    expect(ms).toBeLessThan(SLOW_MS);
  });

  test('by items that have to be compared with each other', () => {
    const { parsed, ms } = check({ type: 'array', uniqueItems: true }, [...names, ...names.slice(1), 1]);
    expect(parsed.success).toBe(true);
    expect(ms).toBeLessThan(SLOW_MS);
  });

  test.each<[string, object, unknown]>([
    ['names to be looked for in each item', { items: { properties: all(true) } }, rows(5_000, {})],
    ['names that each item lacks', { items: { required: names } }, rows(5_000, {})],
    ['values to be compared with each item', { items: { enum: names } }, rows(60_000, 'name18999')],
    ['values that no item has', { items: { enum: names } }, rows(60_000, 'x')],
    ['branches that are always right', { items: { allOf: rows(19_000, true) } }, rows(60_000, 'x')],
    ['conditions of names', { items: { dependentRequired: all([]) } }, rows(5_000, {})],
    ['long texts that are measured often', { allOf: rows(9_000, { maxLength: 2_000_000 }) }, 'x'.repeat(1_000_000)],
    ['objects whose names are listed often', { allOf: rows(19_000, {}) }, { ...all(1), ...names }],
    ['long lists that are gone through often', { allOf: rows(9_000, { items: true }) }, rows(400_000, 1)],
  ])('by %s', (_, at, value) => {
    const { parsed, ms } = check(at, value);
    expect(parsed).toMatchObject({ success: false, issues: [{ message: expect.stringContaining('too long') }] });
    expect(ms).toBeLessThan(SLOW_MS);
  });

  test('and one that is as large as they usually are is applied', () => {
    const row = { type: 'object', properties: Object.fromEntries(names.slice(0, 30).map((name) => [name, {}])) };
    const value = rows(400, Object.fromEntries(names.slice(0, 30).map((name) => [name, name])));
    expect(check({ type: 'array', items: row }, value).parsed.success).toBe(true);
  });
});

test('what only looks like a regular expression is kept', () => {
  const schema = {
    type: 'object',
    properties: {
      rule: { const: { pattern: '*.ts' }, default: { $ref: '#/none' }, examples: [{ $ref: '#/none' }] },
      pattern: { type: 'number' },
      patternProperties: { type: 'object' },
    },
    additionalProperties: false,
  };
  const { parse } = toolWith(schema);
  expect(parse({ rule: { pattern: '*.ts' }, pattern: 1, patternProperties: {} }).success).toBe(true);
  for (const bad of [{ rule: {} }, { pattern: 'x' }, { patternProperties: 1 }, { other: 1 }])
    expect(parse(bad).success).toBe(false);
});

test('references that multiply are refused, however many there are', () => {
  const twice = (name: string) => ({ allOf: [{ $ref: `#/$defs/${name}` }, { $ref: `#/$defs/${name}` }] });
  const $defs = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`d${n}`, twice(`d${n + 1}`)]));
  const schema = { type: 'object', $defs: { ...$defs, d60: {} }, $ref: '#/$defs/d0' };
  expect(() => toolWith(schema)).toThrow(/too many steps|too long/);
  // They may also multiply with the depth of the value only.
  const tree = { type: 'object', properties: { at: { allOf: [{ $ref: '#' }, { $ref: '#' }] } } };
  const { parse } = toolWith(tree);
  let deep: unknown = {};
  for (let level = 0; level < 60; level++) deep = { at: deep };
  expect(parse(deep)).toMatchObject({
    success: false,
    issues: [{ message: expect.stringMatching(/too many steps|too long/) }],
  });
  expect(parse({ at: { at: {} } }).success).toBe(true);
});

const LOOP = { type: 'object', properties: { next: { $ref: '#' } } };

test('a schema may refer to itself', () => {
  expect(toolWith(LOOP).parse({ next: { next: {} } }).success).toBe(true);
  expect(toolWith(LOOP).parse({ next: { next: 1 } }).success).toBe(false);
  expect(inputSignature(toolWith(LOOP)).length).toBeLessThan(200);
});

test.each<[string, unknown, Partial<ExternalTool>, string]>([
  ['is no schema', 'object', {}, 'JSON Schema'],
  ['is not one of an object', { type: 'array' }, {}, 'JSON Schema'],
  ['has broken keywords', { type: 'object', required: 'path' }, {}, 'JSON Schema'],
  ['leads nowhere', { type: 'object', properties: { a: { $ref: '#/$defs/none' } } }, {}, 'cannot be resolved'],
  ['never ends', { type: 'object', $ref: '#' }, {}, 'cannot be checked'],
  ['has a name with a space', { type: 'object' }, { name: 'find it' }, 'spaces'],
  ['has a name that is too long', { type: 'object' }, { name: 'x'.repeat(129) }, '128'],
])('a tool is refused with the reason if it %s', (_, schema, change, reason) => {
  expect(() => toolWith(schema, change)).toThrow(ToolDefinitionError);
  expect(() => toolWith(schema, change)).toThrow(reason);
});

test('deep arguments are an error, not a crash', () => {
  let deep: unknown = 1;
  for (let level = 0; level < 100_000; level++) deep = { next: deep };
  expect(toolWith(LOOP).parse(deep).success).toBe(false);
});

const context = {
  ...testCapabilities(new MemoryFileSystem()),
  toolCallId: 'call',
  author: { type: 'call', toolCallId: 'call' } as const,
  abortSignal: new AbortController().signal,
  known: NOTHING_KNOWN,
  earlierResults: () => [],
  report: () => undefined,
  offered: () => [],
  hasRunBefore: () => true,
  callTool: () => Promise.reject(new Error('no other tool')),
};

describe('a result', () => {
  const run = (returned: unknown) =>
    toolWith({ type: 'object' }, { execute: async () => returned as ToolOutput }).execute({}, context);
  const nested = (levels: number): unknown => {
    let value: unknown = 1;
    for (let level = 0; level < levels; level++) value = [value];
    return value;
  };

  test('is plain data, and says nothing about files', async () => {
    const content = [{ type: 'json', value: { at: nested(50) } } as const];
    const files = [{ path: '/a', hash: 'x' }];
    expect(await run({ content, data: { n: 1, left: undefined }, files })).toEqual({ content, data: { n: 1 } });
  });

  test.each<[string, unknown]>([
    ['nothing at all', undefined],
    ['no content', {}],
    ['an image that is not base64', { content: [{ type: 'image', mediaType: 'image/png', data: 'data:,x' }] }],
    ['a block of another type', { content: [{ type: 'audio', data: 'AAAA' }] }],
    ['a value that is too deep', { content: [{ type: 'json', value: nested(3_000) }] }],
    ['a value without end', { content: [{ type: 'json', value: nested(200_000) }] }],
    ['data that is no JSON', { content: '', data: 1n }],
  ])('that cannot be sent is a failure, before anything is stored: %s', async (_, returned) => {
    await expect(run(returned)).rejects.toMatchObject({
      code: 'failed',
      message: expect.stringContaining('its result cannot be used'),
    });
  });
});

describe('a structured result', () => {
  const outputSchema = { type: 'object', properties: { count: { type: 'number' } }, required: ['count'] };
  const run = (output: ToolOutput, schema: object = outputSchema) =>
    toolWith({ type: 'object' }, { outputSchema: schema, execute: async () => output }).execute({}, context);

  test('that matches, or is left out, is used', async () => {
    expect(await run({ content: '3', data: { count: 3 } })).toEqual({ content: '3', data: { count: 3 } });
    expect(await run({ content: '3' })).toEqual({ content: '3' });
    const exact = { content: '3', data: { count: '12345678901234567890' } };
    expect(await run(exact)).toEqual(exact);
  });

  test('that does not match is used, and the model is told so', async () => {
    expect(await run({ content: '3', data: { count: '3' } })).toEqual({
      content: [
        { type: 'text', text: '3' },
        { type: 'text', text: expect.stringContaining('does not match the tool’s output schema. count: ') },
      ],
      data: { count: '3' },
    });
  });

  test('is used if its schema cannot be checked', async () => {
    const odd = { type: 'object', properties: { a: { $ref: '#/nowhere' } } };
    expect(await run({ content: '3', data: { count: 3 } }, odd)).toMatchObject({ content: '3' });
  });
});
