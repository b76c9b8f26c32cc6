import { expect, test } from 'vitest';
import type { HttpRoute } from '../http-session.ts';
import { TestOAuthServer } from '../test/oauth-server.ts';
import { LOGIN_LIMITS } from './limits.ts';
import { Login, type LoginRequest } from './login.ts';
import { LoginHost } from './login-host.ts';
import { loginErrorOf } from './tokens.ts';

const ISSUER = 'https://login.test/tenant';
const SERVER = 'https://tools.test/mcp';
const ORIGIN = 'https://studio.test';
const REQUEST: LoginRequest = { serverUrl: SERVER, origin: ORIGIN, challenge: {} };

const create = (issuer = ISSUER, resource = SERVER) => new TestOAuthServer(issuer, resource);

const routesTo = (server: TestOAuthServer): HttpRoute[] => [
  {
    name: 'direct',
    fetch: async (input, init) => {
      // A request of a browser fails if it was answered by a redirect that it must not follow.
      const response = (await server.fetch(new Request(input, init))) ?? new Response('');
      if (response.status >= 300 && response.status < 400) throw new TypeError('Failed to fetch');
      return response;
    },
  },
];

/** A login until the person goes to log in. */
async function begin(server: TestOAuthServer, request: Partial<LoginRequest> = {}, now?: () => number) {
  const login = new Login({ ...REQUEST, serverUrl: server.resource, ...request }, routesTo(server), now);
  const issuer = await login.find();
  return { login, issuer, start: await login.start(undefined) };
}

const queryOf = (redirect: string): string => new URL(redirect).search.slice(1);

/** What comes of a login: the problem, or what is stored. */
async function outcomeOf(server: TestOAuthServer, change: (query: URLSearchParams) => void = () => undefined) {
  try {
    const { login, start } = await begin(server);
    const query = new URLSearchParams(queryOf(server.redirectOf(start.url)));
    change(query);
    return { stored: await login.finish(query.toString()) };
  } catch (error) {
    return { problem: loginErrorOf(error).problem };
  }
}

test('a login asks with PKCE, a state, and for what the token is, and ends with tokens', async () => {
  const server = create();
  const { login, issuer, start } = await begin(server);
  expect(issuer).toBe(ISSUER);
  const query = new URL(start.url).searchParams;
  expect(Object.fromEntries(query)).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    resource: SERVER,
    scope: 'tools',
    redirect_uri: `${ORIGIN}/oauth/callback`,
    state: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  const stored = await login.finish(queryOf(server.redirectOf(start.url)));
  expect(stored).toMatchObject({
    issuer: ISSUER,
    resource: SERVER,
    scope: 'tools',
    client: { id: query.get('client_id') },
  });
  expect(stored.accessToken).toMatch(/^access-/);
  expect(stored.refreshToken).toMatch(/^refresh-/);
  expect(server.forms).toMatchObject([{ grant_type: 'authorization_code', resource: SERVER }]);
});

test('two logins have nothing in common', async () => {
  const [one, other] = [await begin(create()), await begin(create())];
  for (const name of ['state', 'code_challenge'])
    expect(new URL(one.start.url).searchParams.get(name)).not.toBe(new URL(other.start.url).searchParams.get(name));
});

test.each([
  [
    'its own description, where the authorization server reads those',
    true,
    'https://studio.test',
    `${ORIGIN}/oauth/client-metadata.json`,
  ],
  ['a registration, where it does not', undefined, 'https://studio.test', /^client-/],
  ['a registration, where nobody else can read the description', true, 'https://localhost', /^client-/],
  ['a registration, where the description would not be encrypted', true, 'http://studio.test', /^client-/],
])('the studio is known by %s', async (_, isSupported, origin, id) => {
  const server = create();
  server.metadata.client_id_metadata_document_supported = isSupported;
  const { start } = await begin(server, { origin });
  expect(start.client.id).toEqual(typeof id === 'string' ? id : expect.stringMatching(id));
  expect(server.requests.filter((one) => one === 'POST /tenant/register')).toHaveLength(typeof id === 'string' ? 0 : 1);
});

test('a known client is used again, unless its secret ends soon', async () => {
  const server = create();
  const login = new Login(REQUEST, routesTo(server));
  await login.find();
  expect((await login.start({ id: 'mine' })).client).toEqual({ id: 'mine' });
  expect((await login.start({ id: 'mine', secret: 's', endsAt: Date.now() })).client.id).toMatch(/^client-/);
});

test('a server that registers nobody asks for a client id', async () => {
  const server = create();
  server.metadata.registration_endpoint = undefined;
  const login = new Login(REQUEST, routesTo(server));
  await login.find();
  await expect(login.start(undefined)).rejects.toMatchObject({ problem: { code: 'needs-client' } });
  expect((await login.start({ id: 'typed', isTyped: true })).url).toContain('client_id=typed');
});

test('permissions that were given before are asked for again with those that are missing', async () => {
  const { start } = await begin(create(), { scope: 'tools read', challenge: { scope: 'read write' } });
  expect(start.scopes).toEqual(['tools', 'read', 'write']);
});

test('a server without a description of its own has its authorization server at its own address', async () => {
  const server = create('https://tools.test');
  server.answer = ({ url }) => (url.includes('protected-resource') ? new Response('', { status: 404 }) : undefined);
  const { start } = await begin(server);
  expect(new URL(start.url).searchParams.get('resource')).toBe(SERVER);
});

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
  ['a token that ends its header', issues({ access_token: 'a\r\nx-evil: 1' }), 'failed', /carry/],
  ['a token that is too long', issues({ access_token: 'x'.repeat(9_999) }), 'failed', /carry/],
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
  const { loginFetch } = await import('./login-fetch.ts');
  const fetch = loginFetch(
    SERVER,
    [{ name: 'relay', fetch: async (input, init) => endless(new Request(input, init)) }],
    20,
  );
  await expect(fetch(`${ISSUER}/token`, { method: 'POST' })).rejects.toMatchObject({
    problem: { code: 'unreachable', detail: expect.stringContaining('0.02 seconds') },
  });
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

test('an issuer that does not announce it may leave itself out, but not name another', async () => {
  const server = create();
  server.metadata.authorization_response_iss_parameter_supported = false;
  expect((await outcomeOf(server, (query) => query.delete('iss'))).stored).toBeDefined();
  expect((await outcomeOf(server, (query) => query.set('iss', 'https://evil.test'))).problem?.code).toBe('untrusted');
});

test('what a person comes back with is used once, and a forged answer uses nothing up', async () => {
  const server = create();
  const { login, start } = await begin(server);
  const query = queryOf(server.redirectOf(start.url));
  await expect(login.finish('code=evil&state=evil')).rejects.toMatchObject({ problem: { code: 'untrusted' } });
  await login.finish(query);
  await expect(login.finish(query)).rejects.toMatchObject({ problem: { code: 'expired' } });
  expect(server.forms).toHaveLength(1);
});

test('a login that takes too long is none', async () => {
  const server = create();
  let now = 0;
  const { login, start } = await begin(server, {}, () => now);
  now = LOGIN_LIMITS.loginMs + 1;
  await expect(login.finish(queryOf(server.redirectOf(start.url)))).rejects.toMatchObject({
    problem: { code: 'expired' },
  });
  expect(server.forms).toEqual([]);
});

test.each<[unknown, number | undefined]>([
  [undefined, undefined],
  [-5, undefined],
  [0, undefined],
  [100, 90_000],
  [1e300, LOGIN_LIMITS.lifetimeMs * LOGIN_LIMITS.renewAfter],
])('a token that says it is valid for %s seconds is renewed at its time', async (expires_in, renewAfter) => {
  const server = create();
  server.token.expires_in = expires_in;
  const { stored } = await outcomeOf(server);
  expect(stored).toBeDefined();
  const { issuedAt = 0, renewAt } = stored ?? {};
  expect(renewAt === undefined ? undefined : renewAt - issuedAt).toBe(renewAfter);
});

test('a form goes to a server that the page may not call only through the relay, and once', async () => {
  const server = create();
  const forms: string[] = [];
  const routes: HttpRoute[] = [
    {
      name: 'direct',
      fetch: async (input, init) => {
        const request = new Request(input, init);
        if (!request.url.endsWith('/token')) return (await server.fetch(request)) ?? new Response('');
        // The browser sends it, and does not let the page read the answer.
        const form = await request.clone().text();
        if (form !== '') forms.push(form);
        await server.fetch(request);
        throw new TypeError('Failed to fetch');
      },
    },
    { name: 'relay', fetch: async (input, init) => (await server.fetch(new Request(input, init))) ?? new Response('') },
  ];
  const login = new Login(REQUEST, routes);
  await login.find();
  const start = await login.start(undefined);
  expect((await login.finish(queryOf(server.redirectOf(start.url)))).accessToken).toMatch(/^access-/);
  expect(forms).toEqual([]);
});

test('an authorization server that is down says so', async () => {
  const server = create();
  server.answer = ({ url }) => {
    if (url.startsWith('https://login.test')) throw new TypeError('Failed to fetch');
    return undefined;
  };
  expect((await outcomeOf(server)).problem).toEqual({ code: 'unreachable', detail: 'login.test can’t be reached.' });
});

test('metadata is asked for as anybody may ask for it', async () => {
  const server = create();
  const headers = new Set<string>();
  server.answer = (request) => {
    if (request.method === 'GET') for (const [name] of request.headers) headers.add(name);
    return undefined;
  };
  await outcomeOf(server);
  expect([...headers]).toEqual(['accept']);
});

test('a description that the server names has to be there', async () => {
  const server = create();
  server.answer = ({ url }) => (url.endsWith('/there') ? new Response('', { status: 404 }) : undefined);
  const challenge = { metadataUrl: 'https://tools.test/there' };
  await expect(begin(server, { challenge })).rejects.toMatchObject({ problem: { code: 'failed' } });
});

test('a server on this machine may have its authorization server there', async () => {
  const server = create('http://localhost:9001', 'http://127.0.0.1:9000/mcp');
  expect((await outcomeOf(server)).stored).toBeDefined();
});

test('a login is renewed, and revoked, where it was issued', async () => {
  const server = create();
  const { stored } = await outcomeOf(server);
  if (stored === undefined) throw new Error('Not logged in.');
  const host = new LoginHost(routesTo(server));
  const renewed = await host.renew(SERVER, stored);
  expect(renewed).toMatchObject({ accessToken: expect.stringMatching(/^access-/), scope: 'tools' });
  expect(server.forms.at(-1)).toMatchObject({
    grant_type: 'refresh_token',
    resource: SERVER,
    client_id: stored.client.id,
  });
  expect(await host.renew(SERVER, stored)).toMatchObject({ problem: { code: 'ended' } });
  await host.revoke(SERVER, stored);
  expect(server.requests.filter((one) => one === 'POST /tenant/revoke').length).toBeGreaterThanOrEqual(2);
});

test('an authorization server that is down does not end a login', async () => {
  const server = create();
  const { stored } = await outcomeOf(server);
  if (stored === undefined) throw new Error('Not logged in.');
  server.answer = () => new Response('', { status: 503 });
  expect(await new LoginHost(routesTo(server)).renew(SERVER, stored)).toMatchObject({ problem: { code: 'refused' } });
});
