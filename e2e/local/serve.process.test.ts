import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ROOT } from '#scripts/lib/run.ts';
import { CliBench, ended, trustConfig } from '../lib/cli-bench.ts';
import { isRunningWith } from '../lib/escape-bench.ts';
import { ToolClient } from '../lib/tool-client.ts';

let bench: CliBench;
let client: ToolClient;
beforeEach(async () => {
  bench = await CliBench.start();
});
afterEach(async () => {
  client.child.kill('SIGKILL');
  await bench.stop();
});

function serve(config = ''): ToolClient {
  if (config !== '') bench.write({ '.roundtrip/config.yaml': config });
  client = new ToolClient(bench.open(['serve', '--stdio']));
  return client;
}

/** Checks whether a small disk can be mounted. */
const canMount = (): boolean => spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

const WAIT = { timeout: 10_000 };

const ALLOWED = 'permissions:\n  write: allow\n  execute: allow\n';

describe('roundtrip serve', () => {
  test('lists tools with what a model needs', async () => {
    const { result } = await serve().request(1, 'list_tools');
    const tools = result?.tools as Record<string, unknown>[];
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['read_file', 'write_file', 'execute_bash', 'browser_js_eval', 'get_diagnostics']),
    );
    expect(tools.map(({ name }) => name)).not.toContain('preview_open');
    expect(tools.find(({ name }) => name === 'read_file')).toMatchObject({
      description: expect.any(String),
      parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
      required: ['path'],
      effect: 'read',
      metadata: {},
    });
    expect(tools.find(({ name }) => name === 'browser_js_eval')).toHaveProperty('output_schema');
  });

  test('the usual names answer, and file_path for path', async () => {
    bench.write({ 'a.txt': 'alpha\n', 'src/b.ts': 'const x: number = "no";\n' });
    const server = serve(ALLOWED);
    const contents = [];
    for (const [name, input] of [
      ['view', { file_path: 'a.txt' }],
      ['ls', { path: '/' }],
      ['glob', { pattern: '*.ts' }],
      ['grep', { pattern: 'alp' }],
      ['edit', { file_path: '/a.txt', find: 'alpha', replace: 'beta' }],
      ['write', { file_path: '/c.txt', content: 'c' }],
      ['bash', { command: 'cat a.txt c.txt' }],
      ['diagnostics', { file_path: '/src/b.ts' }],
    ] as const) {
      const { result } = await server.call(name, name, input);
      expect(result?.is_error, `${name}: ${result?.content}`).toBe(false);
      contents.push(result?.content);
    }
    expect(contents).toEqual([
      'alpha\n',
      'a.txt\nsrc/',
      '/src/b.ts',
      '/a.txt:1: alpha',
      expect.stringContaining('Success'),
      expect.stringContaining('Success'),
      'beta\nc',
      expect.stringContaining("/src/b.ts:1:7 error Type 'string' is not assignable"),
    ]);
  });

  test('what the configuration does not allow is denied with the reason', async () => {
    const server = serve('commands:\n  allow: [echo]\n');
    expect((await server.call(1, 'write', { path: '/x', content: 'x' })).result).toMatchObject({
      is_error: true,
      content: expect.stringContaining('write: allow'),
      metadata: { code: 'denied' },
    });
    expect((await server.call(2, 'bash', { command: 'echo hi' })).result).toMatchObject({ content: 'hi' });
    for (const command of ['echo hi; touch x', 'echo a[;touch x;]', 'echo hi # \ntouch x', 'echo $(($& 1))'])
      expect((await server.call(command, 'bash', { command })).result, command).toMatchObject({ is_error: true });
    expect(bench.read('x')).toBeUndefined();
    // In another folder, the same words could do something else.
    bench.write({ 'sub/a.txt': '' });
    expect((await server.call(4, 'bash', { command: 'echo hi', cwd: '/sub' })).result).toMatchObject({
      metadata: { code: 'denied' },
    });
  });

  test('an id that cannot be answered exactly is refused', async () => {
    const server = serve();
    for (const id of ['12345678901234567890', '1.5e400']) {
      const answer = server.wait(({ error }) => error !== undefined);
      server.send(`{"id":${id},"method":"list_tools"}`);
      expect((await answer).error?.message).toContain('too large to be answered exactly');
    }
  });

  test('requests that are wrong get an error with their id, and the process goes on', async () => {
    const server = serve();
    const first = server.wait(({ error }) => error?.code === 'parse-error');
    server.send('not json');
    expect(await first).toMatchObject({ id: null });
    expect(await server.request('a', 'fly')).toMatchObject({ error: { code: 'unknown-method' } });
    expect(await server.request({ n: [1] }, 'call_tool', { input: {} })).toMatchObject({
      id: { n: [1] },
      error: { code: 'invalid-params', message: expect.stringContaining('"name"') },
    });
    const invalid = server.wait(({ error }) => error?.code === 'invalid-request');
    server.send({ id: 7, method: 3 });
    expect(await invalid).toMatchObject({ id: 7 });
    expect((await server.call(true, 'view', { path: 3 })).result).toMatchObject({
      is_error: true,
      metadata: { code: 'invalid-input' },
    });
    expect((await server.call(1.5, 'nope')).result).toMatchObject({ metadata: { code: 'no-such-tool' } });
    expect((await server.call(null, 'ls')).result).toMatchObject({ is_error: false });
    expect(await server.end()).toBe(0);
  });

  test('a line of 50 MB is refused, and the next one is answered', async () => {
    const server = serve();
    const refused = server.wait(({ error }) => error?.code === 'line-too-long');
    server.child.stdin?.write(
      `{"id":1,"method":"call_tool","params":{"name":"write","input":{"content":"${'x'.repeat(50_000_000)}"}}}\n`,
    );
    expect(await refused).toMatchObject({ id: null });
    expect((await server.call(2, 'ls')).result).toMatchObject({ is_error: false });
  });

  test('writes come in the order in which they were sent, and reads see those before them', async () => {
    const server = serve(ALLOWED);
    const answers = Array.from({ length: 40 }, (_, index) =>
      index % 2 === 0
        ? server.call(index, 'write', { path: '/n.txt', content: String(index) })
        : server.call(index, 'view', { path: '/n.txt' }),
    );
    const results = await Promise.all(answers);
    for (let index = 1; index < 40; index += 2) expect(results[index]?.result?.content).toBe(String(index - 1));
    expect(bench.read('n.txt')).toBe('38');
  });

  test('reads run side by side', async () => {
    bench.write({ 'a.txt': `${'a'.repeat(30)}!\n`, 'b.txt': 'b' });
    const server = serve();
    // Never finishes before its time limit, on a thread of its own.
    const slow = server.call('slow', 'grep', { pattern: '^(a+)+$' });
    expect((await server.call('fast', 'view', { path: '/b.txt' })).result?.content).toBe('b');
    expect(server.messages.some(({ id }) => id === 'slow')).toBe(false);
    expect(await server.request('stop', 'cancel', { id: 'slow' })).toMatchObject({ result: { cancelled: true } });
    expect((await slow).result).toMatchObject({ is_error: true, metadata: { code: 'aborted' } });
  });

  test('cancel ends a command with everything that it has started', async () => {
    const server = serve(ALLOWED);
    const mark = `60.${randomInt(1e9)}`;
    const running = server.request(1, 'call_tool', {
      name: 'bash',
      input: { command: `sleep ${mark} & touch begun.txt; sleep 60; touch late.txt` },
    });
    await vi.waitFor(() => expect([bench.read('begun.txt'), isRunningWith(mark)]).toEqual(['', true]), WAIT);
    await server.request(2, 'cancel', { id: 1 });
    expect((await running).result).toMatchObject({ metadata: { code: 'aborted' } });
    expect(await server.request(3, 'cancel', { id: 'none' })).toMatchObject({ result: { cancelled: false } });
    expect(bench.read('late.txt')).toBeUndefined();
    await vi.waitFor(() => expect(isRunningWith(mark)).toBe(false), WAIT);
  });

  test('the same id twice at once is refused', async () => {
    const server = serve(ALLOWED);
    server.send({ id: 1, method: 'call_tool', params: { name: 'bash', input: { command: 'sleep 1; echo done' } } });
    const refused = server.wait(({ error }) => error?.code === 'duplicate-id');
    server.send({ id: 1, method: 'call_tool', params: { name: 'ls' } });
    expect(await refused).toMatchObject({ id: 1 });
    expect((await server.wait(({ result }) => result?.content === 'done')).id).toBe(1);
  });

  test('the end of the input finishes what runs, and ends with 0', async () => {
    const server = serve(ALLOWED);
    server.send({ id: 1, method: 'call_tool', params: { name: 'bash', input: { command: 'sleep 1; echo late' } } });
    server.send({ id: 2, method: 'call_tool', params: { name: 'write', input: { path: '/w.txt', content: 'w' } } });
    expect(await server.end()).toBe(0);
    expect(server.messages.map(({ result }) => result?.content)).toEqual(['late', expect.stringContaining('Success')]);
  });

  test('SIGTERM ends what runs, answers it, and ends with 130', async () => {
    const server = serve(ALLOWED);
    const running = server.request(1, 'call_tool', {
      name: 'bash',
      input: { command: 'sleep 60; touch late.txt' },
      progress: true,
    });
    await server.wait(({ method }) => method === 'progress');
    const end = new Promise<number | null>((resolve) => server.child.once('close', resolve));
    server.child.kill('SIGTERM');
    expect((await running).result).toMatchObject({ metadata: { code: 'aborted' } });
    expect(await end).toBe(130);
    expect(bench.read('late.txt')).toBeUndefined();
  });

  test('a line that is nested too deeply to be read gets an error', async () => {
    const server = serve();
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    server.send(`{"id":1,"method":"call_tool","params":{"name":"view","input":{"path":${deep}}}}`);
    server.send(`{"id":${deep},"method":"ls"}`);
    await server.wait(({ error, result }) => error !== undefined || result?.is_error === true);
    expect((await server.call(2, 'ls')).result).toMatchObject({ is_error: false });
  });

  test('cancel is answered while many calls wait', async () => {
    const server = serve(ALLOWED);
    const first = server.call('first', 'bash', { command: 'sleep 60' });
    const others = Array.from({ length: 1_000 }, (_, index) => server.call(index, 'ls'));
    await server.request('cancel', 'cancel', { id: 'first' });
    expect((await first).result).toMatchObject({ metadata: { code: 'aborted' } });
    for (const { result } of await Promise.all(others)) expect(result?.is_error).toBe(false);
  });

  test('what was changed can be undone afterwards', async () => {
    bench.write({ 'a.txt': 'one' });
    const server = serve(ALLOWED);
    await server.call(1, 'view', { path: '/a.txt' });
    await server.call(2, 'write', { path: '/a.txt', content: 'two' });
    await server.call(3, 'bash', { command: 'echo new > b.txt' });
    await server.end();
    expect((await bench.run(['undo', '--yes'])).code).toBe(0);
    expect(bench.files()).toEqual(new Map([['/a.txt', 'one']]));
  });

  test('commands can use a git repository, but cannot make git run programs later', async () => {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: bench.folder });
    bench.write({ 'a.txt': 'one' });
    git('init', '--quiet');
    for (const [name, value] of [
      ['user.name', 'A'],
      ['user.email', 'a@example.com'],
    ] as const)
      git('config', name, value);
    rmSync(join(bench.folder, '.git/hooks'), { recursive: true, force: true });
    const config = bench.read('.git/config');
    const server = serve(ALLOWED);
    const bash = async (command: string) => (await server.call(command, 'bash', { command })).result;
    expect(await bash('git add . && git commit --quiet -m First && git status --porcelain && ls -A')).toMatchObject({
      structured: { exitCode: 0, stdout: '.git\n.roundtrip\na.txt\n', stderr: '' },
    });
    const stopped = 'touch .git/commondir && sleep 20';
    expect((await server.call(stopped, 'bash', { command: stopped, timeout: 1 })).result).toMatchObject({
      is_error: true,
      content: expect.stringContaining('from there: .git/commondir.'),
    });
    for (const [command, message] of [
      ['git config core.fsmonitor ./evil', 'could not write config file .git/config'],
      ['mv .git moved', 'busy'],
      ['mkdir .git/hooks && touch .git/hooks/post-commit', 'Removed again'],
      ['echo ../evil > .git/commondir', 'Removed again'],
      ['ln -s ../evil .git/hooks', 'Removed again'],
      ['rm -rf .git', 'history of a repository'],
    ] as const) {
      const result = await bash(command);
      expect(result?.content, command).toMatch(new RegExp(message));
    }
    for (const path of ['/.git/hooks/x', '/.git/config', '/.git/info/attributes'])
      expect((await server.call(path, 'write', { path, content: 'x' })).result, path).toMatchObject({ is_error: true });
    expect(bench.read('.git/config')).toBe(config);
    expect(existsSync(join(bench.folder, '.git/hooks'))).toBe(false);
    expect(git('log', '--format=%s').toString()).toBe('First\n');
  });

  test.skipIf(!canMount())('on a full disk, a write fails as a whole, and others go on', async () => {
    const place = join(bench.outside, 'full');
    mkdirSync(place);
    const script = [
      `mount -t tmpfs -o size=700k none '${place}' && cd '${place}' && mkdir .roundtrip`,
      `printf '${ALLOWED.replaceAll('\n', '\\n')}' > .roundtrip/config.yaml`,
      `'${process.execPath}' '${join(ROOT, 'bin/roundtrip.js')}' serve --stdio && find . -size +100k`,
    ].join(' && ');
    const write = (id: number, content: string) =>
      JSON.stringify({ id, method: 'call_tool', params: { name: 'write', input: { path: '/a.txt', content } } });
    const view = JSON.stringify({ id: 3, method: 'call_tool', params: { name: 'view', input: { path: '/a.txt' } } });
    trustConfig(place, ALLOWED, bench.environment);
    const child = spawn('unshare', ['-rm', 'bash', '-c', script], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: bench.environment,
    });
    child.stdin.end([write(1, 'small'), write(2, 'x'.repeat(699_000)), view, write(4, 'again')].join('\n'));
    const { stdout, code } = await ended(child);
    expect(code).toBe(0);
    const contents = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).result.content);
    expect(contents).toEqual([
      expect.stringContaining('Success'),
      expect.stringMatching(/^ENOSPC: the disk is full; free some space, then try again: \/a.txt/),
      'small',
      expect.stringContaining('Success'),
    ]);
    client = serve();
  });

  test('a file that another program changed is not overwritten unseen', async () => {
    bench.write({ 'a.txt': 'one' });
    const server = serve(ALLOWED);
    await server.call(1, 'view', { path: '/a.txt' });
    bench.write({ 'a.txt': 'theirs' });
    expect((await server.call(2, 'write', { path: '/a.txt', content: 'mine' })).result).toMatchObject({
      is_error: true,
      content: expect.stringContaining('has changed since'),
    });
    expect(bench.read('a.txt')).toBe('theirs');
  });

  test('code runs with the state of the call before it', async () => {
    const server = serve(ALLOWED);
    bench.write({ 'n.txt': '20' });
    await server.call(1, 'browser_js_eval', { code: 'let n = Number(await vfs.readFile("/n.txt"))' });
    const { result } = await server.call(2, 'browser_js_eval', { code: 'n * 2 + 2' });
    expect(result?.content).toBe('42');
    expect(result?.structured).toMatchObject({ value: { type: 'text', text: '42' } });
  });

  test('only the protocol is written to standard output', async () => {
    const child = bench.start(['serve', '--stdio'], {
      input: '{"id":1,"method":"list_tools"}\n',
      env: { LOG_LEVEL: 'debug' },
    });
    const { stdout, code } = await ended(child);
    expect(code).toBe(0);
    for (const line of stdout.trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ id: 1 });
    client = serve();
  });
});
