import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RelayError } from '#lib/sources/mcp/relay-fetch.ts';
import { contentText } from '#lib/tools/core/content.ts';
import type { EgressRequest } from '#lib/tools/egress/egress.ts';
import { restApiSchema } from './api.ts';
import type { RestTool } from './api-tool.ts';
import { REST_LIMITS } from './limits.ts';
import type { RestOutcome } from './outcome.ts';
import { RestHost } from './rest-host.ts';
import type { RestRoute } from './send.ts';
import { ApiTestServer } from './test/api-server.ts';

const KEY = 'ghp_0123456789abcdef';
const DIRECT: RestRoute = { name: 'direct', fetch };

let server: ApiTestServer;
beforeEach(async () => {
  server = await ApiTestServer.start();
});
afterEach(() => server.stop());

interface Options {
  routes?: readonly RestRoute[];
  host?: RestHost;
  args?: Record<string, unknown>;
  baseUrl?: string;
  callMs?: number;
  id?: string;
  onRequest?: (request: EgressRequest) => void;
}

function call(tool: Partial<RestTool>, { routes = [DIRECT], callMs, args = {}, id = '1', ...rest }: Options = {}) {
  const { host = new RestHost(routes, callMs), baseUrl = server.url, onRequest } = rest;
  const api = restApiSchema.parse({
    name: 'shop',
    baseUrl,
    headers: { Authorization: 'Bearer {{key}}' },
    tools: [{ name: 'a', description: 'A.', method: 'GET', path: '/a', ...tool }],
  });
  return host.call(id, { api, tool: api.tools[0] as RestTool, args, secrets: { key: KEY } }, onRequest);
}

const answers = (
  type: string | undefined,
  body: string | Buffer,
  status = 200,
  headers: Record<string, string> = {},
) => {
  server.answer = (_, response) => {
    response.writeHead(status, { ...(type !== undefined && { 'content-type': type }), ...headers }).end(body);
  };
};

const textOf = (outcome: RestOutcome) => (outcome.type === 'failure' ? outcome.message : contentText(outcome.content));

test('a call sends what the description says, and gets the part of the result that it asks for', async () => {
  answers('application/json; charset=utf-8', '{"data":{"items":[{"id":1}]}}');
  const outcome = await call(
    {
      method: 'POST',
      path: '/a/{id}',
      parameters: [{ name: 'id', in: 'path', schema: true }],
      body: { required: true, schema: true },
      result: 'data.items',
    },
    { args: { id: 'x/y', body: { n: 1 } } },
  );
  expect(outcome).toEqual({ type: 'output', content: [{ type: 'json', value: [{ id: 1 }] }], data: [{ id: 1 }] });
  expect(server.seen).toMatchObject([
    { method: 'POST', url: '/a/x%2Fy', body: '{"n":1}', headers: { authorization: `Bearer ${KEY}` } },
  ]);
});

describe('results', () => {
  test.each([
    ['/data/items/0', '[{"n":1}]', 'all of it follows'],
    ['data.items[1]', '{"data":{"items":[1,2]}}', '2'],
    ['/a~1b', '{"a/b":3}', '3'],
    ['toString', '{}', 'all of it follows'],
    ['__proto__', '{}', 'all of it follows'],
    ['length', '[1]', 'all of it follows'],
  ])('the part at %s of %s', async (result, body, expected) => {
    answers('application/json', body);
    expect(textOf(await call({ result }))).toContain(expected);
  });

  test.each<[string, string | undefined, string | Buffer, RegExp]>([
    ['text', 'text/plain', 'Hello', /^Hello$/],
    ['JSON that is none', 'application/json', '{oops', /^\[The API says that this is JSON, but it is not\]\n\{oops$/],
    ['a page', 'text/html', '<p>Hi</p>', /^<p>Hi<\/p>$/],
    ['text of no type', undefined, 'Hello', /^Hello$/],
    ['bytes of no type', undefined, Buffer.from([0, 1, 255]), /^\[The API answered with 3 bytes of the type unknown/],
    [
      'a file',
      'application/pdf',
      '%PDF-1.7',
      /^\[The API answered with 8 bytes of the type application\/pdf, which cannot be shown\]$/,
    ],
    ['text in another charset', 'text/plain; charset=iso-8859-1', Buffer.from([0xe9]), /^é$/],
    ['text in a charset that nobody knows', 'text/plain; charset=x-no', 'a', /^a$/],
    ['an SVG image, which may have scripts', 'image/svg+xml', '<svg/>', /^<svg\/>$/],
    ['nothing', 'application/json', '', /^\[The API answered 200 OK, without content\]$/],
  ])('%s', async (_, type, body, expected) => {
    answers(type, body);
    expect(textOf(await call({}))).toMatch(expected);
  });

  test('an image is an image', async () => {
    answers('image/png', Buffer.from([1, 2, 3]));
    expect(await call({})).toEqual({
      type: 'output',
      content: [{ type: 'image', mediaType: 'image/png', data: 'AQID' }],
    });
  });

  test('a result that is too long is cut, and says so', async () => {
    answers('text/plain', 'x'.repeat(REST_LIMITS.responseBytes + 10));
    const text = textOf(await call({}));
    expect(text).toContain('[The result was cut after 1000000 characters]');
    answers('application/json', JSON.stringify(Array.from({ length: 300_000 }, (_, n) => n)));
    expect(textOf(await call({}))).toContain('[The result was cut after 1000000 characters]');
  });

  test('a result that is nested too deeply is refused', async () => {
    answers('application/json', `${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    expect(await call({})).toMatchObject({ type: 'failure', message: expect.stringContaining('nested too deeply') });
  });
});

describe('errors', () => {
  test('name the status and what the API says', async () => {
    answers('application/json', '{"message":"No such article"}', 404);
    expect(await call({})).toEqual({
      type: 'failure',
      code: 'failed',
      message: 'The API answered 404 Not Found.\n{"message":"No such article"}',
    });
  });

  test('of HTML are told in words, and say that there may have been effects', async () => {
    answers(
      'text/html',
      `<html><head><title>x</title></head><style>a{}</style><h1>It&nbsp;broke</h1><script>evil()</script><p>Sorry</p></html>`,
      500,
    );
    const message = textOf(await call({ method: 'POST' }));
    expect(message).toMatch(
      /^The API answered 500 Internal Server Error\. The call may have made changes; [^\n]*\nIt&nbsp;broke Sorry$/s,
    );
    expect(textOf(await call({}))).not.toContain('effects');
  });

  test('are cut, and say how long to wait', async () => {
    answers('text/plain', 'x'.repeat(100_000), 429, { 'retry-after': '30' });
    const message = textOf(await call({}));
    expect(message).toContain('It asks to wait 30 seconds.');
    expect(message).toContain('[The rest was cut.]');
    expect(message.length).toBeLessThan(REST_LIMITS.errorText + 200);
  });

  test('of a server that is down say that nothing ran', async () => {
    const { url } = server;
    await server.stop();
    const message = textOf(await call({ method: 'POST' }, { baseUrl: url }));
    server = await ApiTestServer.start();
    expect(message).toMatch(/^Not run\. localhost:\d+ cannot be reached\.$/);
  });

  test('a redirect is not followed, also to a metadata service', async () => {
    answers(undefined, '', 302, { location: 'http://169.254.169.254/latest' });
    expect(textOf(await call({}))).toMatch(
      /^The API redirects to 169\.254\.169\.254, and redirects are not followed\./,
    );
    expect(server.seen).toHaveLength(1);
  });

  test('an answer that never comes, or never ends, is given up', async () => {
    server.answer = () => undefined;
    const late = await call({ method: 'DELETE' }, { callMs: 100 });
    expect(late).toMatchObject({ code: 'timed-out', message: expect.stringContaining('may have made changes') });
    server.answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' }).write('more');
    };
    expect(await call({}, { callMs: 200 })).toMatchObject({
      code: 'timed-out',
      message: 'The API did not answer within 0.2 seconds.',
    });
  });

  test('a body without an end is read up to its limit', async () => {
    server.answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      const chunk = 'y'.repeat(1_000_000);
      const more = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', more);
      more();
    };
    expect(textOf(await call({}))).toContain('[The result was cut');
  });

  test('a call that is stopped says so', async () => {
    const host = new RestHost([DIRECT]);
    const arrived = Promise.withResolvers<void>();
    server.answer = () => arrived.resolve();
    const running = call({ method: 'POST' }, { host });
    await arrived.promise;
    host.cancel('1');
    expect(await running).toMatchObject({
      code: 'aborted',
      message: expect.stringMatching(/^Stopped by the user\. .*changes/),
    });
  });

  test('arguments that no request can be made of are not sent', async () => {
    const parameters: RestTool['parameters'] = [{ name: 'id', in: 'path', schema: true }];
    const outcome = await call({ path: '/a/{id}', parameters }, { args: { id: '..' } });
    expect(textOf(outcome)).toMatch(/^Not run\. id: must not contain/);
    expect(server.seen).toEqual([]);
  });
});

describe('a secret that the API sends back is taken out', () => {
  const echoes: [string, (authorization: string) => [type: string, status: number, body: string | Buffer]][] = [
    ['as JSON', (key) => ['application/json', 200, JSON.stringify({ [key]: [key, { a: `x${key}y` }] })]],
    ['as text', (key) => ['text/plain', 200, `You sent ${key}.`]],
    ['in an error', (key) => ['application/json', 401, JSON.stringify({ message: `Bad key: ${key}` })]],
    ['in an error page', (key) => ['text/html', 500, `<p>${key}</p>`]],
    ['in base64', (key) => ['text/plain', 200, Buffer.from(`token=${key}`).toString('base64')]],
    ['in a URL', (key) => ['text/plain', 400, `https://x.test/?k=${encodeURIComponent(key)}`]],
    [
      'at the end of what is read',
      (key) => ['text/plain', 200, `${'x'.repeat(REST_LIMITS.responseBytes - 20)}${key}tail`],
    ],
    [
      'at the end of an error that is cut',
      (key) => ['text/plain', 400, `${'x'.repeat(REST_LIMITS.errorText - 20)}${key}tail`],
    ],
    ['in an image', (key) => ['image/png', 200, Buffer.from(`a${key}`)]],
  ];
  test.each(echoes)('%s', async (_, echo) => {
    server.answer = ({ headers }, response) => {
      const [type, status, body] = echo(headers.authorization ?? '');
      response.writeHead(status, { 'content-type': type }).end(body);
    };
    const outcome = JSON.stringify(await call({}));
    expect(outcome).not.toMatch(/ghp_|0123456789|abcdef/);
    expect(outcome).not.toContain(Buffer.from('p_0123456789abc').toString('base64').slice(0, 12));
    expect(server.seen[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  test('in the words of its status, and in the address that it redirects to', async () => {
    server.answer = ({ headers }, response) => {
      response.writeHead(418, `No ${headers.authorization}`).end();
    };
    expect(textOf(await call({}))).toBe('The API answered 418 No Bearer [secret].');
    server.answer = (_, response) => {
      response.writeHead(302, { location: `http://${KEY}.test/` }).end();
    };
    expect(textOf(await call({}))).not.toContain('0123456789');
  });
});

describe('the way to an API', () => {
  /** A route to an API that pages may not call: the browser says only that the request failed. */
  const closed = (): RestRoute & { tried: string[] } => {
    const tried: string[] = [];
    return {
      name: 'direct',
      tried,
      fetch: async (_, init) => {
        tried.push(init?.method ?? 'GET');
        throw new TypeError('Failed to fetch');
      },
    };
  };
  const open = (name: RestRoute['name']): RestRoute & { tried: string[] } => {
    const tried: string[] = [];
    return {
      name,
      tried,
      fetch: (input, init) => {
        tried.push(init?.method ?? 'GET');
        return fetch(input, init);
      },
    };
  };

  test('is the first that works, and stays it', async () => {
    const [direct, relay] = [closed(), open('relay')];
    const host = new RestHost([direct, relay]);
    expect((await call({}, { host })).type).toBe('output');
    expect((await call({}, { host })).type).toBe('output');
    expect([direct.tried, relay.tried]).toEqual([['GET'], ['GET', 'GET']]);
  });

  test('is found out before a request with effects, which is sent once', async () => {
    const [direct, relay] = [closed(), open('relay')];
    const host = new RestHost([direct, relay]);
    expect((await call({ method: 'POST' }, { host })).type).toBe('output');
    expect((await call({ method: 'POST' }, { host })).type).toBe('output');
    expect([direct.tried, relay.tried]).toEqual([['HEAD'], ['POST', 'POST']]);
    expect(server.seen.map(({ method }) => method)).toEqual(['POST', 'POST']);
  });

  test('a request with effects that got lost is not sent again, and the next one takes the other way', async () => {
    const direct = open('direct');
    const lossy: RestRoute = {
      name: 'direct',
      fetch: async (input, init) => {
        await direct.fetch(input, init);
        if (init?.method === 'POST') throw new TypeError('Failed to fetch');
        return new Response();
      },
    };
    const relay = open('relay');
    const host = new RestHost([lossy, relay]);
    expect(textOf(await call({ method: 'POST' }, { host }))).toMatch(
      /cannot be reached\. The call may have made changes/,
    );
    expect(server.seen.map(({ method }) => method)).toEqual(['HEAD', 'POST']);
    await call({ method: 'POST' }, { host });
    expect(relay.tried).toEqual(['POST']);
  });
});

describe('the record of requests', () => {
  const recorded = async (tool: Partial<RestTool>, options: Options = {}) => {
    const told: EgressRequest[] = [];
    const outcome = await call(tool, { ...options, onRequest: (request) => told.push(request) });
    // Paths, queries, secrets and contents are not in it.
    expect(JSON.stringify(told)).not.toMatch(/private|ghp_|Bearer/);
    return { told, outcome };
  };
  const here = () => new URL(server.url).host;

  test('has each request of a call, with what was sent and received', async () => {
    answers('application/json', '{"private":1}', 403);
    const { told } = await recorded(
      { method: 'POST', path: '/private', body: { required: true, schema: true } },
      { args: { body: { private: 2 } } },
    );
    expect(told).toEqual([{ host: here(), sent: expect.any(Number), received: 13, status: 403 }]);
    expect(told[0]?.sent).toBeGreaterThan('{"private":2}'.length + KEY.length);
  });

  test('has the address of the API also where the studio’s server sends the request, and the way that failed', async () => {
    answers('application/json', '{}');
    const closed: RestRoute = { name: 'direct', fetch: () => Promise.reject(new TypeError(`${KEY} is private`)) };
    const { told } = await recorded({}, { routes: [closed, { name: 'relay', fetch }] });
    expect(told).toMatchObject([
      { host: here(), received: 0, refused: 'No response could be read.' },
      { host: here(), received: 2, status: 200 },
    ]);
    const probed = await recorded({ method: 'POST', path: '/a' }, { routes: [DIRECT, { name: 'relay', fetch }] });
    expect(server.seen.slice(1).map(({ method }) => method)).toEqual(['HEAD', 'POST']);
    expect(probed.told).toMatchObject([
      { received: 0, status: 200 },
      { received: 2, status: 200 },
    ]);
  });

  test('has what the studio’s server refuses to send, as not sent', async () => {
    const error = new RelayError('address-refused', 'The studio never calls 169.254.169.254.');
    const refusing: RestRoute = { name: 'relay', fetch: () => Promise.reject(error) };
    const { told, outcome } = await recorded({}, { routes: [refusing], baseUrl: 'https://169.254.169.254' });
    expect(told).toEqual([{ host: '169.254.169.254', sent: 0, received: 0, refused: error.message }]);
    expect(textOf(outcome)).toContain('Not run.');
  });

  test('has nothing of a call that no request can be made of', async () => {
    const { told, outcome } = await recorded({
      path: '/a/{id}',
      parameters: [{ name: 'id', in: 'path', schema: true }],
    });
    expect(textOf(outcome)).toContain('Not run.');
    expect(told).toEqual([]);
  });
});
