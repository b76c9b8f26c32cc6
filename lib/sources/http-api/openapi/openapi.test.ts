import { describe, expect, test } from 'vitest';
import { REST_LIMITS } from '../limits.ts';
import { RestHost } from '../rest-host.ts';
import { readDocument } from './document.ts';
import { type ListedOperation, readOperations } from './operations.ts';
import { baseUrlsOf, secretHeadersOf } from './security.ts';

const PETS = `openapi: 3.0.3
info: { title: Pets, version: '1' }
servers:
  - { url: 'https://{region}.pets.test/v1', variables: { region: { default: eu } } }
  - { url: /v1 }
paths:
  /pets/{petId}:
    parameters:
      - { name: petId, in: path, required: true, schema: { type: integer } }
      - { $ref: '#/components/parameters/Trace' }
    get:
      operationId: get pet
      summary: Gets a pet.
      description: Also its owner.
      parameters:
        - { name: 'filter[kind]', in: query, schema: { type: string } }
        - { name: tags, in: query, explode: false, schema: { type: array, items: { type: string } } }
        - { name: range, in: query, style: deepObject, schema: { type: object } }
        - { name: session, in: cookie, schema: { type: string } }
        - { name: X-Api-Key, in: header, schema: { type: string } }
    put:
      summary: Changes a pet.
      deprecated: true
      requestBody: { $ref: '#/components/requestBodies/Pet' }
    delete: {}
components:
  parameters:
    Trace: { name: X-Trace, in: header, schema: { type: string, example: a } }
  requestBodies:
    Pet: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }
  schemas:
    Pet:
      type: object
      required: [id, name]
      properties:
        id: { type: integer, readOnly: true }
        name: { type: string, nullable: true, xml: { name: n } }
        age: { type: integer, minimum: 0, exclusiveMinimum: true }
        parent: { $ref: '#/components/schemas/Pet' }
      discriminator: { propertyName: name }
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Api-Key }
    basic: { type: http, scheme: basic }
    inUrl: { type: apiKey, in: query, name: k }
`;

const listed = (source: string): ListedOperation[] => readOperations(readDocument(source)).listed;
const withPaths = (paths: object, more: object = {}) =>
  JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths, ...more });
const problemOf = (operation: object, more: object = {}, path = '/a') =>
  listed(withPaths({ [path]: { post: operation } }, more))[0]?.problem;

test('operations become tools with their parameters, bodies, and schemas', () => {
  const root = readDocument(PETS);
  const { listed: all, tools } = readOperations(root);
  expect(all.map(({ name, method, problem, isDeprecated }) => [name, method, problem, isDeprecated])).toEqual([
    ['get_pet', 'GET', undefined, false],
    ['PUT_pets_petId', 'PUT', undefined, true],
    ['DELETE_pets_petId', 'DELETE', undefined, false],
  ]);
  expect(tools.get('get_pet')).toMatchObject({
    title: 'Gets a pet.',
    description: 'Gets a pet.\n\nAlso its owner.',
    method: 'GET',
    path: '/pets/{petId}',
    parameters: [
      { name: 'petId', in: 'path', required: true, schema: { type: 'integer' } },
      { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
      { name: 'filter[kind]', in: 'query', argument: 'filter_kind', schema: { type: 'string' } },
      { name: 'tags', in: 'query', style: 'comma', schema: { type: 'array', items: { type: 'string' } } },
      { name: 'range', in: 'query', style: 'brackets' },
    ],
  });
  expect(tools.get('get_pet')?.parameters).toHaveLength(5);
  expect(tools.get('PUT_pets_petId')).toMatchObject({
    body: { required: true, schema: { $ref: '#/$defs/Pet' } },
    $defs: {
      Pet: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: ['string', 'null'] },
          age: { type: 'integer', exclusiveMinimum: 0 },
          parent: { $ref: '#/$defs/Pet' },
        },
      },
    },
  });
  expect(JSON.stringify(tools.get('PUT_pets_petId'))).not.toMatch(/readOnly|xml|discriminator|nullable/);
  expect(baseUrlsOf(root)).toEqual(['https://eu.pets.test/v1']);
  expect(secretHeadersOf(root)).toEqual([
    { name: 'X-Api-Key', begin: '' },
    { name: 'Authorization', begin: 'Basic ' },
  ]);
});

test('what was chosen is a description that can be read again', async () => {
  const host = new RestHost([]);
  expect(host.openDocument(PETS)).toMatchObject({ title: 'Pets', left: 0 });
  const described = await host.describe({
    name: 'pets',
    title: 'Pets',
    baseUrl: 'https://pets.test',
    headers: { 'X-Api-Key': '{{key}}' },
    operations: ['get_pet', 'PUT_pets_petId'],
  });
  if ('fault' in described) throw new Error(described.fault);
  expect(described.api.tools.map(({ name }) => name)).toEqual(['get_pet', 'PUT_pets_petId']);
  const again = await host.readApi(described.source, 'pets.yaml');
  expect(again).toEqual(described);
  expect(described.source).not.toContain('&a');
});

test('a description that cannot be used says why', async () => {
  const host = new RestHost([]);
  host.openDocument(PETS);
  const chosen = { name: 'pets', baseUrl: 'http://pets.test', headers: {}, operations: ['get_pet'] };
  expect(await host.describe(chosen)).toEqual({ fault: expect.stringContaining('baseUrl') });
  expect(await host.describe({ ...chosen, operations: [] })).toEqual({
    fault: expect.stringContaining('has no tools'),
  });
});

describe('a document that cannot be used says why', () => {
  test.each([
    ['', /no OpenAPI/],
    ['{"openapi": "3.0.0", ', /can’t be read/],
    ['openapi: 3.0.0\npaths:\n  - [', /can’t be read\. Line 3: /],
    ['[]', /This is no OpenAPI document/],
    ['{"swagger":"2.0","paths":{}}', /Swagger 2\.0 document\. Convert it/],
    ['{"openapi":"2.9","paths":{}}', /no OpenAPI 3 document/],
    ['{"openapi":"3.0.0"}', /has no paths/],
    [`{"openapi":"3.0.0","paths":${'['.repeat(200)}${']'.repeat(200)}}`, /nested more than 100 levels/],
    [' '.repeat(REST_LIMITS.document + 1), /the limit is 16000000/],
  ])('%#', (source, expected) => {
    expect(() => readDocument(source)).toThrow(expected);
    expect(new RestHost([]).openDocument(source)).toEqual({ fault: expect.stringMatching(expected) });
  });
});

describe('an operation that cannot be used says why, and harms no other', () => {
  const json = (schema: object) => ({ requestBody: { required: true, content: { 'application/json': { schema } } } });
  test.each([
    ['a broken reference', json({ $ref: '#/components/schemas/No' }), /“#\/components\/schemas\/No” leads nowhere/],
    [
      'a reference within a reference',
      json({ $ref: '#/components/schemas/A' }),
      /“#\/components\/schemas\/No” leads nowhere/,
    ],
    [
      'a reference to another document',
      json({ $ref: 'other.yaml#/Pet' }),
      /“other\.yaml#\/Pet” leads to another document/,
    ],
    ['a reference to another site', json({ $ref: 'https://evil.test/x' }), /leads to another document/],
    [
      'a reference to itself',
      json({ $ref: '#/components/schemas/B' }),
      /“#\/components\/schemas\/B” leads back to itself/,
    ],
    ['references in a circle', json({ $ref: '#/components/schemas/C' }), /leads back to itself/],
    ['a reference by a prototype', json({ $ref: '#/__proto__/x' }), /leads nowhere/],
    [
      'a body that is no JSON',
      { requestBody: { required: true, content: { 'multipart/form-data': {} } } },
      /multipart\/form-data, not JSON/,
    ],
    [
      'a body of another type that is not said to be required',
      { requestBody: { content: { 'multipart/form-data': {} } } },
      /multipart\/form-data, not JSON/,
    ],
    ['a cookie that is required', { parameters: [{ name: 's', in: 'cookie', required: true }] }, /is a cookie/],
    ['a header that cannot be set', { parameters: [{ name: 'Host', in: 'header', required: true }] }, /can’t be set/],
    ['another address', { servers: [{ url: 'https://evil.test' }] }, /at another address/],
    [
      'a style that nobody knows',
      { parameters: [{ name: 'a', in: 'path', required: true, style: 'matrix' }] },
      /not supported/,
    ],
  ])('%s', (_, operation, expected) => {
    const components = {
      schemas: {
        A: { properties: { a: { $ref: '#/components/schemas/No' } } },
        B: { $ref: '#/components/schemas/B' },
        C: { $ref: '#/components/schemas/D' },
        D: { $ref: '#/components/schemas/C' },
      },
    };
    const all = listed(withPaths({ '/a': { post: operation }, '/b': { get: { summary: 'Works' } } }, { components }));
    expect(all[0]?.problem).toMatch(expected);
    expect(all[1]?.problem).toBeUndefined();
  });

  test('a path that leads out of the API', () => {
    expect(problemOf({}, {}, '/a/../../b')).toMatch(/segments \. and \.\./);
    expect(problemOf({}, {}, '//evil.test')).toMatch(/must not begin with \/\//);
    expect(problemOf({}, {}, 'https://evil.test')).toMatch(/must begin with \//);
    expect(problemOf({}, {}, '/a/{b}')).toMatch(/names \{b\}/);
  });

  test('one with too many schemas', () => {
    const properties = Object.fromEntries(Array.from({ length: 6_000 }, (_, n) => [`p${n}`, { type: 'string' }]));
    expect(problemOf(json({ type: 'object', properties }))).toMatch(/too many schemas/);
  });

  test('a chain of references, however long, exhausts nothing', () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 4_000 }, (_, n) => [
        `S${n}`,
        { properties: { next: { $ref: `#/components/schemas/S${n + 1}` } } },
      ]),
    );
    const components = { schemas: { ...schemas, S4000: {} } };
    expect(problemOf(json({ $ref: '#/components/schemas/S0' }), { components })).toMatch(/too many schemas/);
  });
});

test('operations of one name have names of their own', () => {
  const operation = { operationId: 'do it!' };
  expect(
    listed(withPaths({ '/a': { get: operation, post: operation }, '/b': { get: operation } })).map(({ name }) => name),
  ).toEqual(['do_it', 'do_it_2', 'do_it_3']);
});

test('parameters whose names are not those of arguments get others', () => {
  const parameters = ['id', '__proto__', '$top', 'id[]', 'body', '中文'].map((name) => ({ name, in: 'query' }));
  const source = withPaths({
    '/a/{id}': {
      post: {
        requestBody: { content: { 'application/json': {} } },
        parameters: [{ name: 'id', in: 'path', required: true }, ...parameters],
      },
    },
  });
  const tool = [...readOperations(readDocument(source)).tools.values()][0];
  expect(tool?.parameters.map(({ name, argument = name }) => [name, argument])).toEqual([
    ['id', 'id'],
    ['id', 'id_query'],
    ['__proto__', 'p_proto'],
    ['$top', 'p_top'],
    ['id[]', 'id_2'],
    ['body', 'body_query'],
    ['中文', 'p_'],
  ]);
});

describe('a large document', () => {
  const operations = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, n) => [
        `/things/${n}/{id}`,
        {
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          get: { operationId: `getThing${n}`, summary: `Gets thing ${n}`, description: 'x'.repeat(4_000) },
          post: {
            operationId: `makeThing${n}`,
            requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
          },
        },
      ]),
    );
  const components = { schemas: { Thing: { type: 'object', properties: { name: { type: 'string' } } } } };

  test('of 1,000 operations and 5 MB is read whole', () => {
    const source = withPaths(operations(500), { components, 'x-more': 'y'.repeat(3_000_000) });
    expect(source.length).toBeGreaterThan(5_000_000);
    const all = listed(source);
    expect(all).toHaveLength(1_000);
    expect(all.filter(({ problem }) => problem !== undefined)).toEqual([]);
  });

  test('has its first operations listed, and says how many are left', () => {
    const { listed: all, left } = readOperations(readDocument(withPaths(operations(2_600), { components })));
    expect([all.length, left]).toEqual([REST_LIMITS.operations, 200]);
  });
});
