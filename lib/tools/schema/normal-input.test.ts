import { expect, test } from 'vitest';
import { normalInput } from './normal-input.ts';

const SCHEMA = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    recursive: { type: 'boolean', default: false },
    edits: { type: 'array', items: { type: 'object', properties: { all: { type: 'boolean', default: false } } } },
    env: { type: 'object', additionalProperties: { type: 'string' } },
    any: { anyOf: [{ type: 'object' }, { type: 'string' }] },
  },
};

test.each<[string, unknown, unknown]>([
  ['defaults are filled in', { path: '/a' }, { path: '/a', recursive: false }],
  ['null counts as left out', { path: '/a', recursive: null }, { path: '/a', recursive: false }],
  ['what the schema does not declare is left out', { path: '/a', why: 'x' }, { path: '/a', recursive: false }],
  ['in lists, too', { edits: [{ all: true, x: 1 }, {}] }, { edits: [{ all: true }, { all: false }], recursive: false }],
  ['but not where any name may stand', { env: { A: '1' } }, { env: { A: '1' }, recursive: false }],
  ['nor where the form is open', { any: { x: 1 } }, { any: { x: 1 }, recursive: false }],
])('%s', (_, input, normal) => {
  expect(normalInput(input, SCHEMA)).toEqual(normal);
});

test.each(['text', 1, null, [1], undefined])('%j is no object of arguments', (input) => {
  expect(normalInput(input, SCHEMA)).toBeUndefined();
});

test('without a schema of its own, everything counts', () => {
  expect(normalInput({ a: { b: 1 } }, { type: 'object' })).toEqual({ a: { b: 1 } });
  expect(normalInput({ a: 1 }, true)).toEqual({ a: 1 });
});

test('a value that is nested without end is no way to crash', () => {
  let deep: unknown = 1;
  for (let level = 0; level < 100_000; level++) deep = { env: deep };
  expect(normalInput({ env: deep }, { type: 'object', properties: { env: { $ref: '#' } } })).toBeDefined();
});
