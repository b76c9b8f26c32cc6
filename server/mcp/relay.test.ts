import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { relayFetch } from '#lib/sources/mcp/relay-fetch.ts';
import { RELAY_HEADERS_HEADER, RELAY_STATUS_HEADER, relayRequestSchema } from '#lib/wire/mcp.ts';
import { stepErrorsAsProblems } from '#server/http/personal-key.ts';
import { HttpProblem, problemResponse } from '#server/http/problem.ts';
import { type LocalServer, startLocalServer } from '#server/test/local-server.ts';
import { RequestRelay } from './relay.ts';

const ENV = {
  HOST: 'localhost',
  PORT: 3000,
  ALLOWED_HOSTS: undefined,
  PERSONAL_ALLOWED_HOSTS: undefined,
  MCP_RELAY: true,
  MCP_RELAY_MAX_OPEN: 2,
};

let server: LocalServer;
/** The number of ended connections with a status that does not exist. */
let closed = 0;
beforeEach(async () => {
  closed = 0;
  server = await startLocalServer((request, response) => {
    if (request.path === '/slow') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
      return;
    }
    if (request.path === '/elsewhere') {
      response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
      return;
    }
    if (request.path === '/odd') {
      response.writeHead(999, { 'content-type': 'text/plain' }).write('endless');
      response.once('close', () => void closed++);
      return;
    }
    response
      .writeHead(request.path === '/missing' ? 404 : 200, {
        'content-type': 'text/html',
        'mcp-session-id': 's1',
        'set-cookie': 'a=b',
        'content-security-policy': "default-src 'none'",
      })
      .end(`<script>${request.body}</script>`);
  });
});
afterEach(() => server.stop());

/** The browser's side, connected to a relay without a network between them. */
function through(relay: RequestRelay): typeof fetch {
  const route: typeof fetch = async (_, init) => {
    const request = relayRequestSchema.parse(JSON.parse(String(init?.body)));
    const signal = init?.signal ?? new AbortController().signal;
    return stepErrorsAsProblems(() => relay.pass(request, signal)).catch((error: unknown) => {
      if (error instanceof HttpProblem) return problemResponse(error);
      throw error;
    });
  };
  return relayFetch(new URL('http://studio.test/api/mcp/relay'), { post: route });
}

test('passes a request and its response on, without what belongs to others', async () => {
  const call = through(new RequestRelay(ENV));
  const response = await call(`${server.url}/mcp`, {
    method: 'POST',
    headers: { authorization: 'Bearer x', 'content-type': 'application/json', 'mcp-method': 'tools/list' },
    body: '{"a":"ä"}',
  });
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toEqual({ 'content-type': 'text/html', 'mcp-session-id': 's1' });
  expect(await response.text()).toBe('<script>{"a":"ä"}</script>');
  expect(server.requests[0]?.headers).toMatchObject({ authorization: 'Bearer x', 'mcp-method': 'tools/list' });
});

test('says what status a server has answered with', async () => {
  const response = await through(new RequestRelay(ENV))(`${server.url}/missing`);
  expect([response.status, response.ok]).toEqual([404, false]);
});

test('a relayed response is never shown as a page', async () => {
  const signal = new AbortController().signal;
  const response = await new RequestRelay(ENV).pass({ url: server.url, method: 'GET', headers: {} }, signal);
  expect(response.headers.get('content-type')).toBe('application/octet-stream');
  expect(response.headers.get(RELAY_STATUS_HEADER)).toBe('200');
  expect(response.headers.get(RELAY_HEADERS_HEADER)).not.toContain('cookie');
  await response.body?.cancel();
});

test('does not pass on what the browser says about itself', async () => {
  const headers = { cookie: 'a=b', origin: 'http://studio', 'x-forwarded-for': '1.2.3.4', host: 'internal' };
  const signal = new AbortController().signal;
  const response = await new RequestRelay(ENV).pass({ url: server.url, method: 'GET', headers }, signal);
  await response.text();
  const passed = server.requests[0]?.headers ?? {};
  for (const name of ['cookie', 'origin', 'x-forwarded-for']) expect(passed[name]).toBeUndefined();
  expect(passed.host).toBe(new URL(server.url).host);
});

test.each([
  ['a metadata service', 'http://169.254.169.254/latest/meta-data'],
  ['the studio itself', 'http://127.0.0.1:3000/api/models'],
  ['a mail server', 'http://127.0.0.1:25/'],
  ['an unencrypted address on the internet', 'http://93.184.216.34/mcp'],
])('does not call %s', async (_, url) => {
  await expect(through(new RequestRelay(ENV))(url)).rejects.toMatchObject({ code: 'address-refused' });
});

test('calls no private addresses where others use the studio', async () => {
  const call = through(new RequestRelay({ ...ENV, ALLOWED_HOSTS: 'studio.example' }));
  await expect(call(server.url)).rejects.toMatchObject({ code: 'address-refused' });
  expect(server.requests).toEqual([]);
});

test('follows no redirects', async () => {
  await expect(through(new RequestRelay(ENV))(`${server.url}/elsewhere`)).rejects.toThrow(/redirects are not followed/);
});

test('passes a redirect back to whoever wants to decide about it', async () => {
  const response = await through(new RequestRelay(ENV))(`${server.url}/elsewhere`, { redirect: 'manual' });
  expect([response.status, response.headers.get('location')]).toEqual([302, 'http://169.254.169.254/']);
  expect(server.requests).toHaveLength(1);
});

test('says that a server cannot be reached', async () => {
  const { url } = server;
  await server.stop();
  await expect(through(new RequestRelay(ENV))(url)).rejects.toMatchObject({ code: 'endpoint-unreachable' });
});

test('can be turned off', async () => {
  const call = through(new RequestRelay({ ...ENV, MCP_RELAY: false }));
  await expect(call(server.url)).rejects.toThrow('turned off requests to the web, tool servers, and APIs');
  expect(server.requests).toEqual([]);
});

test('passes on only so many requests at a time, and makes room when one ends', async () => {
  const call = through(new RequestRelay(ENV));
  const controllers = [new AbortController(), new AbortController()];
  const open = await Promise.all(controllers.map(({ signal }) => call(`${server.url}/slow`, { signal })));
  await expect(call(server.url)).rejects.toThrow('2 requests at a time');
  await open[0]?.body?.cancel();
  expect(await (await call(server.url)).text()).toContain('script');
  expect(await (await call(server.url)).text()).toContain('script');
  controllers[1]?.abort();
});

test('streams that are left while nothing comes make room once, not more often', async () => {
  const call = through(new RequestRelay(ENV));
  for (let turn = 0; turn < 3; turn++) {
    const open = await Promise.all([call(`${server.url}/slow`), call(`${server.url}/slow`)]);
    for (const { body } of open) {
      const reader = body?.getReader();
      await reader?.read();
      const pending = reader?.read();
      await reader?.cancel();
      await pending;
    }
  }
  const open = await Promise.all([call(`${server.url}/slow`), call(`${server.url}/slow`)]);
  await expect(call(server.url)).rejects.toThrow('2 requests at a time');
  for (const { body } of open) await body?.cancel();
});

test('a form passes, and so does what a server says about logging in', async () => {
  const asking = await startLocalServer((_, response) => {
    response.writeHead(401, { 'www-authenticate': 'Bearer scope="tools"' }).end();
  });
  const call = through(new RequestRelay(ENV));
  const response = await call(`${asking.url}/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ code: 'a b', resource: 'https://tools.test/mcp' }),
  });
  expect(asking.requests[0]).toMatchObject({
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'code=a+b&resource=https%3A%2F%2Ftools.test%2Fmcp',
  });
  expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer scope="tools"']);
  await asking.stop();
});

test('a status that does not exist is a problem, and its connection ends', async () => {
  const call = through(new RequestRelay(ENV));
  for (let count = 1; count <= 5; count++) {
    await expect(call(`${server.url}/odd`)).rejects.toThrow('the status 999, which does not exist');
    await vi.waitFor(() => expect(closed).toBe(count));
  }
});
