import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ApiTestServer } from '#lib/sources/http-api/test/api-server.ts';
import { CliBench } from '../lib/cli-bench.ts';

const KEY = 'ghp_0123456789abcdef';
const KEYS = { ROUNDTRIP_SECRET_TRACKER_TOKEN: KEY };

let bench: CliBench;
let server: ApiTestServer;
beforeEach(async () => {
  bench = await CliBench.start();
  server = await ApiTestServer.start();
  server.answer = ({ method, headers }, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ method, key: headers.authorization }));
  };
});
afterEach(async () => {
  await bench.stop();
  await server.stop();
});

const description = (baseUrl = server.url, name = 'tracker') => `name: ${name}
baseUrl: ${baseUrl}
headers: { Authorization: 'Bearer {{token}}' }
tools:
  - { name: get, description: Gets all issues., method: GET, path: /issues }
  - { name: create, description: Creates an issue., method: POST, path: /issues, body: {} }
  - { name: erase, description: Erases all issues., method: DELETE, path: /issues }
`;

/** Writes a description outside of the folder, and returns its path. */
function apiFile(text = description(), name = 'tracker.yaml'): string {
  const path = join(bench.outside, name);
  writeFileSync(path, text);
  return path;
}

async function runCall(name: string, args: readonly string[], env: Record<string, string> = KEYS, input: object = {}) {
  bench.model.script('Go', [{ calls: [{ name, arguments: JSON.stringify(input) }] }, { text: 'Done.' }]);
  const ended = await bench.run(['run', 'Go', ...args], { env });
  const result = bench.model
    .requestsFor('Go')
    .at(-1)
    ?.messages.findLast(({ role }) => role === 'tool')?.content;
  return { ...ended, result: String(result) };
}

test('an API that is named is called with the secret of its variable, which goes nowhere else', async () => {
  const { code, stdout, stderr, result } = await runCall('tracker_get', ['--api', apiFile()]);
  expect(code).toBe(0);
  expect(server.seen).toMatchObject([{ method: 'GET', url: '/issues', headers: { authorization: `Bearer ${KEY}` } }]);
  expect(result).toBe('{"method":"GET","key":"Bearer [secret]"}');
  expect(stdout + stderr + JSON.stringify([bench.model.requests, bench.session()])).not.toContain(KEY);
});

describe('a request with effects', () => {
  test('is denied where nobody can be asked, and allowed with --yes', async () => {
    const args = ['--api', apiFile()];
    const denied = await runCall('tracker_create', args, KEYS, { body: {} });
    expect([denied.code, server.seen.length]).toEqual([3, 0]);
    const allowed = await runCall('tracker_create', [...args, '--yes'], KEYS, { body: {} });
    expect([allowed.code, server.seen.length]).toEqual([0, 1]);
  });

  const allow = (name: string, args: readonly string[]) => bench.run(['tools', 'allow', name, '--yes', ...args]);

  test('is allowed by the person, as it is described, and never by the configuration of a folder', async () => {
    bench.write({ '.roundtrip/config.yaml': 'permissions:\n  execute: allow\n' });
    const args = ['--api', apiFile()];
    const denied = await runCall('tracker_create', args, KEYS, { body: {} });
    expect([denied.code, denied.result]).toEqual([
      3,
      expect.stringContaining('“roundtrip tools allow tracker_create”'),
    ]);
    const { stderr } = await allow('tracker_create', args);
    expect(stderr).toContain(`"request": "POST ${server.url}/issues"`);
    expect((await runCall('tracker_create', args, KEYS, { body: {} })).code).toBe(0);
    const request = { id: 1, method: 'call_tool', params: { name: 'tracker_create', input: { body: {} } } };
    const served = { env: KEYS, input: `${JSON.stringify(request)}\n` };
    expect((await bench.run(['serve', '--stdio', ...args], served)).stdout).toContain('"is_error":false');
    apiFile(description().replace('path: /issues, body', 'path: /elsewhere, body'));
    const changed = await runCall('tracker_create', [...args, '--yes'], KEYS, { body: {} });
    expect([changed.code, changed.result]).toEqual([
      3,
      expect.stringContaining('differently than when it was allowed'),
    ]);
    expect((await allow('tracker_create', args)).stderr).toContain(`+    "request": "POST ${server.url}/elsewhere"`);
    expect((await runCall('tracker_create', args, KEYS, { body: {} })).code).toBe(0);
    expect(server.seen.map(({ url }) => url)).toEqual(['/issues', '/issues', '/elsewhere']);
    await bench.run(['tools', 'forget', 'tracker_create', ...args]);
    expect((await runCall('tracker_create', args, KEYS, { body: {} })).code).toBe(3);
  });

  test('that deletes asks each time, and cannot be allowed', async () => {
    const args = ['--api', apiFile()];
    const { code, stderr } = await allow('tracker_erase', args);
    expect([code, stderr]).toEqual([2, expect.stringContaining('tracker_erase asks each time')]);
    expect((await runCall('tracker_erase', args)).code).toBe(3);
    expect(server.seen).toEqual([]);
  });
});

test('each request is told, with why it was allowed, and what was denied or refused; without its address and its key', async () => {
  const args = ['--api', apiFile()];
  const host = new URL(server.url).host;
  const { stdout } = await runCall('tracker_create', [...args, '--yes', '--json'], KEYS, { body: { private: 1 } });
  const events = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const told = events.filter(({ type }) => type === 'request');
  expect(told).toEqual([
    {
      type: 'request',
      toolCallId: expect.any(String),
      toolName: 'tracker_create',
      decision: 'policy',
      host,
      status: 200,
      sent: expect.any(Number),
      received: expect.any(Number),
    },
  ]);
  expect(JSON.stringify(told)).not.toMatch(/issues|private|ghp_/);
  const denied = await runCall('tracker_create', args, KEYS, { body: {} });
  expect(denied.stderr).toContain(`request of tracker_create to ${host} (denied): tracker_create needs`);
  const refused = await runCall('tracker_get', ['--api', apiFile(description('https://169.254.169.254'))]);
  expect(refused.stderr).toContain(
    'request of tracker_get to 169.254.169.254 (allowed by the settings): 0 bytes sent, 0 received: The studio never',
  );
});

test('an API is used only if the person has named it, or it is their own', async () => {
  bench.write({ 'tracker.yaml': description(), '.roundtrip/apis/tracker.yaml': description() });
  expect((await runCall('tracker_get', [])).result).toContain('no-such-tool');
  const home = join(bench.outside, 'home');
  mkdirSync(join(home, 'roundtrip/apis'), { recursive: true });
  writeFileSync(join(home, 'roundtrip/apis/tracker.yaml'), description());
  expect((await runCall('tracker_get', [], { ...KEYS, XDG_CONFIG_HOME: home })).code).toBe(0);
  expect(server.seen).toHaveLength(1);
});

test('a description that tools can change is pointed out', async () => {
  bench.write({ 'tracker.yaml': description() });
  const { stderr } = await runCall('tracker_get', ['--api', 'tracker.yaml']);
  expect(stderr).toContain('is among the files that tools can change');
});

test('a secret that is missing is named, and nothing is sent', async () => {
  const { stderr, result } = await runCall('tracker_get', ['--api', apiFile()], {});
  expect(stderr).toContain('tracker cannot be called: set ROUNDTRIP_SECRET_TRACKER_TOKEN in the environment.');
  expect(result).toContain('Not run. The user has to set ROUNDTRIP_SECRET_TRACKER_TOKEN');
  expect(server.seen).toEqual([]);
});

test('metadata services are never called, also by a redirect', async () => {
  const metadata = await runCall('tracker_get', ['--api', apiFile(description('https://169.254.169.254'))]);
  expect(metadata.result).toContain('Not run. The studio never calls 169.254.169.254.');
  server.answer = (_, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
  const redirected = await runCall('tracker_get', ['--api', apiFile()]);
  expect(redirected.result).toContain('redirects are not followed');
});

test('a description that cannot be used ends the program with the line', async () => {
  const broken = apiFile('name: tracker\nbaseUrl: nowhere\ntools: []\n');
  const { code, stderr } = await bench.run(['run', 'Go', '--api', broken]);
  expect(code).toBe(2);
  expect(stderr).toContain(`${broken}:2: baseUrl`);
  const missing = await bench.run(['run', 'Go', '--api', 'no.yaml']);
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('no.yaml: cannot be read')]);
  const twice = await bench.run(['run', 'Go', '--api', apiFile(), '--api', apiFile(description(), 'other.yaml')]);
  expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining('is also the name of')]);
});

test('serve offers and calls its tools', async () => {
  const requests = [
    { id: 1, method: 'list_tools' },
    { id: 2, method: 'call_tool', params: { name: 'tracker_get' } },
  ];
  const { stdout } = await bench.run(['serve', '--stdio', '--api', apiFile()], {
    env: KEYS,
    input: requests.map((request) => `${JSON.stringify(request)}\n`).join(''),
  });
  expect(stdout).toContain('"tracker_create"');
  expect(stdout).toContain('Bearer [secret]');
  expect(stdout).not.toContain(KEY);
});

test('tools that would take too much of the prompt are found and used', async () => {
  const tools = Array.from(
    { length: 150 },
    (_, n) =>
      `  - { name: get_${n}, description: ${'Gets what is wanted. '.repeat(20)}, method: GET, path: /things/${n} }`,
  );
  const text = `name: things\nbaseUrl: ${server.url}\ntools:\n${tools.join('\n')}\n`;
  const { code, result } = await runCall('use_tool', ['--api', apiFile(text)], {}, { name: 'things_get_77' });
  expect(code).toBe(0);
  expect(result).toContain('"method":"GET"');
  expect(server.seen.map(({ url }) => url)).toEqual(['/things/77']);
  const offered = JSON.stringify(bench.model.requestsFor('Go')[0]);
  expect(offered).toContain('search_tools');
  expect(offered).not.toContain('things_get_5');
});
