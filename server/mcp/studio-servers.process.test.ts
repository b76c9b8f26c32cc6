import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openHttpSession } from '#lib/sources/mcp/http-session.ts';
import type { McpSession } from '#lib/sources/mcp/session.ts';
import { MCP_CONNECTION_HEADER } from '#lib/wire/mcp.ts';
import { createLog } from '#log/log.ts';
import { HttpProblem, problemResponse } from '#server/http/problem.ts';
import { STUDIO_SERVER_LIMITS } from './limits.ts';
import { StudioServers } from './studio-servers.ts';

const PROGRAMS = join(import.meta.dirname, '../../lib/sources/mcp/programs/test');
const SECRET = 'hush-hush-0123456789';

let folder: string;
let servers: StudioServers;
let sessions: McpSession[];
let log: string;

/** Lists servers: by name, the program's file and its argument. */
function list(entries: Record<string, readonly [file: string, behavior?: string]>): void {
  const lines = Object.entries(entries).map(([name, [file, behavior = 'plain']]) => {
    const args = JSON.stringify([join(PROGRAMS, file), behavior]);
    return `  ${name}: { title: "My ${name}", command: "${process.execPath}", args: ${args}, env: [TOKEN, CALLS_FILE] }\n`;
  });
  writeFileSync(join(folder, 'mcp.yaml'), `servers:\n${lines.join('')}`);
}

/** The operator's servers, as they are in the file now. */
function start(env: Record<string, string> = {}): void {
  servers = new StudioServers({
    path: join(folder, 'mcp.yaml'),
    env: { PATH: process.env.PATH, TOKEN: SECRET, CALLS_FILE: join(folder, 'calls'), OPENAI_API_KEY: 'sk-x', ...env },
    log: createLog('info', (line) => {
      log += line;
    }),
  });
}

/** The page's way to a server, without a network between them. */
const through =
  (name: string): typeof fetch =>
  async (input, init) => {
    const request = new Request(input, init);
    const answer = await servers
      .answer(name, request, () => request.json())
      .catch((error: unknown) => {
        if (error instanceof HttpProblem) return problemResponse(error);
        throw error;
      });
    // A request that is given up ends its response, as it does over a network.
    const options = init?.signal ? { signal: init.signal } : {};
    const body = answer.body?.pipeThrough(new TransformStream(), options) ?? null;
    return new Response(body, { status: answer.status, headers: answer.headers });
  };

/** Connects as a page does. */
async function connect(name = 'one', id: string = crypto.randomUUID()) {
  const events: string[] = [];
  const { session, listing } = await openHttpSession(
    { url: `http://studio.test/api/mcp/servers/${name}`, headers: { [MCP_CONNECTION_HEADER]: id } },
    [{ name: 'direct', fetch: through(name) }],
    { onChange: () => events.push('changed'), onClose: () => events.push('closed') },
  );
  sessions.push(session);
  const call = (tool: string, args: Record<string, unknown> = {}, signal = new AbortController().signal) =>
    session.call(tool, args, { signal });
  return { session, listing, call, events, id };
}

const calls = (): string[] =>
  readFileSync(join(folder, 'calls'), 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'studio-servers-'));
  writeFileSync(join(folder, 'calls'), '');
  [sessions, log] = [[], ''];
  process.env.TOKEN = SECRET;
});
afterEach(async () => {
  await Promise.all(sessions.map((session) => session.close()));
  await servers.close();
  rmSync(folder, { recursive: true });
  delete process.env.TOKEN;
});

describe('a server of the operator', () => {
  test('is listed by name and title, and nothing else', () => {
    list({ one: ['program.ts'], two: ['program.ts'] });
    start();
    expect(servers.list()).toEqual([
      { name: 'one', title: 'My one' },
      { name: 'two', title: 'My two' },
    ]);
  });

  test.each([
    ['an earlier version', 'program.ts', 'plain', 'legacy'],
    ['an earlier version, and ends if it is asked for another', 'program.ts', 'strict', 'legacy'],
    ['both versions', 'modern-program.ts', '', 'modern'],
  ])('may speak %s', async (_, file, behavior, era) => {
    list({ one: [file, behavior] });
    start();
    const { listing, call } = await connect();
    expect(listing.era).toBe(era);
    expect(await call('echo', { text: 'hi' })).toMatchObject({ content: [{ text: 'hi' }] });
  });

  test('tells of its progress, and of changed tools', async () => {
    list({ one: ['program.ts'] });
    start();
    const { session, call, events } = await connect();
    const progress: unknown[] = [];
    await session.call(
      'progress',
      {},
      { signal: new AbortController().signal, onProgress: (word) => progress.push(word) },
    );
    expect(progress).toEqual([{ done: 1, of: 2, text: 'half' }]);
    await call('change');
    await expect.poll(() => events).toEqual(['changed']);
    expect((await session.list()).tools[0]?.description).toContain('tells others');
  });

  test('tells of changed tools in the current version', async () => {
    list({ one: ['modern-program.ts'] });
    start();
    const { session, call, events } = await connect();
    await call('grow');
    await expect.poll(() => events).toContain('changed');
    expect((await session.list()).tools.map(({ name }) => name)).toContain('grown');
  });

  test('gets only the variables that are named for it', async () => {
    list({ one: ['program.ts'] });
    start();
    const { call } = await connect();
    const outcome = JSON.stringify(await call('env'));
    expect(outcome).toContain(SECRET);
    expect(outcome).not.toContain('OPENAI_API_KEY');
  });

  test('is not started while a variable is missing, and the log says which', async () => {
    list({ one: ['program.ts'] });
    start({ TOKEN: '' });
    await expect(connect()).rejects.toThrow('isn’t fully set up');
    expect(log).toContain('"variable":"TOKEN"');
    expect(log).toContain('mcp.yaml:2');
  });

  test('that is killed in the middle of a call ends the call with an error, and is started again by the next connection', async () => {
    list({ one: ['program.ts'] });
    start();
    const { call } = await connect();
    const outcome = await call('die');
    expect(outcome).toEqual({
      type: 'failure',
      code: 'failed',
      message:
        'The server’s program ended (signal SIGKILL). The call may have made changes; check before calling again.',
      problem: { code: 'ended', detail: expect.stringContaining('signal SIGKILL') },
    });
    expect(await call('echo', { text: 'x' })).toMatchObject({ isDisconnected: true });
    const again = await connect();
    expect(await again.call('echo', { text: 'y' })).toMatchObject({ content: [{ text: 'y' }] });
    expect(calls()).toEqual(['die', 'echo y']);
  });

  test('that ends again and again has to wait', async () => {
    list({ one: ['program.ts', 'dead'] });
    start();
    for (const _ of STUDIO_SERVER_LIMITS.restartMs.filter((delay) => delay === 0))
      await expect(connect()).rejects.toThrow('The server’s program ended (exit code 3).');
    await expect(connect()).rejects.toThrow('ended 2 times in a row. It can be started again in 1 second');
    expect(log).toContain('no token like [redacted]');
    expect(log).not.toContain(SECRET);
  });

  test('that does not exist says so', async () => {
    writeFileSync(join(folder, 'mcp.yaml'), 'servers:\n  one: { command: no-such-program-0815 }\n');
    start();
    await expect(connect()).rejects.toThrow('was not found');
  });

  test('that floods its standard error fills no log, and its secrets are not in it', async () => {
    list({ one: ['program.ts'] });
    start();
    const { call } = await connect();
    expect(await call('scold')).toMatchObject({ content: [{ text: 'scolded' }] });
    await expect.poll(() => log).toContain('says too much');
    expect(log.match(/the key is \[redacted\]/g)?.length).toBe(STUDIO_SERVER_LIMITS.errorLines);
    expect(log).not.toContain(SECRET);
    expect(log.length).toBeLessThan(100_000);
  });

  test('that writes garbage, or without end, gives clear errors', async () => {
    list({ one: ['program.ts'] });
    start();
    const { call } = await connect();
    expect(await call('garbage')).toMatchObject({ content: [{ text: 'clean' }] });
    expect(await call('big')).toMatchObject({ message: expect.stringContaining('more than 16777216 bytes') });
  });

  test('whose result is nested without end gives a clear error, and goes on', async () => {
    list({ one: ['program.ts'] });
    start();
    const { call } = await connect();
    expect(await call('deep', {}, AbortSignal.timeout(20_000))).toMatchObject({
      type: 'failure',
      message: expect.stringContaining('nested too deeply to be passed on'),
    });
    expect(await call('echo', { text: 'on' })).toMatchObject({ content: [{ text: 'on' }] });
  });

  test('stops a call that was stopped, or whose page is gone', async () => {
    list({ one: ['program.ts'] });
    start();
    const { call, session } = await connect();
    const stop = new AbortController();
    const stopped = call('hang', {}, stop.signal);
    await expect.poll(calls).toEqual(['hang']);
    stop.abort();
    expect(await stopped).toMatchObject({ code: 'aborted' });
    await expect.poll(calls).toEqual(['hang', 'cancelled']);
    void call('hang');
    await expect.poll(calls).toHaveLength(3);
    await session.close();
    await expect.poll(calls).toEqual(['hang', 'cancelled', 'hang', 'cancelled']);
  });

  test('refuses more than so many calls of a connection', async () => {
    list({ one: ['program.ts'] });
    start();
    const { call } = await connect();
    for (let count = 0; count < STUDIO_SERVER_LIMITS.requests; count++) void call('hang');
    expect(await call('echo', { text: 'x' })).toMatchObject({ message: expect.stringMatching(/^Not run\./) });
  });

  test('goes with its line in the file, and with a change of it; a wrong file changes nothing', async () => {
    list({ one: ['program.ts'], two: ['program.ts'] });
    start();
    const one = await connect('one');
    const two = await connect('two');
    writeFileSync(join(folder, 'mcp.yaml'), 'servers: [');
    expect(servers.list()).toHaveLength(2);
    expect(log).toContain('mcp.yaml:1');
    list({ two: ['program.ts', 'deaf'] });
    expect(servers.list().map(({ name }) => name)).toEqual(['two']);
    expect(await one.call('echo', { text: 'x' })).toMatchObject({ type: 'failure' });
    expect(await two.call('echo', { text: 'x' })).toMatchObject({ isDisconnected: true });
    await expect(connect('one')).rejects.toThrow('404');
  });
});

describe('connections', () => {
  test('do not see or stop one another’s calls', async () => {
    list({ one: ['program.ts'] });
    start();
    const [first, second] = [await connect(), await connect()];
    const hanging = first.call('hang');
    await expect.poll(calls).toEqual(['hang']);
    // Both count their requests alike, so the second one names the call of the first.
    for (let requestId = 0; requestId < 20; requestId++)
      await through('one')('http://studio.test/', {
        method: 'POST',
        headers: { [MCP_CONNECTION_HEADER]: second.id },
        body: JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }),
      });
    expect(await second.call('echo', { text: 'x' })).toMatchObject({ content: [{ text: 'x' }] });
    await first.session.close();
    expect(await hanging).toMatchObject({ type: 'failure' });
  });

  test.each([
    ['without a name', undefined, 'initialize', 400],
    ['with a name that could be guessed', '1', 'initialize', 400],
    ['that is not known, except by what begins one', crypto.randomUUID(), 'tools/call', 404],
  ])('%s are refused', async (_, id, method, status) => {
    list({ one: ['program.ts'] });
    start();
    const response = await through('one')('http://studio.test/', {
      method: 'POST',
      headers: id === undefined ? {} : { [MCP_CONNECTION_HEADER]: id },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: {} }),
    });
    expect(response.status).toBe(status);
    expect(calls()).toEqual([]);
  });

  test.each(['[]', '{"jsonrpc":"1.0"}', '"x"'])('pass on nothing but messages: %s', async (body) => {
    list({ one: ['program.ts'] });
    start();
    const headers = { [MCP_CONNECTION_HEADER]: crypto.randomUUID() };
    expect((await through('one')('http://studio.test/', { method: 'POST', headers, body })).status).toBe(400);
  });

  test('end when nobody has used them for a while', async () => {
    list({ one: ['program.ts'] });
    start();
    const { call } = await connect();
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + STUDIO_SERVER_LIMITS.idleMs + 60_000);
    await expect.poll(() => log, { timeout: 10_000 }).toContain('tool server ended');
    vi.restoreAllMocks();
    expect(await call('echo', { text: 'x' })).toMatchObject({ isDisconnected: true });
  });

  test('make room for others, if they are not in use', async () => {
    list({ one: ['program.ts'] });
    start();
    const all = [];
    for (let count = 0; count <= STUDIO_SERVER_LIMITS.programs; count++) all.push(await connect());
    expect(await all[0]?.call('echo', { text: 'x' })).toMatchObject({ isDisconnected: true });
    expect(await all[1]?.call('echo', { text: 'x' })).toMatchObject({ content: [{ text: 'x' }] });
  });

  test('of which nobody can be told that tools have changed end, so that no call goes by what was', async () => {
    list({ one: ['program.ts'] });
    start();
    const all = [];
    for (let count = 0; count <= STUDIO_SERVER_LIMITS.listeners; count++) all.push(await connect());
    const last = all.at(-1);
    expect(await last?.call('change')).toMatchObject({ content: [{ text: 'changed' }] });
    await expect.poll(() => log).toContain('tool server ended');
    expect(await last?.call('echo', { text: 'x' })).toMatchObject({ isDisconnected: true });
    expect(calls()).not.toContain('echo x');
  });
});
