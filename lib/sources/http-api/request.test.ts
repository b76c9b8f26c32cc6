import { describe, expect, test } from 'vitest';
import { restApiSchema } from './api.ts';
import type { RestParameter, RestTool } from './api-tool.ts';
import { RequestFault, requestOf } from './request.ts';

type Given = { parameters?: Partial<RestParameter>[]; headers?: Record<string, string> } & Record<string, unknown>;

function callOf({ headers = {}, ...tool }: Given, args: Record<string, unknown>, secrets: Record<string, string> = {}) {
  const api = restApiSchema.parse({
    name: 'shop',
    baseUrl: 'https://shop.test/api/',
    headers,
    tools: [{ name: 'a', description: 'A.', method: 'GET', path: '/', ...tool }],
  });
  return requestOf(api, api.tools[0] as RestTool, args, secrets);
}

const byPath = (value: unknown) =>
  callOf({ path: '/articles/{id}/parts', parameters: [{ name: 'id', in: 'path' }] }, { id: value }).url;

test('arguments get to their places, and nothing else does', () => {
  const request = callOf(
    {
      method: 'PATCH',
      path: '/articles/{id}?kind=a',
      headers: { Authorization: 'Bearer {{token}}' },
      parameters: [
        { name: 'id', in: 'path' },
        { name: 'X-Trace', in: 'header', argument: 'trace' },
        { name: 'tags', in: 'query' },
        { name: 'fields', in: 'query', style: 'comma' },
        { name: 'filter', in: 'query', style: 'brackets' },
        { name: 'raw', in: 'query', style: 'json' },
        { name: 'price', in: 'body' },
        { name: 'note', in: 'body' },
      ],
    },
    {
      id: 7,
      trace: 't 1',
      tags: ['a b', 'c&d'],
      fields: ['x', 'y'],
      filter: { from: 1 },
      raw: { a: [1] },
      price: 2.5,
      note: null,
      other: 'x',
    },
    { token: 's3cret' },
  );
  expect(request).toEqual({
    url: 'https://shop.test/api/articles/7?kind=a&tags=a%20b&tags=c%26d&fields=x%2Cy&filter%5Bfrom%5D=1&raw=%7B%22a%22%3A%5B1%5D%7D',
    method: 'PATCH',
    headers: {
      accept: 'application/json, */*;q=0.5',
      Authorization: 'Bearer s3cret',
      'X-Trace': 't 1',
      'content-type': 'application/json',
    },
    body: '{"price":2.5,"note":null}',
  });
});

test('a whole body is sent as it is, as the type that the API wants', () => {
  const request = callOf(
    { method: 'POST', body: { mediaType: 'application/merge-patch+json' } },
    { body: JSON.parse('{"__proto__":{"a":1},"b":[null]}') },
  );
  expect(request.body).toBe('{"__proto__":{"a":1},"b":[null]}');
  expect(request.headers['content-type']).toBe('application/merge-patch+json');
});

describe('a path stays below the base URL', () => {
  test.each([
    '..',
    '.',
    '../..',
    '../../admin',
    'a/../b',
    '..\\admin',
    '%2e%2e',
    '..%2fadmin',
    '..%2fadmin%zz',
    '%2e%2e/admin%ff',
    'a%0d%0ab%zz',
    'a/..',
    '',
    'a\r\nb',
    'a\0b',
  ])('with the argument %j it is refused', (value) => expect(() => byPath(value)).toThrow(RequestFault));

  test.each([
    ['//evil.test', '%2F%2Fevil.test'],
    ['@evil.test', '%40evil.test'],
    ['https://evil.test', 'https%3A%2F%2Fevil.test'],
    ['a?b#c', 'a%3Fb%23c'],
    ['a/b', 'a%2Fb'],
    ['…é中', '%E2%80%A6%C3%A9%E4%B8%AD'],
    ["(it's)!*", '%28it%27s%29%21%2A'],
    ['...', '...'],
    [true, 'true'],
    [['a', 'b'], 'a%2Cb'],
  ])('the argument %j is one part of it', (value, part) => {
    expect(byPath(value)).toBe(`https://shop.test/api/articles/${part}/parts`);
  });

  test('an argument that is missing, null, or half a character is refused', () => {
    expect(() => byPath(undefined)).toThrow('id: must be given.');
    expect(() => byPath(null)).toThrow('id: must be given.');
    expect(() => byPath('\ud800')).toThrow(/half of a character/);
  });
});

describe('a header stays one header', () => {
  const withHeader = (value: unknown) =>
    callOf({ parameters: [{ name: 'X-Note', in: 'header', argument: 'note' }] }, { note: value }).headers['X-Note'];

  test.each(['a\r\nX-Key: b', 'a\nb', 'a\u2028b', '中', ' a', 'a\0'])('%j is refused', (value) => {
    expect(() => withHeader(value)).toThrow(RequestFault);
  });

  test('other values are sent', () => {
    expect(withHeader('a: b; c')).toBe('a: b; c');
    expect(withHeader(undefined)).toBeUndefined();
  });

  test('a secret with a line break is refused, and not named', () => {
    const call = () => callOf({ headers: { 'X-Key': '{{key}}' } }, {}, { key: 'abc\r\nHost: evil' });
    expect(call).toThrow(RequestFault);
    expect(call).not.toThrow(/evil/);
  });
});

test('names that objects have by themselves are no arguments', () => {
  const tool = { parameters: [{ name: 'constructor', in: 'query' as const }] };
  expect(callOf(tool, {}).url).toBe('https://shop.test/api/');
  expect(callOf(tool, JSON.parse('{"__proto__":{"constructor":"x"}}')).url).toBe('https://shop.test/api/');
  expect(callOf(tool, { constructor: 'a' }).url).toBe('https://shop.test/api/?constructor=a');
});

test('an address and a body have limits', () => {
  const parameters = [{ name: 'q', in: 'query' as const }];
  expect(() => callOf({ parameters }, { q: 'x'.repeat(20_000) })).toThrow(/the limit is 16000/);
  expect(() => callOf({ method: 'POST', body: {} }, { body: 'x'.repeat(1_000_001) })).toThrow(/the limit is 1000000/);
});
