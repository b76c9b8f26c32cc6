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

const B = { b: { type: 'object', properties: { b: {} } } };

test('the schemas of the studio’s own tools are sent as they are', () => {
  for (const { name, inputSchema } of toolRegistry.list()) expect(portableSchema(inputSchema), name).toBe(inputSchema);
});

test.each<[string, object, object]>([
  ['properties that are true', { properties: { data: true } }, { properties: { data: {} } }],
  [
    'lists of schemas for items',
    { properties: { a: { type: 'array', items: [{ type: 'string' }, true] } } },
    { properties: { a: { type: 'array', items: { anyOf: [{ type: 'string' }, {}] } } } },
  ],
  [
    'tuples',
    { properties: { a: { type: 'array', prefixItems: [{ type: 'number' }], items: false } } },
    { properties: { a: { type: 'array', items: { anyOf: [{ type: 'number' }] } } } },
  ],
  ['arrays of anything', { properties: { a: { type: 'array' } } }, { properties: { a: { type: 'array', items: {} } } }],
  ['unknown types', { properties: { a: { type: 'any', title: 'A' } } }, { properties: { a: { title: 'A' } } }],
  [
    'one unknown type of several',
    { properties: { a: { type: ['string', 'any'] } } },
    { properties: { a: { type: ['string'] } } },
  ],
  [
    'alternatives at its top',
    { required: ['c'], properties: { c: {} }, anyOf: [{ properties: { a: {} } }, { $ref: '#/$defs/b' }], $defs: B },
    { required: ['c'], properties: { a: {}, b: {}, c: {} }, $defs: B },
  ],
  ['no properties', { additionalProperties: false }, { additionalProperties: false, properties: {} }],
])('of a schema with %s, only that is changed, the same each time', (_, words, repaired) => {
  const schema = { type: 'object', ...words } as ObjectSchema;
  const sent = portableSchema(schema);
  expect(sent).toEqual({ type: 'object', ...repaired });
  expect(portableSchema(schema)).toBe(sent);
});

test('a schema that needs nothing stays as it is', () => {
  const fine: ObjectSchema = {
    type: 'object',
    properties: {
      a: { type: ['string', 'null'], minLength: 1, description: 'A' },
      b: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] },
      any: { description: 'Any JSON' },
      map: { type: 'object', additionalProperties: { type: 'number' } },
    },
    $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
  };
  expect(portableSchema(fine)).toBe(fine);
});

test('one that repeats a long part is not made longer', () => {
  const values = Array.from({ length: 3_000 }, (_, index) => `value ${index}`);
  const schema: ObjectSchema = {
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`p${index}`, { $ref: '#/$defs/x' }])),
    $defs: { x: { type: 'string', enum: values } },
  };
  expect(portableSchema(schema)).toBe(schema);
  expect(JSON.stringify(plainSchema(schema)).length).toBeLessThan(400_000);
});
