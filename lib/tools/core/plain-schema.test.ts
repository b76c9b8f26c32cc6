import { expect, test } from 'vitest';
import { toolRegistry } from '../toolsets.ts';
import type { ObjectSchema } from './json-schema.ts';
import { plainSchema, portableSchema } from './plain-schema.ts';

test.each<[string, unknown, unknown]>([
  [
    'words that not every server knows are left out',
    {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        path: { type: 'string', minLength: 1, pattern: '^/', description: 'A path' },
        mode: { enum: ['a', 'b', null] },
        kind: { const: 3 },
      },
      required: ['path', 'gone'],
      additionalProperties: false,
    },
    {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'A path' },
        mode: { type: 'string', enum: ['a', 'b'] },
        kind: { type: 'number', enum: [3] },
      },
      required: ['path'],
    },
  ],
  [
    'a value that may be null, or anything, has a type',
    { type: 'object', properties: { data: true, name: { type: ['null', 'integer'] }, list: { type: 'array' } } },
    {
      type: 'object',
      properties: {
        data: { type: 'string' },
        name: { type: 'integer' },
        list: { type: 'array', items: { type: 'string' } },
      },
    },
  ],
  [
    'of alternatives, the first one counts, and of a tuple, the first element',
    {
      properties: {
        size: { anyOf: [{ type: 'null' }, { type: 'number' }, { type: 'string' }], description: 'How large' },
        pair: { type: 'array', prefixItems: [{ type: 'integer' }, { type: 'string' }] },
        both: { allOf: [{ properties: { a: {} } }, { properties: { b: { type: 'boolean' } }, required: ['b'] }] },
      },
    },
    {
      type: 'object',
      properties: {
        size: { type: 'number', description: 'How large' },
        pair: { type: 'array', items: { type: 'integer' } },
        both: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'boolean' } }, required: ['b'] },
      },
    },
  ],
  ['what is no object is an object without properties', { type: 'string' }, { type: 'object', properties: {} }],
  ['and so is nothing', undefined, { type: 'object', properties: {} }],
])('%s', (_, schema, plain) => {
  expect(plainSchema(schema)).toEqual(plain);
});

test('a schema that refers to itself ends somewhere', () => {
  const node = { type: 'object', properties: { next: { $ref: '#/$defs/node' }, name: { type: 'string' } } };
  const plain = JSON.stringify(plainSchema({ $ref: '#/$defs/node', $defs: { node } }));
  expect(plain).toContain('"name":{"type":"string"}');
  expect(plain).not.toContain('$ref');
  const wide = {
    type: 'object',
    properties: Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, { $ref: '#' }])),
  };
  expect(JSON.stringify(plainSchema(wide)).length).toBeLessThan(200_000);
  expect(plainSchema({ $ref: '#/a', a: { $ref: '#/a' } })).toEqual({ type: 'object', properties: {} });
});

test('a property may have any name', () => {
  const schema = JSON.parse(
    '{"type":"object","properties":{"__proto__":{"type":"number"},"constructor":{"type":"string"}}}',
  );
  expect(Object.keys(plainSchema(schema).properties ?? {})).toEqual(['__proto__', 'constructor']);
});

test('the schemas of the studio’s own tools are sent as they are', () => {
  for (const { name, inputSchema } of toolRegistry.list()) expect(portableSchema(inputSchema), name).toBe(inputSchema);
});

test.each<[string, object]>([
  ['properties that are true', { properties: { data: true } }],
  ['references', { properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { type: 'string' } } }],
  ['lists of schemas for items', { properties: { a: { type: 'array', items: [{ type: 'string' }] } } }],
  ['unknown types', { properties: { a: { type: 'any' } } }],
  ['alternatives at its top', { anyOf: [{ properties: { a: { type: 'string' } } }] }],
  ['such words deep inside', { properties: { a: { anyOf: [{ items: { prefixItems: [] } }] } } }],
])('a schema with %s is sent as a plain one, the same each time', (_, words) => {
  const schema = { type: 'object', ...words } as ObjectSchema;
  const sent = portableSchema(schema);
  expect(sent).toEqual(plainSchema(schema));
  expect(portableSchema(schema)).toBe(sent);
  expect(JSON.stringify(sent)).not.toMatch(/true|\$ref|anyOf|prefixItems|"any"/);
});

test('one without properties has an empty list of them, and one that needs nothing stays', () => {
  expect(portableSchema({ type: 'object', additionalProperties: false })).toEqual({
    ...{ type: 'object', properties: {}, additionalProperties: false },
  });
  const fine: ObjectSchema = {
    type: 'object',
    properties: { a: { type: ['string', 'null'], minLength: 1 }, b: { anyOf: [{ type: 'number' }, { type: 'null' }] } },
  };
  expect(portableSchema(fine)).toBe(fine);
});
