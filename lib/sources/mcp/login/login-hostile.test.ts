import { expect, test } from 'vitest';
import { create, ISSUER, outcomeOf, SERVER } from '../test/login.ts';
import type { TestOAuthServer } from '../test/oauth-server.ts';
import { loginFetch } from './login-fetch.ts';

/** A response that begins, and never ends. */
const endless = (request: Request) =>
  new Response(
    new ReadableStream({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode('{'));
        request.signal.addEventListener('abort', () => controller.error(request.signal.reason));
      },
    }),
  );
const html = () =>
  new Response('<!doctype html><script>alert(1)</script>', { headers: { 'content-type': 'text/html' } });
const on = (part: string, respond: (request: Request) => Response) => (server: TestOAuthServer) => {
  server.answer = (request) => (request.url.includes(part) ? respond(request) : undefined);
};
const says = (change: Record<string, unknown>) => (server: TestOAuthServer) => Object.assign(server.metadata, change);
const describes = (change: Record<string, unknown>) => (server: TestOAuthServer) =>
  Object.assign(server.resourceMetadata, change);
const issues = (change: Record<string, unknown>) => (server: TestOAuthServer) => Object.assign(server.token, change);

test.each<[string, (server: TestOAuthServer) => unknown, string, RegExp]>([
  ['metadata of another issuer', says({ issuer: 'https://other.test' }), 'untrusted', /other\.test/],
  ['a description of another server', describes({ resource: 'https://bank.test/mcp' }), 'untrusted', /bank\.test/],
  ['a description of another path', describes({ resource: 'https://tools.test/admin' }), 'untrusted', /admin/],
  ['an issuer without encryption', describes({ authorization_servers: ['http://login.test'] }), 'untrusted', /https/],
  [
    'an issuer on this machine',
    describes({ authorization_servers: ['http://localhost:3000'] }),
    'untrusted',
    /localhost/,
  ],
  ['an issuer in this network', describes({ authorization_servers: ['https://192.168.1.1'] }), 'untrusted', /192/],
  [
    'an issuer at a metadata address',
    describes({ authorization_servers: ['https://169.254.169.254'] }),
    'untrusted',
    /169/,
  ],
  ['an issuer that is a script', describes({ authorization_servers: ['javascript:alert(1)'] }), '', /./],
  ['an issuer with a query', describes({ authorization_servers: ['https://login.test/?a=b'] }), 'untrusted', /issuer/],
  ['a login page that is a script', says({ authorization_endpoint: 'javascript:alert(1)' }), '', /./],
  ['a login page without encryption', says({ authorization_endpoint: 'http://login.test/a' }), 'untrusted', /https/],
  ['a login page with a password', says({ authorization_endpoint: 'https://a:b@login.test/a' }), 'untrusted', /can’t/],
  ['tokens from this machine', says({ token_endpoint: 'http://127.0.0.1:9/token' }), 'untrusted', /127/],
  [
    'registration at a metadata address',
    says({ registration_endpoint: 'http://169.254.169.254/' }),
    'untrusted',
    /169/,
  ],
  ['no PKCE', says({ code_challenge_methods_supported: undefined }), 'untrusted', /PKCE/],
  ['only plain PKCE', says({ code_challenge_methods_supported: ['plain'] }), 'untrusted', /PKCE/],
  ['no codes', says({ response_types_supported: ['token'] }), 'failed', /response type/],
  [
    'a flood of permissions',
    describes({ scopes_supported: Array.from({ length: 999 }, (_, n) => `s${n}`) }),
    'untrusted',
    /permissions/,
  ],
  ['a permission with a line break', describes({ scopes_supported: ['a"\u202eb'] }), 'untrusted', /characters/],
  ['metadata as HTML', on('authorization-server', html), 'failed', /protocol/],
  ['no metadata', on('/.well-known/o', () => new Response('', { status: 404 })), 'not-offered', /where/],
  ['enormous metadata', on('authorization-server', () => new Response('x'.repeat(300_000))), 'failed', /bytes/],
  ['registration as HTML', on('/register', html), 'failed', /protocol/],
  ['a refused registration', on('/register', () => Response.json({ error: 'no' }, { status: 403 })), 'refused', /403/],
  [
    'another redirect address',
    (server) => Object.assign(server.registration, { redirect_uris: ['https://evil.test/'] }),
    'untrusted',
    /address/,
  ],
  [
    'a client id that is too long',
    (server) => Object.assign(server.registration, { client_id: 'x'.repeat(9_999) }),
    'failed',
    /name/,
  ],
  ['tokens as HTML', on('/token', html), 'failed', /protocol/],
  ['an error as HTML', on('/token', () => new Response('<h1>Oops</h1>', { status: 502 })), 'refused', /Status 502/],
  ['an enormous answer', on('/token', () => new Response('x'.repeat(300_000))), 'failed', /bytes/],
  ['a token of another type', issues({ token_type: 'DPoP' }), 'failed', /DPoP/],
  ['a token that ends its header', issues({ access_token: 'a\r\nx-evil: 1' }), 'failed', /can’t be sent/],
  ['a token that is too long', issues({ access_token: 'x'.repeat(9_999) }), 'failed', /can’t be sent/],
  ['no token', issues({ access_token: undefined }), 'failed', /protocol/],
])('an authorization server with %s gets nobody logged in', async (_, misbehave, code, detail) => {
  const server = create();
  misbehave(server);
  const { problem } = await outcomeOf(server);
  expect(problem?.detail).toMatch(detail);
  if (code !== '') expect(problem?.code).toBe(code);
  expect(problem).toBeDefined();
});

test.each(['protected-resource', 'authorization-server', '/register', '/token'])(
  'a redirect of %s is not followed',
  async (part) => {
    const server = create();
    const seen: string[] = [];
    server.answer = ({ url }) => {
      seen.push(url);
      return url.includes(part)
        ? new Response(null, { status: 302, headers: { location: 'http://169.254.169.254/latest/meta-data' } })
        : undefined;
    };
    expect((await outcomeOf(server)).problem).toBeDefined();
    expect(seen.filter((url) => url.includes('169.254'))).toEqual([]);
  },
);

test('a server that never ends its answer is given up', async () => {
  const fetch = loginFetch(
    SERVER,
    [{ name: 'relay', fetch: async (input, init) => endless(new Request(input, init)) }],
    20,
  );
  await expect(fetch(`${ISSUER}/token`, { method: 'POST' })).rejects.toMatchObject({
    problem: { code: 'unreachable', detail: expect.stringContaining('0.02 seconds') },
  });
});

test.each([
  ['its own host', SERVER, `${new URL(SERVER).origin}/.well-known/oauth-protected-resource`, 'own'],
  ['a host that it names', SERVER, `${ISSUER}/token`, 'foreign'],
  ['a host that a server in this network names', 'http://localhost:9/mcp', `${ISSUER}/token`, 'own'],
])('a server has no say about this network: %s', async (_, server, url, expected) => {
  const routes: string[] = [];
  const by = (name: string) => async () => {
    routes.push(name);
    return Response.json({});
  };
  await loginFetch(server, [{ name: 'relay', fetch: by('own'), fetchForeign: by('foreign') }])(url);
  expect(routes).toEqual([expected]);
});

/** A query without its code, with an error instead. */
const fails = (error: string) => (query: URLSearchParams) => {
  query.delete('code');
  query.set('error', error);
};

test.each<[string, (query: URLSearchParams) => void, string]>([
  ['another state', (query) => query.set('state', 'forged'), 'untrusted'],
  ['no state', (query) => query.delete('state'), 'untrusted'],
  ['two states', (query) => query.append('state', 'forged'), 'untrusted'],
  ['two codes', (query) => query.append('code', 'forged'), 'untrusted'],
  ['another issuer', (query) => query.set('iss', 'https://evil.test'), 'untrusted'],
  ['no issuer, although it was announced', (query) => query.delete('iss'), 'untrusted'],
  [
    'another issuer, and an error',
    (query) => {
      query.set('iss', 'https://evil.test');
      query.set('error', 'access_denied');
    },
    'untrusted',
  ],
  ['a code that was made up', (query) => query.set('code', 'forged'), 'refused'],
  ['no code', (query) => query.delete('code'), 'failed'],
  ['too much', (query) => query.set('code', 'x'.repeat(20_000)), 'untrusted'],
  ['an error', fails('server_error'), 'refused'],
  ['the person’s no', fails('access_denied'), 'denied'],
])('a person who comes back with %s is not logged in', async (_, change, code) => {
  const server = create();
  const { problem } = await outcomeOf(server, change);
  expect(problem?.code).toBe(code);
  expect(server.forms).toHaveLength(code === 'refused' && problem?.detail.includes('invalid_grant') ? 1 : 0);
});
