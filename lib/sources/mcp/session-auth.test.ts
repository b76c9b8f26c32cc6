import { beforeEach, expect, test } from 'vitest';
import { openHttpSession } from './http-session.ts';
import type { TokenSource } from './session-auth.ts';
import { testMcpServer } from './test/mcp-server.ts';
import { TestOAuthServer } from './test/oauth-server.ts';

const URL = 'https://tools.test/mcp';
const IDLE = { onChange: () => undefined, onClose: () => undefined };
const NO_SIGNAL = { signal: new AbortController().signal };

let guard: TestOAuthServer;
let server: ReturnType<typeof testMcpServer>;
/** The tokens that the server takes. */
let valid: Set<string>;

beforeEach(() => {
  guard = new TestOAuthServer('https://login.test', URL);
  server = testMcpServer();
  valid = new Set(['one']);
});

const open = (tokens?: TokenSource, headers: Record<string, string> = {}) =>
  openHttpSession(
    { url: URL, headers },
    [
      {
        name: 'direct',
        fetch: async (input, init) => {
          const request = new Request(input, init);
          const shown = request.headers.get('authorization') ?? '';
          if (valid.has(shown.replace('Bearer ', ''))) {
            guard.shown.push(shown);
            return server.fetch(request);
          }
          return (await guard.fetch(request)) ?? new Response('');
        },
      },
    ],
    IDLE,
    tokens,
  );

const challenge = { metadataUrl: 'https://tools.test/.well-known/oauth-protected-resource', scope: 'tools' };

test('a server that wants a login says where and for what', async () => {
  await expect(open()).rejects.toMatchObject({ problem: { code: 'needs-login', challenge } });
});

test('each request carries the token, in the place of a key that the person has entered', async () => {
  const { session } = await open(async () => ({ token: 'one' }), { authorization: 'Bearer old' });
  await session.call('add', { a: 1, b: 2 }, NO_SIGNAL);
  expect(new Set(guard.shown)).toEqual(new Set(['Bearer one']));
  await session.close();
});

test('a call that the server refuses is sent once more with another token, and runs once', async () => {
  let token = 'one';
  const refusals: (string | undefined)[] = [];
  const { session } = await open(async (refused) => {
    if (refused !== undefined) {
      refusals.push(refused);
      token = 'two';
    }
    return { token };
  });
  valid = new Set(['two']);
  expect(await session.call('add', { a: 1, b: 2 }, NO_SIGNAL)).toMatchObject({ type: 'output' });
  expect(server.calls).toEqual(['add']);
  expect(refusals).toEqual(['one']);
  await session.close();
});

test('a call that was sent with an earlier token asks for the one after that token', async () => {
  let token = 'one';
  const refusals: (string | undefined)[] = [];
  const { session } = await open(async (refused) => {
    if (refused !== undefined) refusals.push(refused);
    return { token: refused === undefined ? token : 'two' };
  });
  valid = new Set(['two']);
  const first = session.call('add', { a: 1, b: 2 }, NO_SIGNAL);
  const second = session.call('add', { a: 3, b: 4 }, NO_SIGNAL);
  await first;
  token = 'two';
  await second;
  expect(refusals).toEqual(['one', 'one']);
  await session.close();
});

test('a server that refuses every token is asked twice, and no more', async () => {
  let count = 0;
  valid = new Set();
  const tokens: TokenSource = async (refused) => ({ token: refused === undefined ? 'new-0' : `new-${++count}` });
  await expect(open(tokens)).rejects.toMatchObject({ problem: { code: 'needs-login' } });
  expect(guard.shown.length).toBeLessThanOrEqual(4);
});

test('a call that the login does not permit has not run, and says what is missing', async () => {
  const { session } = await open(async () => ({ token: 'one' }));
  valid = new Set();
  guard.answer = (request) =>
    new Response('', {
      status: 403,
      headers: {
        'www-authenticate': `Bearer error="insufficient_scope", scope="write", resource_metadata="${request.url}"`,
      },
    });
  expect(await session.call('add', { a: 1, b: 2 }, NO_SIGNAL)).toMatchObject({
    type: 'failure',
    message: expect.stringMatching(/^Not run\./),
    problem: { code: 'needs-scope', challenge: { scope: 'write' } },
  });
  expect(server.calls).toEqual([]);
  await session.close();
});

test('a login that cannot be renewed now stops the call before it is sent', async () => {
  let isDown = false;
  const { session } = await open(async () =>
    isDown ? { problem: { code: 'login-unavailable', detail: 'Your login could not be renewed.' } } : { token: 'one' },
  );
  const requests = guard.shown.length;
  isDown = true;
  expect(await session.call('add', { a: 1, b: 2 }, NO_SIGNAL)).toMatchObject({
    message: 'Not run. Your login could not be renewed.',
    problem: { code: 'login-unavailable' },
  });
  expect(guard.shown).toHaveLength(requests);
  await session.close();
});
