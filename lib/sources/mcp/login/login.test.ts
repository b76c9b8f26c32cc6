import { expect, test } from 'vitest';
import type { HttpRoute } from '../http-session.ts';
import { begin, create, ISSUER, ORIGIN, outcomeOf, queryOf, REQUEST, routesTo, SERVER } from '../test/login.ts';
import { LOGIN_LIMITS } from './limits.ts';
import { Login } from './login.ts';
import { LoginHost } from './login-host.ts';

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

test.each(['http://169.254.169.254/latest', 'http://localhost:3000/', 'http://tools.test/x'])(
  'a description at %s is not asked for',
  async (metadataUrl) => {
    const server = create();
    await expect(begin(server, { challenge: { metadataUrl } })).rejects.toMatchObject({
      problem: { code: 'untrusted' },
    });
    expect(server.requests).toEqual([]);
  },
);

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
