import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { KeyVault } from '#lib/keys/key-vault.ts';
import type { HttpRoute } from '#lib/sources/mcp/http-session.ts';
import type { LoginConnection } from '#lib/sources/mcp/login/login-client.ts';
import { LoginHost } from '#lib/sources/mcp/login/login-host.ts';
import { type TestMcpServer, testMcpServer } from '#lib/sources/mcp/test/mcp-server.ts';
import { TestOAuthServer } from '#lib/sources/mcp/test/oauth-server.ts';
import { MemoryThreadStore } from '#lib/threads/memory-thread-store.ts';
import { ToolRegistry } from '#lib/tools/catalogue/registry.ts';
import type { ToolContext } from '#lib/tools/core/tool.ts';
import { OAUTH_CHANNEL } from '#lib/wire/oauth.ts';
import { type AttemptStep, LoginAttempt } from './login-attempt.ts';
import { McpServers } from './mcp-servers.ts';
import { ServerLogins } from './server-logins.ts';
import { DirectConnection } from './test/direct-connection.ts';

const URL = 'https://tools.test/mcp';
const ISSUER = 'https://login.test';
const ORIGIN = 'https://studio.test';
const CONFIG = { name: 'test', url: URL };

let auth: TestOAuthServer;
let tools: TestMcpServer;
let store: MemoryThreadStore;
let routes: HttpRoute[];
const attempts: LoginAttempt[] = [];

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  auth = new TestOAuthServer(ISSUER, URL);
  tools = testMcpServer();
  store = new MemoryThreadStore();
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    return (await auth.fetch(request)) ?? tools.fetch(request);
  };
  routes = [{ name: 'direct', fetch }];
});
afterEach(() => {
  for (const attempt of attempts.splice(0)) attempt.end();
  vi.useRealTimers();
});

const connect = (): LoginConnection => Object.assign(new LoginHost(routes), { end: () => undefined });

/** A tab of the studio, in which the server has been added. */
async function openTab() {
  const vault = await KeyVault.open(1_000);
  const logins = new ServerLogins(async () => vault, connect);
  const registry = new ToolRegistry([]);
  const options = {
    store,
    registry,
    logins,
    vault: async () => vault,
    createClient: () => new DirectConnection(routes[0]?.fetch ?? fetch),
    listStudioServers: async () => [],
    onNewServers: () => undefined,
  };
  const servers = await McpServers.open(options);
  if (servers.state.getState().length === 0) await servers.add(CONFIG, {});
  await servers.connect('test');
  const call = () => {
    const context = { abortSignal: new AbortController().signal, report: () => undefined };
    return registry.get('test_add')?.execute({ a: 1, b: 2 }, context as unknown as ToolContext);
  };
  return { vault, logins, servers, call };
}

type Tab = Awaited<ReturnType<typeof openTab>>;

const only = ({ servers }: Tab) => servers.state.getState()[0];

/** A login in a tab, once the authorization server is found. */
async function begin(tab: Tab) {
  const challenge = only(tab)?.problem?.challenge ?? {};
  const attempt = new LoginAttempt({
    servers: tab.servers,
    challenge,
    config: CONFIG,
    origin: ORIGIN,
    connection: connect(),
  });
  attempts.push(attempt);
  await attempt.begin();
  return attempt;
}

const urlOf = ({ state }: LoginAttempt): string => {
  const step = state.getState();
  if (!('url' in step)) throw new Error(`Not ready: ${JSON.stringify(step)}`);
  return step.url;
};

/** Says what the callback page says; resolves with whether a page takes it within a time, in milliseconds. */
async function comeBack(redirect: string, withinMs = 200): Promise<boolean> {
  const channel = new BroadcastChannel(OAUTH_CHANNEL);
  const query = redirect.slice(redirect.indexOf('?') + 1);
  const taken = new Promise<boolean>((resolve) => {
    channel.onmessage = () => resolve(true);
    setTimeout(() => resolve(false), withinMs);
  });
  channel.postMessage({ type: 'callback', query });
  const isTaken = await taken;
  channel.close();
  return isTaken;
}

/** Waits for a step. */
const stepOf = (attempt: LoginAttempt, type: AttemptStep['type']) =>
  vi.waitFor(() => {
    expect(attempt.state.getState().type).toBe(type);
    return attempt.state.getState();
  });

async function logIn(tab: Tab): Promise<void> {
  const attempt = await begin(tab);
  attempt.opened();
  expect(await comeBack(auth.redirectOf(urlOf(attempt)), 10_000)).toBe(true);
  await stepOf(attempt, 'done');
}

/** All that the vault's database has, without its keys. */
const secretsOf = async (vault: KeyVault) => vault.get('mcp-test:login', URL);

test('a server that wants a login gets one, which a new page has, too', async () => {
  const tab = await openTab();
  expect(only(tab)).toMatchObject({
    status: 'failed',
    problem: { code: 'needs-login', challenge: { scope: 'tools' } },
  });
  await logIn(tab);
  expect(only(tab)).toMatchObject({ status: 'ready', problem: undefined, config: { login: ISSUER } });
  expect(await tab.call()).toMatchObject({ data: { sum: 3 } });
  const next = await openTab();
  expect(only(next)?.status).toBe('ready');
  expect(JSON.stringify(await store.setting('mcp-servers'))).not.toMatch(/access-|refresh-/);
});

test('a login is bound to its server’s name and address', async () => {
  const tab = await openTab();
  await logIn(tab);
  expect(await tab.logins.of(CONFIG)).toBeDefined();
  expect(await tab.logins.of({ name: 'test', url: 'https://evil.test/mcp' })).toBeUndefined();
  expect(await tab.logins.of({ name: 'other', url: URL })).toBeUndefined();
});

test('the studio registers once with an issuer, for all of its servers', async () => {
  const tab = await openTab();
  await logIn(tab);
  await logIn(tab);
  expect(auth.requests.filter((one) => one === 'POST /register')).toHaveLength(1);
});

test('a registration that led nowhere is not used again', async () => {
  const tab = await openTab();
  await logIn(tab);
  const attempt = await begin(tab);
  attempt.opened();
  attempt.end();
  await vi.waitFor(async () => expect(await tab.logins.clientOf(ISSUER, ORIGIN)).toBeUndefined());
  await logIn(tab);
  expect(auth.requests.filter((one) => one === 'POST /register')).toHaveLength(2);
});

test('a client id that the person has entered is kept', async () => {
  auth.metadata.registration_endpoint = undefined;
  const tab = await openTab();
  const attempt = await begin(tab);
  expect(attempt.state.getState()).toEqual({
    type: 'needs-client',
    issuer: ISSUER,
    redirectUri: `${ORIGIN}/oauth/callback`,
  });
  await attempt.identify('mine', '');
  attempt.opened();
  await comeBack(auth.redirectOf(urlOf(attempt)));
  await stepOf(attempt, 'done');
  const again = await begin(tab);
  expect(urlOf(again)).toContain('client_id=mine');
  again.opened();
  again.end();
  expect(await tab.logins.clientOf(ISSUER, ORIGIN)).toMatchObject({ id: 'mine' });
});

test.each<[string, (redirect: string) => string, string]>([
  ['refuses', (redirect) => redirect.replace(/code=[^&]*/, 'error=access_denied'), 'denied'],
  ['comes from another issuer', (redirect) => redirect.replace(/iss=[^&]*/, 'iss=https://evil.test'), 'untrusted'],
])('nothing is stored of a person who %s', async (_, change, code) => {
  const tab = await openTab();
  const attempt = await begin(tab);
  attempt.opened();
  await comeBack(change(auth.redirectOf(urlOf(attempt))));
  expect(await stepOf(attempt, 'failed')).toMatchObject({ problem: { code } });
  expect(await secretsOf(tab.vault)).toBeUndefined();
  expect(only(tab)?.config.login).toBeUndefined();
});

test('an answer to another login, or a second one, is nobody’s', async () => {
  const tab = await openTab();
  const attempt = await begin(tab);
  attempt.opened();
  const redirect = auth.redirectOf(urlOf(attempt));
  expect(await comeBack(redirect.replace(/state=[^&]*/, 'state=forged'))).toBe(false);
  expect(attempt.state.getState().type).toBe('waiting');
  expect(await comeBack(redirect, 10_000)).toBe(true);
  await stepOf(attempt, 'done');
  expect(await comeBack(redirect)).toBe(false);
  expect(auth.forms).toHaveLength(1);
});

test('an answer that comes after the dialog was closed is nobody’s', async () => {
  const tab = await openTab();
  const attempt = await begin(tab);
  attempt.opened();
  const redirect = auth.redirectOf(urlOf(attempt));
  attempt.end();
  expect(await comeBack(redirect)).toBe(false);
  expect(await secretsOf(tab.vault)).toBeUndefined();
});

test('a vault that is locked says so before anything begins', async () => {
  const tab = await openTab();
  await tab.vault.protect('passphrase');
  const locked = await openTab();
  expect((await begin(locked)).state.getState()).toMatchObject({ type: 'failed', problem: { code: 'locked' } });
});

test('two tabs renew a login once, and no refresh token is used twice', async () => {
  const [one, other] = [await openTab(), await openTab()];
  await logIn(one);
  vi.useFakeTimers({ now: Date.now() + 3_500_000, toFake: ['Date'] });
  const sources = [one, other].map(({ logins }) => logins.tokensOf({ ...CONFIG, login: ISSUER }));
  const answers = await Promise.all(sources.flatMap((source) => [source?.(), source?.(), source?.()]));
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(auth.forms.filter(({ grant_type }) => grant_type === 'refresh_token')).toHaveLength(1);
  expect(auth.replays).toBe(0);
});

test('tabs that hold a token that was refused end up with the same one', async () => {
  const [one, other] = [await openTab(), await openTab()];
  await logIn(one);
  const before = (await one.logins.of(CONFIG))?.accessToken ?? '';
  vi.useFakeTimers({ now: Date.now() + 60_000, toFake: ['Date'] });
  const sources = [one, other].map(({ logins }) => logins.tokensOf({ ...CONFIG, login: ISSUER }));
  const answers = await Promise.all(sources.map((source) => source?.(before)));
  expect(answers[0]).toEqual(answers[1]);
  expect(answers[0]).not.toEqual({ token: before });
  expect(auth.forms.filter(({ grant_type }) => grant_type === 'refresh_token')).toHaveLength(1);
});

test('a server that refuses each token is not served with new ones', async () => {
  const tab = await openTab();
  await logIn(tab);
  auth.isOpen = false;
  for (let count = 0; count < 5; count++)
    await expect(tab.call()).rejects.toThrow(/Not run\..*Settings › Tools › Servers/);
  expect(auth.forms).toHaveLength(1);
  expect(only(tab)).toMatchObject({ status: 'failed', problem: { code: 'needs-login' } });
});

test('a login that has ended elsewhere is renewed no more, and keeps its permissions for the next one', async () => {
  const tab = await openTab();
  await logIn(tab);
  auth.revokeAll();
  vi.useFakeTimers({ now: Date.now() + 60_000, toFake: ['Date'] });
  await expect(tab.call()).rejects.toThrow('log in');
  await expect(tab.call()).rejects.toThrow('log in');
  expect(auth.forms).toHaveLength(2);
  const login = await tab.logins.of(CONFIG);
  expect([login?.refreshToken, login?.scope]).toEqual([undefined, 'tools']);
});

test('a login without a refresh token lasts until the server says that it is over', async () => {
  auth.isRenewable = false;
  auth.token.expires_in = 0.001;
  const tab = await openTab();
  await logIn(tab);
  expect(await tab.call()).toMatchObject({ data: { sum: 3 } });
  auth.revokeAll();
  await expect(tab.call()).rejects.toThrow('Not run.');
  expect(only(tab)?.problem?.code).toBe('needs-login');
});

test('an authorization server that is down leaves the login, and says so', async () => {
  const tab = await openTab();
  await logIn(tab);
  auth.expire();
  auth.answer = ({ url }) => (url.startsWith(ISSUER) ? new Response('', { status: 503 }) : undefined);
  vi.useFakeTimers({ now: Date.now() + 60_000, toFake: ['Date'] });
  await expect(tab.call()).rejects.toThrow(/^Not run\. Your login could not be renewed/);
  auth.answer = () => undefined;
  expect(await tab.call()).toMatchObject({ data: { sum: 3 } });
});

test('a tool that needs another permission leaves the server in use, and the next login asks for both', async () => {
  const tab = await openTab();
  await logIn(tab);
  auth.scope = 'admin';
  await expect(tab.call()).rejects.toThrow('Not run.');
  expect(only(tab)).toMatchObject({ status: 'ready', problem: { code: 'needs-scope', challenge: { scope: 'admin' } } });
  const step = (await begin(tab)).state.getState();
  expect(step).toMatchObject({ type: 'ready', scopes: ['tools', 'admin'] });
});

test('logging out deletes the tokens here and there', async () => {
  const tab = await openTab();
  await logIn(tab);
  await tab.logins.end(CONFIG);
  await tab.servers.changeLogin('test', undefined);
  expect(await secretsOf(tab.vault)).toBeUndefined();
  expect(only(tab)).toMatchObject({ status: 'failed', problem: { code: 'needs-login' }, config: { login: undefined } });
  await vi.waitFor(() => expect(auth.requests.filter((one) => one === 'POST /revoke').length).toBeGreaterThan(1));
});

test('a server that is deleted takes its login along', async () => {
  const tab = await openTab();
  await logIn(tab);
  await tab.servers.remove('test');
  expect(await secretsOf(tab.vault)).toBeUndefined();
  await tab.servers.add(CONFIG, {});
  await tab.servers.connect('test');
  expect(only(tab)?.problem?.code).toBe('needs-login');
});

test('a login whose server was deleted meanwhile is not stored', async () => {
  const tab = await openTab();
  const attempt = await begin(tab);
  attempt.opened();
  await tab.servers.remove('test');
  await comeBack(auth.redirectOf(urlOf(attempt)));
  expect(await stepOf(attempt, 'failed')).toMatchObject({ problem: { code: 'removed' } });
  expect(await secretsOf(tab.vault)).toBeUndefined();
});

test('a stored login that cannot be read counts as none', async () => {
  const tab = await openTab();
  await logIn(tab);
  await tab.vault.put('mcp-test:login', URL, '{"issuer":1');
  expect(await tab.logins.of(CONFIG)).toBeUndefined();
  await expect(tab.call()).rejects.toThrow('log in');
});
