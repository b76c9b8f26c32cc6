import { afterEach, describe, expect, test } from 'vitest';
import { readServerEnv } from '#config/env.ts';
import { StepError } from '#lib/agent/problems.ts';
import { type LocalServer, sendJson, startLocalServer } from '#server/test/local-server.ts';
import { baseUrlCandidates } from './base-url-candidates.ts';
import { PersonalModels } from './personal.ts';

const KEY = 'sk-canary-0123456789';

let server: LocalServer | undefined;

afterEach(async () => {
  await server?.stop();
  server = undefined;
});

const open = (env: Record<string, string> = {}) => new PersonalModels(readServerEnv(env));

const problemOf = async (act: () => unknown): Promise<{ code: string; detail: string }> => {
  try {
    await act();
  } catch (error) {
    if (error instanceof StepError) return error.problem;
    throw error;
  }
  throw new Error('there was no problem');
};

/** A server with an API at `/v1`, and web pages everywhere else. */
async function serve(models: unknown = { data: [{ id: 'a' }, { id: 'b' }] }, status = 200): Promise<LocalServer> {
  server = await startLocalServer(({ path }, response) => {
    if (path === '/v1/models') return sendJson(response, status, models);
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><p>Welcome</p>');
  });
  return server;
}

describe('an address as people type it', () => {
  test.each([
    ['https://api.example.com/v1', ['https://api.example.com/v1']],
    ['https://api.example.com/v1/', ['https://api.example.com/v1']],
    ['https://api.example.com', ['https://api.example.com', 'https://api.example.com/v1']],
    ['api.example.com', ['https://api.example.com', 'https://api.example.com/v1']],
    ['https://api.example.com/v1/chat/completions', ['https://api.example.com/v1']],
    ['https://api.example.com/v1/models?key=1#x', ['https://api.example.com/v1']],
    [
      'http://localhost:11434/api/chat/v1',
      ['http://localhost:11434/api/chat/v1', 'https://localhost:11434/api/chat/v1'],
    ],
    ['localhost:1234/v1', ['http://localhost:1234/v1', 'https://localhost:1234/v1']],
    ['https://localhost:1234/v1', ['https://localhost:1234/v1', 'http://localhost:1234/v1']],
    ['https://127.0.0.1:1234/v1', ['https://127.0.0.1:1234/v1', 'http://127.0.0.1:1234/v1']],
    ['https://[::1]:1234/v1', ['https://[::1]:1234/v1', 'http://[::1]:1234/v1']],
    ['https://192.168.1.5:8080/v1', ['https://192.168.1.5:8080/v1']],
    ['https://localhost.example.com/v1', ['https://localhost.example.com/v1']],
    [
      '192.168.1.5:8080/api/chat',
      [
        ...['http://192.168.1.5:8080', 'http://192.168.1.5:8080/v1'],
        ...['https://192.168.1.5:8080', 'https://192.168.1.5:8080/v1'],
      ],
    ],
    ['gpu-box:8000/v1', ['http://gpu-box:8000/v1', 'https://gpu-box:8000/v1']],
    ['http://api.example.com/v1', ['http://api.example.com/v1', 'https://api.example.com/v1']],
    ['https://x.example/openai/v1beta', ['https://x.example/openai/v1beta']],
    ['ftp://example.com', []],
    ['not an address', []],
  ])('%s', (typed, meant) => {
    expect(baseUrlCandidates(typed)).toEqual(meant);
  });
});

describe('connecting', () => {
  test('finds the API below the address, and says where', async () => {
    const { url, requests } = await serve();
    expect(await open().list({ provider: 'local', baseURL: ` ${url}/ ` }, KEY)).toEqual({
      baseURL: `${url}/v1`,
      models: [{ model: 'a' }, { model: 'b' }],
    });
    expect(requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['/models', `Bearer ${KEY}`],
      ['/v1/models', `Bearer ${KEY}`],
    ]);
  });

  test('lists thousands of models', async () => {
    const { url } = await serve({ data: Array.from({ length: 3_000 }, (_, index) => ({ id: `m${index}` })) });
    expect((await open().list({ provider: 'local', baseURL: url }, undefined)).models).toHaveLength(3_000);
  });

  test('[R18] a refused key is said at once, and the key that the endpoint repeats is not', async () => {
    const { url, requests } = await serve({ error: { message: `Incorrect API key: ${KEY}` } }, 401);
    const problem = await problemOf(() => open().list({ provider: 'openai', baseURL: `${url}/v1` }, KEY));
    expect(problem.code).toBe('key-refused');
    expect(JSON.stringify(problem)).not.toContain(KEY);
    expect(requests).toHaveLength(1);
  });

  test.each([
    [401, 'Missing bearer token', undefined, 'key-required'],
    [403, 'Forbidden', KEY, 'key-refused'],
    [400, 'API key not valid. Please pass a valid API key.', KEY, 'key-refused'],
    [500, 'Out of memory', KEY, 'endpoint-error'],
    [404, 'Not found', KEY, 'not-a-list'],
    [402, 'Insufficient credits', KEY, 'no-credit'],
    [408, 'Request timeout', KEY, 'endpoint-timeout'],
    [451, 'Unavailable', KEY, 'access-refused'],
    [403, 'Country, region, or territory not supported', KEY, 'access-refused'],
    [400, 'User location is not supported for the API use.', KEY, 'access-refused'],
    [429, 'Slow down', KEY, 'rate-limited'],
  ])('[R18] %s (“%s”) with the key %s is %s, in the endpoint’s words', async (status, message, key, code) => {
    const { url } = await serve({ error: { message: `${message} ${key}` } }, status);
    const problem = await problemOf(() => open().list({ provider: 'local', baseURL: `${url}/v1` }, key));
    expect(problem.code).toBe(code);
    expect(problem.detail).toContain(`${message} ${key === undefined ? key : '[redacted]'}`);
    expect(problem.detail).not.toContain(KEY);
  });

  test('[R18] a key is not repeated in parts, wherever a long message is cut', async () => {
    for (let length = 230; length < 320; length += 7) {
      const problem = await problemOf(async () => {
        const { url } = await serve({ error: { message: `${'x'.repeat(length)} ${KEY}` } }, 400);
        return open().list({ provider: 'local', baseURL: `${url}/v1` }, KEY);
      });
      await server?.stop();
      expect(problem.detail).not.toContain(KEY.slice(0, 6));
    }
  });

  test('https where http is spoken on this machine is corrected', async () => {
    const { url } = await serve();
    expect(await open().list({ provider: 'local', baseURL: `${url.replace('http', 'https')}/v1` }, KEY)).toMatchObject({
      baseURL: `${url}/v1`,
    });
  });

  test('an address at which nobody answers is asked once', async () => {
    server = await startLocalServer((_, response) => void response.destroy());
    const { url, requests } = server;
    await problemOf(() => open().list({ provider: 'local', baseURL: url }, KEY));
    expect(requests).toHaveLength(1);
  });

  test('a web page is no API', async () => {
    server = await startLocalServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>');
    });
    const { url } = server;
    expect(await problemOf(() => open().list({ provider: 'local', baseURL: url }, KEY))).toMatchObject({
      code: 'not-an-api',
    });
  });

  test('what cannot be an address, a key or a provider is refused without a request', async () => {
    const { list, ...personal } = { ...open(), list: open().list.bind(open()) };
    expect(personal).toBeDefined();
    expect(await problemOf(() => list({ provider: 'local', baseURL: 'not an address' }, KEY))).toMatchObject({
      code: 'invalid-address',
    });
    expect(await problemOf(() => list({ provider: 'local' }, KEY))).toMatchObject({ code: 'invalid-address' });
    expect(await problemOf(() => list({ provider: 'nobody' }, KEY))).toMatchObject({ code: 'invalid-connection' });
    expect(await problemOf(() => list({ provider: 'demo' }, KEY))).toMatchObject({ code: 'invalid-connection' });
    const wrong = await problemOf(() => list({ provider: 'openai' }, 'a key with spaces'));
    expect(wrong).toMatchObject({ code: 'invalid-key' });
    expect(wrong.detail).not.toContain('spaces');
  });
});

describe('a model of a connection', () => {
  const model = { provider: 'local', model: 'a', baseURL: 'http://127.0.0.1:8080/v1', toolCalling: 'auto' } as const;

  test('has the id by which the browser knows it, and the key of the request only', () => {
    process.env.LOCAL_API_KEY = 'server-key';
    try {
      expect(open().resolve('c1/a', model, undefined)).toMatchObject({
        model: { id: 'c1/a', name: 'a' },
        apiKey: undefined,
      });
      expect(open().resolve('c1/a', model, KEY).apiKey).toBe(KEY);
    } finally {
      delete process.env.LOCAL_API_KEY;
    }
  });

  test('is refused where the operator does not want it', async () => {
    expect(await problemOf(() => open({ PERSONAL_KEYS: 'false' }).resolve('x', model, KEY))).toMatchObject({
      code: 'personal-keys-off',
    });
    const restricted = open({ PERSONAL_BASE_URLS: 'https://api.openai.com/v1, https://llm.example/api' });
    expect(await problemOf(() => restricted.resolve('x', model, KEY))).toMatchObject({ code: 'address-refused' });
    const at = (baseURL: string) => restricted.resolve('x', { ...model, baseURL }, KEY);
    expect(at('https://llm.example/api/v1').model.baseURL).toBe('https://llm.example/api/v1');
    for (const other of ['https://llm.example/apix', 'https://llm.example.evil/api', 'http://llm.example/api'])
      expect(await problemOf(() => at(other))).toMatchObject({ code: 'address-refused' });
    expect(restricted.resolve('x', { ...model, provider: 'openai', baseURL: undefined }, KEY).model.id).toBe('x');
  });

  test('[R18] goes to the address that was checked, whatever the operator’s variables say', () => {
    process.env.OPENAI_BASE_URL = 'http://127.0.0.1:1/gateway';
    try {
      const { model: resolved } = open().resolve(
        'c1/gpt',
        { provider: 'openai', model: 'gpt', toolCalling: 'auto' },
        KEY,
      );
      expect(resolved.baseURL).toBe('https://api.openai.com/v1');
    } finally {
      delete process.env.OPENAI_BASE_URL;
    }
  });

  test.each(['a/../../admin', '../admin', 'a?x=', 'a#', 'a\\b', 'a b', '%2e%2e/x', ''])(
    'has a name that leads nowhere else: “%s” is refused',
    async (name) => {
      const google = { ...model, provider: 'google', model: name };
      expect(await problemOf(() => open().resolve('x', google, KEY))).toMatchObject({ code: 'invalid-connection' });
    },
  );

  test('is not in the network of a studio that answers to other names, as behind a proxy', async () => {
    const { url } = await serve();
    const hosted = open({ HOST: 'localhost', ALLOWED_HOSTS: 'studio.example.com' });
    expect(await problemOf(() => hosted.list({ provider: 'local', baseURL: `${url}/v1` }, KEY))).toMatchObject({
      code: 'address-refused',
      detail: expect.not.stringContaining('at 127.0.0.1'),
    });
    const own = open({ HOST: '127.0.0.1', ALLOWED_HOSTS: 'localhost' });
    expect((await own.list({ provider: 'local', baseURL: `${url}/v1` }, KEY)).models).toHaveLength(2);
  });

  test('may be below the one address that is allowed, if /v1 leads there', async () => {
    const { url } = await serve();
    const restricted = open({ PERSONAL_BASE_URLS: `${url}/v1` });
    expect((await restricted.list({ provider: 'local', baseURL: url }, KEY)).baseURL).toBe(`${url}/v1`);
  });

  test('must be one that could be called', async () => {
    for (const wrong of [
      { ...model, protocol: { codec: 'morse' } },
      { ...model, provider: 'nobody' },
      { provider: 'local', model: 'a', toolCalling: 'auto' as const },
    ])
      expect(await problemOf(() => open().resolve('x', wrong, KEY))).toMatchObject({ code: 'invalid-connection' });
  });
});
