import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type Environment, readServerEnv } from '#config/env.ts';
import { NAMED_CONTENTS_HEADER } from '#lib/wire/contents.ts';
import { problemDetailsSchema } from '#lib/wire/problem.ts';
import { createLog } from '#log/log.ts';
import { guarded, readJson } from './guard.ts';
import { HttpProblem } from './problem.ts';
import { SentTexts } from './sent-texts.ts';

interface Ask {
  method?: string;
  headers?: Record<string, string>;
  body?: RequestInit['body'];
  env?: Environment;
  handle?: (request: Request) => Promise<Response>;
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** Sends a request through the guard; returns the response, its problem, and the log lines. */
async function ask({ method = 'GET', headers = {}, body, env = {}, handle }: Ask = {}) {
  const lines: string[] = [];
  let handled = false;
  const handler = guarded(
    async () => ({ env: readServerEnv(env), log: createLog('debug', (line) => lines.push(line)) }),
    async (request) => {
      handled = true;
      return handle === undefined ? new Response('fine') : handle(request);
    },
  );
  const request = new Request('http://localhost:3000/api/x?q=1', {
    method,
    headers: { host: 'localhost:3000', ...headers },
    ...(body === undefined ? {} : { body, duplex: 'half' as const }),
  });
  const response = await handler(request, undefined);
  const problem = response.headers.get('content-type')?.startsWith('application/problem+json')
    ? problemDetailsSchema.parse(await response.clone().json())
    : undefined;
  return { status: response.status, code: problem?.code, problem, response, handled, log: lines.join('') };
}

describe('the host', () => {
  test.each(['localhost:3000', 'LOCALHOST', '127.0.0.1:3000', '127.0.0.1', '[::1]:3000'])(
    '%s is this machine',
    async (host) => {
      expect(await ask({ headers: { host } })).toMatchObject({ status: 200, handled: true });
    },
  );

  test.each([
    'evil.example:3000',
    'localhost.evil.example',
    'evil.example#localhost',
    '192.168.1.5:3000',
    'frame.localhost:3000',
    '',
    'a b',
  ])('%j is not, and is rejected: a page may have pointed its own domain here', async (host) => {
    const answer = await ask({ headers: { host } });
    expect(answer).toMatchObject({ status: 403, code: 'unknown-host', handled: false });
    expect(answer.log).toContain('"code":"unknown-host"');
  });

  test('configured host names are accepted', async () => {
    const env = { ALLOWED_HOSTS: 'studio.lan, Box.Local,' };
    expect((await ask({ headers: { host: 'studio.lan' }, env })).status).toBe(200);
    expect((await ask({ headers: { host: 'box.local:8080' }, env })).status).toBe(200);
    expect((await ask({ headers: { host: 'other.lan' }, env })).status).toBe(403);
    expect((await ask({ headers: { host: '' }, env })).status).toBe(403);
  });

  test('a server open to the network accepts its own name and IP addresses, and no other name', async () => {
    expect((await ask({ headers: { host: 'box:3000' }, env: { HOST: 'box' } })).status).toBe(200);
    expect((await ask({ headers: { host: '192.168.1.5:3000' }, env: { HOST: '0.0.0.0' } })).status).toBe(200);
    expect((await ask({ headers: { host: '[fe80::1]:3000' }, env: { HOST: '::' } })).status).toBe(200);
    expect((await ask({ headers: { host: 'evil.example' }, env: { HOST: '0.0.0.0' } })).status).toBe(403);
  });
});

describe('the page that a request comes from', () => {
  test.each<Record<string, string>>([
    {},
    { origin: 'http://localhost:3000' },
    { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
  ])('%j is one of our pages, or none', async (headers) => {
    expect((await ask({ headers })).status).toBe(200);
  });

  test.each<Record<string, string>>([
    { origin: 'http://evil.example' },
    { origin: 'http://localhost:8080' },
    { origin: 'http://frame.localhost:3000' },
    { origin: 'null' },
    { origin: '' },
    { origin: 'localhost:3000' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'http://localhost:3000', 'sec-fetch-site': 'cross-site' },
  ])('%j is not, and is rejected even for reading', async (headers) => {
    expect(await ask({ headers })).toMatchObject({ status: 403, code: 'foreign-origin', handled: false });
  });
});

describe('the content type', () => {
  test.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON'])('%s is JSON', async (type) => {
    expect((await ask({ method: 'POST', headers: { 'content-type': type }, body: '{}' })).status).toBe(200);
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/json',
    'application/jsonp',
  ])('%s, which any page may send without a preflight, is rejected', async (type) => {
    const answer = await ask({ method: 'POST', headers: { 'content-type': type }, body: '{}' });
    expect(answer).toMatchObject({ status: 415, code: 'not-json', handled: false });
  });

  test.each(['POST', 'PUT', 'PATCH'])('%s without one is rejected', async (method) => {
    expect((await ask({ method })).status).toBe(415);
  });

  test.each(['GET', 'DELETE'])('%s needs none', async (method) => {
    expect((await ask({ method })).status).toBe(200);
  });
});

describe('the body', () => {
  const schema = z.strictObject({ name: z.string(), list: z.array(z.object({ size: z.number() })).default([]) });
  const post = (body: RequestInit['body'], headers: Record<string, string> = {}, maxBytes = 200) =>
    ask({
      method: 'POST',
      headers: { ...JSON_TYPE, ...headers },
      body,
      handle: async (request) => Response.json(await readJson(request, schema, maxBytes)),
    });

  test('is read and validated, however it is split', async () => {
    const bytes = new TextEncoder().encode('{"name":"Grüße 你好 😀"}');
    const pieces = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    const { response } = await post(pieces);
    expect(await response.json()).toEqual({ name: 'Grüße 你好 😀', list: [] });
  });

  test('[R8] keeps fields that look like object internals as data', async () => {
    let read: unknown;
    await ask({
      method: 'POST',
      headers: JSON_TYPE,
      body: '{"data":{"__proto__":{"polluted":true},"lc":1}}',
      handle: async (request) => {
        read = await readJson(request, z.object({ data: z.unknown() }), 200);
        return new Response();
      },
    });
    expect(JSON.stringify(read)).toBe('{"data":{"__proto__":{"polluted":true},"lc":1}}');
  });

  test.each(['', '{', 'name=x', '{"name":"x"} trailing', '\u0000'])('%j is not JSON', async (body) => {
    expect(await post(body)).toMatchObject({ status: 400, code: 'not-json' });
  });

  test('an empty one is an error, not a hang', async () => {
    const handle = async (request: Request) => Response.json(await readJson(request, schema, 200));
    expect(await ask({ method: 'POST', headers: JSON_TYPE, handle })).toMatchObject({ status: 400, code: 'not-json' });
  });

  test.each([
    ['{}', 'name: '],
    ['{"name":1}', 'name: '],
    ['{"name":"x","list":[{"size":1},{"size":"2"}]}', 'list[1].size: '],
    ['{"name":"x","more":1}', '(body): '],
    ['[]', '(body): '],
    ['null', '(body): '],
  ])('%s is rejected with the name of the field', async (body, field) => {
    const { status, code, problem } = await post(body);
    expect([status, code]).toEqual([400, 'invalid-body']);
    expect(problem?.detail).toContain(field);
  });

  test('an endless list of errors is truncated', async () => {
    const many = JSON.stringify({ name: 'x', list: Array.from({ length: 1_000 }, () => ({ size: 'x' })) });
    expect((await post(many, {}, 100_000)).problem?.detail.length).toBeLessThan(1_000);
  });

  test('that declares a size that is too large is not read', async () => {
    let read = false;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          read = true;
          controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    const answer = await post(body, { 'content-length': '201' });
    expect(answer).toMatchObject({ status: 413, code: 'too-large' });
    expect(answer.problem?.detail).toContain('larger than 200 bytes');
    expect(answer.problem?.detail).toContain('REQUEST_MAX_BYTES');
    expect(read).toBe(false);
  });

  test.each<Record<string, string>>([{}, { 'content-length': '10' }, { 'content-length': 'x' }])(
    'that turns out too large is not read to its end, whatever size it declared (%j)',
    async (headers) => {
      let sent = 0;
      let cancelled = false;
      const endless = new ReadableStream<Uint8Array>({
        pull(controller) {
          sent += 100;
          controller.enqueue(new Uint8Array(100).fill(0x20));
        },
        cancel() {
          cancelled = true;
        },
      });
      expect(await post(endless, headers)).toMatchObject({ status: 413, code: 'too-large' });
      expect(cancelled).toBe(true);
      expect(sent).toBeLessThan(1_000);
    },
  );

  test('of exactly the maximum size is read', async () => {
    const body = JSON.stringify({ name: 'x'.repeat(200 - '{"name":""}'.length) });
    expect((await post(body, { 'content-length': '200' })).status).toBe(200);
  });
});

describe('what a handler throws', () => {
  const failWith = (error: unknown) => ask({ handle: () => Promise.reject(error) });

  test('a problem is returned as problem details', async () => {
    const { response, problem } = await failWith(new HttpProblem(409, 'run-active', 'Wait for it.'));
    expect(response.status).toBe(409);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(problem).toEqual({
      type: 'about:blank',
      title: 'Conflict',
      status: 409,
      detail: 'Wait for it.',
      code: 'run-active',
    });
  });

  test('a problem that only asks for something is no error for who knows what it is', async () => {
    const needed = new HttpProblem(409, 'catalogue-needed', 'Send it.', ['a']);
    const askWith = (accept: string, problem = needed) =>
      ask({ headers: { accept }, handle: () => Promise.reject(problem) });
    const accept = 'application/problem+json, */*';
    expect(await askWith(accept)).toMatchObject({ status: 200, problem: { status: 409, missing: ['a'] } });
    expect(await askWith('*/*')).toMatchObject({ status: 409, code: 'catalogue-needed' });
    expect(await askWith(accept, new HttpProblem(409, 'run-active', 'Wait.'))).toMatchObject({ status: 409 });
  });

  test.each([
    ['an error', new Error('ENOENT: /home/someone/.data')],
    ['a text', 'ENOENT: /home/someone/.data'],
    ['nothing', undefined],
  ])('[R18] %s reveals no internals; the log has them', async (_, error) => {
    const { status, code, response, log } = await failWith(error);
    expect([status, code]).toEqual([500, 'internal']);
    expect(await response.text()).not.toMatch(/ENOENT|someone|guard|at /);
    expect(JSON.parse(log)).toMatchObject({ level: 'error', msg: 'request failed', path: '/api/x' });
    if (error !== undefined) expect(log).toContain('ENOENT');
  });

  test('a database that is away is no failure: the browser sends the request again', async () => {
    const away = Object.assign(new Error('connect ECONNREFUSED 10.0.0.5:5432'), { code: 'ECONNREFUSED' });
    const { status, code, problem, log } = await failWith(away);
    expect([status, code]).toEqual([503, 'database-away']);
    expect(problem?.detail).not.toContain('10.0.0.5');
    expect(JSON.parse(log)).toMatchObject({ level: 'warn', msg: 'database away' });
  });

  test('services that fail to open give a response as well, and the next request tries again', async () => {
    let tries = 0;
    const handler = guarded(
      async () => {
        if (++tries === 1) throw new Error('the database is starting');
        return { env: readServerEnv({}), log: createLog('silent') };
      },
      async () => new Response('fine'),
    );
    const request = () => new Request('http://localhost/api/x', { headers: { host: 'localhost' } });
    expect((await handler(request(), undefined)).status).toBe(500);
    expect((await handler(request(), undefined)).status).toBe(200);
  });
});

describe('the id of a request', () => {
  const fail = async () => {
    throw new HttpProblem(409, 'odd', 'No.');
  };

  test('is the proxy’s, in the response and in the log', async () => {
    const { response, log } = await ask({ headers: { 'x-request-id': 'from-proxy:1' }, handle: fail });
    expect(response.headers.get('x-request-id')).toBe('from-proxy:1');
    expect(JSON.parse(log)).toMatchObject({ msg: 'request refused', requestId: 'from-proxy:1' });
  });

  test.each([
    ['there is none', {}],
    ['the proxy’s is too long', { 'x-request-id': 'x'.repeat(65) }],
    ['the proxy’s is not plain', { 'x-request-id': '"},{"' }],
  ])('is new if %s', async (_, headers) => {
    const { response, log } = await ask({ headers, handle: fail });
    const id = response.headers.get('x-request-id');
    expect(id).toMatch(/^[\da-f-]{36}$/);
    expect(JSON.parse(log)).toMatchObject({ requestId: id });
  });
});

describe('references to texts', () => {
  const post = (body: unknown, headers: Record<string, string> = {}) => {
    const request = new Request('http://localhost/x', { method: 'POST', headers, body: JSON.stringify(body) });
    return readJson(request, z.unknown(), 10_000, new SentTexts(10_000));
  };

  test.each([{ $content: 'abc' }, { $content: 5, kept: 1 }, [{ $content: null, $object: { a: 1 } }]])(
    'in a body that contains none, %j is a value like any other',
    async (value) => {
      expect(await post({ input: value })).toEqual({ input: value });
    },
  );

  test('in a body that contains some, those that are missing are named', async () => {
    await expect(post({ text: { $content: 'abc' } }, { [NAMED_CONTENTS_HEADER]: '1' })).rejects.toMatchObject({
      status: 409,
      code: 'contents-needed',
    });
  });
});
