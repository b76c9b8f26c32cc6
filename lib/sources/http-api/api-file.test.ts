import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXAMPLE_API } from '#components/sources/apis/example.ts';
import { secretsOf } from './api.ts';
import { ApiFileError, readApiFile } from './api-file.ts';
import { definitionsOf } from './definition.ts';
import { REST_LIMITS } from './limits.ts';

const HEAD = 'name: shop\nbaseUrl: https://shop.test/api\n';
const TOOL = '  - { name: list, description: Lists., method: GET, path: /articles }\n';

const faultOf = async (source: string): Promise<string> => {
  try {
    await readApiFile(source, 'shop.yaml');
  } catch (error) {
    if (error instanceof ApiFileError) return error.message;
    throw error;
  }
  throw new Error('It was accepted.');
};

test('a description is read with its defaults, and its secrets are named', async () => {
  const api = await readApiFile(
    `${HEAD}headers: { Authorization: 'Bearer {{token}}' }
tools:
  - name: get
    description: Gets an article.
    method: GET
    path: /articles/{id}
    parameters:
      - { name: id, in: path, schema: { type: integer } }
      - { name: lang, in: query, description: The language. }
    headers: { X-Client: '{{ client }}', Accept: text/plain }
    result: data
`,
    'shop.yaml',
  );
  expect(secretsOf(api)).toEqual(['token', 'client']);
  const { tools } = await definitionsOf(api);
  expect(tools[0]?.definition).toMatchObject({
    name: 'get',
    inputSchema: {
      type: 'object',
      properties: { id: { type: 'integer' }, lang: { type: 'string', description: 'The language.' } },
      required: ['id'],
      additionalProperties: false,
    },
    isDestructive: false,
    annotations: {
      request: 'GET https://shop.test/api/articles/{id}',
      parameters: { id: 'path id', lang: 'query lang' },
      headers: { Authorization: 'Bearer {{token}}', 'X-Client': '{{ client }}', Accept: 'text/plain' },
      result: 'data',
    },
  });
});

describe('a fault names its line and what to do', () => {
  const withTool = (tool: string) => `${HEAD}tools:\n${tool}`;
  test.each([
    ['an unknown key', `${HEAD}colour: red\ntools:\n${TOOL}`, /shop\.yaml:3: .*colour/],
    ['broken YAML', `${HEAD}tools: [`, /shop\.yaml:3: /],
    ['a key that is there twice', `${HEAD}name: two\ntools:\n${TOOL}`, /shop\.yaml:3: Map keys must be unique/],
    ['a name that is used twice', withTool(TOOL + TOOL), /shop\.yaml:5: tools\[1\]\.name: “list” is used twice/],
    ['no tools', HEAD, /shop\.yaml:1: tools/],
    ['an empty file', '', /shop\.yaml:1: name/],
    ['a list in place of an API', '- 1', /shop\.yaml:1: /],
    ['http over the internet', `name: shop\nbaseUrl: http://shop.test\ntools:\n${TOOL}`, /shop\.yaml:2: baseUrl/],
    [
      'a password in the address',
      `name: shop\nbaseUrl: https://a:b@shop.test\ntools:\n${TOOL}`,
      /shop\.yaml:2: baseUrl/,
    ],
    [
      'a query in the base URL',
      `name: shop\nbaseUrl: https://shop.test?a=1\ntools:\n${TOOL}`,
      /:2: baseUrl: must not contain \?/,
    ],
    [
      'a secret in the base URL',
      `name: shop\nbaseUrl: 'https://shop.test/{{key}}'\ntools:\n${TOOL}`,
      /:2: baseUrl: .*secrets belong into headers/,
    ],
    [
      'a secret in a path',
      withTool("  - { name: a, description: A., method: GET, path: '/{{key}}' }"),
      /:4: tools\[0\]\.path: .*secrets belong into headers/,
    ],
    [
      'a parameter that is not listed',
      withTool("  - { name: a, description: A., method: GET, path: '/{id}' }"),
      /names \{id\}; list it/,
    ],
    [
      'a parameter without a place',
      withTool('  - { name: a, description: A., method: GET, path: /, parameters: [{ name: id, in: path }] }'),
      /does not contain \{id\}/,
    ],
    [
      'a path that leads up',
      withTool('  - { name: a, description: A., method: GET, path: /a/../../b }'),
      /segments \. and \.\./,
    ],
    [
      'a path to another host',
      withTool('  - { name: a, description: A., method: GET, path: //evil.test/ }'),
      /must not begin with \/\//,
    ],
    [
      'a path that is none',
      withTool('  - { name: a, description: A., method: GET, path: "https://evil.test/" }'),
      /must begin with \//,
    ],
    [
      'a method that is none',
      withTool('  - { name: a, description: A., method: TRACE, path: / }'),
      /:4: tools\[0\]\.method/,
    ],
    [
      'a header that belongs to the connection',
      `${HEAD}headers: { Host: evil.test }\ntools:\n${TOOL}`,
      /:3: headers\.Host: the studio sets/,
    ],
    [
      'a second header',
      `${HEAD}headers: { X-Key: a, x-key: b }\ntools:\n${TOOL}`,
      /:3: headers\["x-key"\]: the header x-key is set twice/,
    ],
    [
      'a line break in a header',
      `${HEAD}headers: { X-Key: "a\\nb" }\ntools:\n${TOOL}`,
      /characters that a header cannot contain/,
    ],
    ['a secret without a name', `${HEAD}headers: { X-Key: '{{}}' }\ntools:\n${TOOL}`, /names no secret/],
    [
      'a secret that is written out',
      `${HEAD}headers: { Authorization: Bearer abc }\ntools:\n${TOOL}`,
      /:3: headers\.Authorization: looks like a secret/,
    ],
    [
      'a key that is written out',
      `${HEAD}headers: { X-Api-Key: 0123456789abcdef }\ntools:\n${TOOL}`,
      /looks like a secret/,
    ],
    [
      'a parameter for a secret header',
      `${HEAD}headers: { X-Key: '{{k}}' }\ntools:\n  - { name: a, description: A., method: GET, path: /, parameters: [{ name: x-key, in: header }] }`,
      /cannot be set by a call/,
    ],
    [
      'an argument that objects have by themselves',
      withTool('  - { name: a, description: A., method: GET, path: /, parameters: [{ name: __proto__, in: query }] }'),
      /cannot be the name of an argument/,
    ],
    [
      'two parameters of one name',
      withTool(
        "  - { name: a, description: A., method: GET, path: '/{id}', parameters: [{ name: id, in: path }, { name: id, in: query }] }",
      ),
      /“id” is used twice; add “argument/,
    ],
    [
      'a body of a GET request',
      withTool('  - { name: a, description: A., method: GET, path: /, body: {} }'),
      /GET requests have no body/,
    ],
    [
      'two bodies',
      withTool(
        '  - { name: a, description: A., method: POST, path: /, body: {}, parameters: [{ name: b, in: body }] }',
      ),
      /use one of them/,
    ],
    [
      'a schema whose reference leads nowhere',
      withTool("  - { name: a, description: A., method: POST, path: /, body: { schema: { $ref: '#/$defs/x' } } }"),
      /:4: .*#\/\$defs\/x cannot be resolved/,
    ],
    [
      'a schema that refers to itself',
      withTool(
        "  - { name: a, description: A., method: POST, path: /, body: { schema: { $ref: '#/$defs/x' } }, $defs: { x: { $ref: '#/$defs/x' } } }",
      ),
      /:4: .*refers to itself/,
    ],
  ])('%s', async (_, source, expected) => {
    expect(await faultOf(source)).toMatch(expected);
  });

  test('an alias bomb', async () => {
    const levels = Array.from({ length: 12 }, (_, n) => `k${n}: &a${n} [${`*a${n - 1},`.repeat(9)}]`).slice(1);
    expect(await faultOf(`k0: &a0 [x]\n${levels.join('\n')}\n`)).toMatch(/anchors and aliases cannot be resolved/);
  });

  test('a text that is too long, and one that is nested too deeply', async () => {
    expect(await faultOf('x'.repeat(REST_LIMITS.source + 1))).toMatch(/the limit is 500000/);
    expect(await faultOf(`a: ${'['.repeat(60)}${']'.repeat(60)}`)).toMatch(/nested more than 40 levels/);
  });

  test('definitions that are too large', async () => {
    const values = Array.from({ length: 12_000 }, (_, n) => `value-${n}`).join(', ');
    const tool = `  - { name: a, description: A., method: GET, path: /, parameters: [{ name: b, in: query, schema: { enum: [${values}] } }] }`;
    expect(await faultOf(`${HEAD}tools:\n${tool}`)).toMatch(/:4: a: its definition has more than 100000 characters/);
  });
});

describe('an example can be used as it is:', () => {
  const document = readFileSync(join(import.meta.dirname, '../../../docs/HTTP-APIS.md'), 'utf8');
  const [, written = ''] = /```yaml\n([\s\S]*?)```/.exec(document) ?? [];
  test.each([
    ['that of the document', written, 3],
    ['that of the studio', EXAMPLE_API, 2],
  ])('%s', async (_, source, count) => {
    const api = await readApiFile(source, 'example.yaml');
    expect(secretsOf(api)).toEqual(['token']);
    expect((await definitionsOf(api)).tools).toHaveLength(count);
  });
});
