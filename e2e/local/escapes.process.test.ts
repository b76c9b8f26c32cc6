// Attempts to get out of the folder. It is longer than 400 lines because each way out has a table of attempts, and all
// of them share one tool server and what is checked after each.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ROOT } from '#scripts/lib/run.ts';
import { SECRET as MODEL_KEY } from '../lib/bench.ts';
import { CliBench } from '../lib/cli-bench.ts';
import { ToolClient } from '../lib/tool-client.ts';

/** What no answer may contain. */
const SECRETS = {
  outside: 'outside-secret-4711',
  home: 'home-secret-1234',
  key: 'key-secret-0815',
  session: 'session-secret-9876',
  victim: 'victim-secret-5555',
  model: MODEL_KEY,
};

/** What only commands may read. */
const CANARY = 'canary-of-the-configuration';

const CONFIG = `# ${CANARY}\npermissions:\n  write: allow\n  execute: allow\n`;

/** Where the home of the server is made. */
const CACHE = join(ROOT, 'node_modules/.cache');

/** How long a race runs, in milliseconds. */
const RACE_MS = 2_000;

/** What is not to be reached. */
interface Outside {
  /** A folder next to the one that is worked on. */
  folder: string;
  /** A file in it, with a secret. */
  secret: string;
  home: string;
  tcpPort: number;
  udpPort: number;
  unixSocket: string;
  abstractSocket: string;
  serverPid: number;
  /** A process of the same user that the test has started. */
  victimPid: number;
}

interface Answer {
  content: string;
  /** Whether it says that it did not work. */
  hasFailed: boolean;
}

let bench: CliBench;
let client: ToolClient;
let outside: Outside;
let victim: ChildProcess;
let udp: UdpSocket;
const servers: Server[] = [];
/** How many connections, or packets, have arrived. */
let arrivals = 0;
/** Whether commands are confined on this machine. */
let isConfined = false;
let before: Map<string, string>;

beforeAll(async () => {
  bench = await CliBench.start();
  const folder = join(bench.outside, 'others');
  mkdirSync(join(folder, 'below'), { recursive: true });
  const secret = join(folder, 'secret.txt');
  for (const place of [secret, join(folder, 'below/secret.txt'), join(bench.outside, 'secret.txt')])
    writeFileSync(place, `${SECRETS.outside}\n`);
  // Not in a folder for temporary files, which is hidden anyway.
  mkdirSync(CACHE, { recursive: true });
  const home = realpathSync(mkdtempSync(join(CACHE, 'escapes-home-')));
  // The places that the confinement's runtime would open by default.
  for (const name of ['.ssh', '.npm/_logs', '.claude/debug']) mkdirSync(join(home, name), { recursive: true });
  for (const name of ['private.txt', '.ssh/id', '.npm/_logs/log', '.claude/debug/log'])
    writeFileSync(join(home, name), `${SECRETS.home}\n`);
  const unixSocket = join(bench.outside, 'socket');
  const abstractSocket = `escapes-${process.pid}`;
  const tcpPort = ((await listen({ port: 0, host: '127.0.0.1' })) as AddressInfo).port;
  await listen({ path: unixSocket });
  if (process.platform === 'linux') await listen({ path: `\0${abstractSocket}` });
  udp = createSocket('udp4').on('message', () => arrivals++);
  udp.bind(0, '127.0.0.1');
  await once(udp, 'listening');
  victim = spawn('sleep', ['600'], { env: { ...process.env, VICTIM: SECRETS.victim }, stdio: 'ignore' });

  bench.write({
    '.roundtrip/config.yaml': CONFIG,
    '.roundtrip/sessions/other.jsonl': `${JSON.stringify({ role: 'user', content: SECRETS.session })}\n`,
    'plain.txt': 'plain\n',
    'src/a.ts': 'export const a = 1;\n',
  });
  const git = spawnSync('git', ['init', '--quiet', '--template=', bench.folder]);
  if (git.status !== 0) throw new Error(`git: ${git.error?.message ?? git.stderr.toString()}`);
  bench.write({ '.git/hooks/post-merge': '#!/bin/sh\n' });
  client = new ToolClient(bench.open(['serve', '--stdio'], { HOME: home, FAKE_API_KEY: SECRETS.key }));
  outside = {
    ...{ folder, secret, home, tcpPort, unixSocket, abstractSocket },
    ...{ udpPort: udp.address().port, serverPid: client.child.pid ?? -1, victimPid: victim.pid ?? -1 },
  };
  // What is attempted below would do harm if it worked, so it must be certain that other processes are out of reach.
  const { content } = await attempt('bash', {
    command: `python3 -c "print(6 * 7)"; test -e /proc/${outside.serverPid} || echo confined`,
  });
  isConfined = content === '42\nconfined';
  before = state();
});
afterAll(async () => {
  victim?.kill('SIGKILL');
  client?.child.kill('SIGKILL');
  udp?.close();
  for (const server of servers) server.close();
  if (outside !== undefined) rmSync(outside.home, { recursive: true, force: true });
  await bench?.stop();
});
afterEach(() => {
  const [earlier, count] = [before, arrivals];
  // What one attempt has done is not counted for the next one.
  [before, arrivals] = [state(), 0];
  expect(before).toEqual(earlier);
  expect(count).toBe(0);
});

/** Listens for connections that are counted. */
async function listen(where: object): Promise<unknown> {
  const server = createServer((socket) => {
    arrivals++;
    socket.on('error', () => undefined).end(SECRETS.outside);
  });
  servers.push(server);
  server.listen(where);
  await once(server, 'listening');
  return server.address();
}

/** Everything outside of the folder, and what git runs, and what belongs to the program. */
function state(): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (path: string) => {
    if (path === bench.folder) return;
    const entry = lstatSync(path, { throwIfNoEntry: false });
    if (entry === undefined) return;
    const mode = entry.mode.toString(8);
    if (entry.isDirectory()) {
      found.set(path, mode);
      for (const name of readdirSync(path)) visit(join(path, name));
    } else if (entry.isSymbolicLink()) found.set(path, readlinkSync(path));
    else found.set(path, entry.isFile() ? `${mode} ${readFileSync(path, 'utf8')}` : mode);
  };
  for (const path of [bench.outside, outside.home]) visit(path);
  for (const path of ['.git/config', '.git/hooks', '.git/commondir', '.git/config.worktree', '.roundtrip/config.yaml'])
    visit(join(bench.folder, path));
  visit(join(bench.folder, '.roundtrip/sessions'));
  return found;
}

let calls = 0;

/** Calls a tool. Whatever it answers, neither a secret nor a path of the machine may be in it. */
async function attempt(name: string, input: object, server = client): Promise<Answer> {
  const message = await server.call(++calls, name, input);
  const text = JSON.stringify(message);
  for (const secret of Object.values(SECRETS)) expect(text, `${name} ${JSON.stringify(input)}`).not.toContain(secret);
  expect(text).not.toContain(bench.folder);
  const { content = '', is_error: isError = true } = message.result ?? {};
  return { content, hasFailed: isError || /\[exit code [1-9]\d*\]$/.test(content) };
}

/** Calls a tool whose answer must say that it did not work. */
async function refused(name: string, input: object, server = client): Promise<string> {
  const { content, hasFailed } = await attempt(name, input, server);
  expect(hasFailed, `${name} ${JSON.stringify(input).slice(0, 500)} answered: ${content}`).toBe(true);
  expect(content.trim()).not.toBe('');
  return content;
}

/** A word for bash that means exactly this text. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const python = (code: string): string => `python3 -c ${quoted(code)}`;

/** Skips what needs confinement where there is none; where everything must be tested, that is a failure. */
function needsConfinement(): void {
  beforeEach(({ skip }) => {
    skip(!isConfined && !process.env.CI, 'commands cannot be confined here, or there is no python3');
    expect(isConfined, 'commands are confined, and there is a python3').toBe(true);
  });
}

const isLinux = process.platform === 'linux';

/** Tools that read a path, and what they are given besides. */
const READING: [string, (path: string) => object][] = [
  ['read_file', (path) => ({ path })],
  ['list_directory', (path) => ({ path, recursive: true })],
  ['search_text', (path) => ({ path, pattern: 'secret' })],
  ['search_files', (path) => ({ path, pattern: '**' })],
  ['count_lines', (path) => ({ path })],
  ['copy_path', (path) => ({ from: path, to: '/copied' })],
  ['browser_js_eval', (path) => ({ code: `await vfs.readFile(${JSON.stringify(path)})` })],
];

/** Tools that write a file. */
const WRITING: [string, (path: string) => object][] = [
  ['write_file', (path) => ({ path, content: 'written' })],
  ['edit_file', (path) => ({ path, find: 'secret', replace: 'written' })],
  ['multi_edit', (path) => ({ path, edits: [{ find: 'secret', replace: 'written' }] })],
  ['apply_patch', (path) => ({ patch: `--- a${path}\n+++ b${path}\n@@ -1 +1 @@\n-${SECRETS.outside}\n+written\n` })],
  ['copy_path', (path) => ({ from: '/plain.txt', to: path })],
  ['move_path', (path) => ({ from: '/src/a.ts', to: path })],
  ['browser_js_eval', (path) => ({ code: `await vfs.writeFile(${JSON.stringify(path)}, "written")` })],
];

describe('what the attempts rely on', () => {
  test('what is outside is there, so that it could be reached', async () => {
    expect(readFileSync(outside.secret, 'utf8')).toContain(SECRETS.outside);
    expect(lstatSync(join(outside.home, 'private.txt')).isFile()).toBe(true);
    for (const where of [{ port: outside.tcpPort, host: '127.0.0.1' }, { path: outside.unixSocket }]) {
      arrivals = 0;
      const socket = connect(where).resume();
      await once(socket, 'close');
      expect(arrivals).toBe(1);
    }
    arrivals = 0;
    expect(victim.exitCode).toBeNull();
  });

  test.skipIf(!isLinux)('the server has the keys', () => {
    const environment = readFileSync(`/proc/${outside.serverPid}/environ`, 'utf8');
    expect(environment).toContain(SECRETS.key);
    expect(environment).toContain(SECRETS.model);
  });

  describe('confinement', () => {
    needsConfinement();
    test('commands run, and write in the folder', async () => {
      expect(await attempt('bash', { command: 'echo made > made.txt; cat made.txt' })).toMatchObject({
        content: 'made',
        hasFailed: false,
      });
      expect(bench.read('made.txt')).toBe('made\n');
    });

    test('code runs', async () => {
      expect((await attempt('browser_js_eval', { code: '6 * 7' })).content).toMatch(/^42\b/);
    });
  });
});

const PATHS: [string, string | (() => string)][] = [
  ['the folder above', '..'],
  ['the folder above, from the root', '/..'],
  ['a file above', '../others/secret.txt'],
  ['a file above, from the root', '/../others/secret.txt'],
  ['through a folder', '/src/../../others/secret.txt'],
  ['through a folder that is not there', '/none/../../others/secret.txt'],
  ['with dots and slashes', '/.//./..//others/./secret.txt'],
  ['many folders up', `${'/..'.repeat(40)}/etc/passwd`],
  ['an absolute path of the machine', () => outside.secret],
  ['a file of the system', '/etc/passwd'],
  ['an address of a file', 'file:///etc/passwd'],
  ['the environment of the server', '/proc/self/environ'],
  ['the folder of the server', '/proc/self/cwd/../others/secret.txt'],
  ['the root of the server', '/proc/self/root/etc/passwd'],
  ['a NUL at the end', '/../others/secret.txt\0'],
  ['a NUL in the middle', '/plain.txt\0/../../others/secret.txt'],
  ['a NUL and another ending', '../others/secret.txt\0.md'],
  ['dots as percent encoding', '/%2e%2e/others/secret.txt'],
  ['slashes as percent encoding', '/..%2fothers%2fsecret.txt'],
  ['percent encoding twice', '/%252e%252e%252fothers%252fsecret.txt'],
  ['overlong encoding', '/..%c0%afothers%c0%afsecret.txt'],
  ['backslashes', '..\\others\\secret.txt'],
  ['backslashes and slashes', '/src\\..\\../..\\others/secret.txt'],
  ['a drive', 'C:\\Windows\\win.ini'],
  ['dots and slashes that look alike', '/\uff0e\uff0e\u2215others\u2215secret.txt'],
  ['home', '~/private.txt'],
  ['a variable', '$HOME/private.txt'],
  ['substitution', '$(cat /etc/passwd)'],
];

describe('paths', () => {
  test.each(PATHS)('%s: nothing is read', async (_, given) => {
    const path = typeof given === 'string' ? given : given();
    for (const [name, input] of READING) {
      const { content, hasFailed } = await attempt(name, input(path));
      // A path that is not there is not an error for all of them.
      if (!hasFailed) expect(content, name).toMatch(/^(No |0 |There are no )/);
    }
    await refused('read_file', { path });
    expect(bench.read('copied')).toBeUndefined();
  });

  test.each(PATHS)('%s: nothing is written outside', async (_, given) => {
    // Should it work, nothing of the machine may be lost.
    const path = (typeof given === 'string' ? given : given()).replace('passwd', 'escaped');
    for (const name of ['write_file', 'make_directory', 'delete_path']) {
      const { hasFailed } = await attempt(name, { path, content: 'written', recursive: true });
      // What looks strange can still be a name. Then it is one in the folder.
      if (!hasFailed && name === 'write_file') expect((await attempt('read_file', { path })).content).toBe('written');
    }
    expect(existsSync('/etc/escaped')).toBe(false);
  });

  test.each([
    ['a name of 300 characters', `/${'n'.repeat(300)}`],
    ['a name of a million characters', `/${'n'.repeat(1_000_000)}`],
    ['3,000 folders', `${'/d'.repeat(3_000)}/f`],
    ['20,000 folders up', `${'/..'.repeat(20_000)}/etc/passwd`],
  ])('%s: refused, and the server goes on', async (_, path) => {
    await refused('read_file', { path });
    await refused('write_file', { path, content: 'written' });
    expect((await attempt('read_file', { path: '/plain.txt' })).content).toBe('plain\n');
  });

  test.each(['..', '/../others', '/proc/self/cwd/..', '/none', '/plain.txt', "/'; cat ../others/secret.txt; '"])(
    'a command in %s does not run',
    async (cwd) => {
      await refused('bash', { command: 'touch ran.txt; cat secret.txt', cwd });
      expect(bench.read('ran.txt')).toBeUndefined();
    },
  );

  test('a command in an absolute path of the machine does not run', async () => {
    await refused('bash', { command: 'cat secret.txt', cwd: outside.folder });
  });
});

/** Stands for the absolute path of a secret. */
const OUTSIDE = 'outside';

/** Symlinks of the folder, and what is reached through each. */
const LINKS: [string, string, () => string, string][] = [
  ['to a file', 'file-link', () => outside.secret, ''],
  ['to a file, relative', 'relative-link', () => '../others/secret.txt', ''],
  ['to a folder', 'folder-link', () => outside.folder, '/secret.txt'],
  ['to a folder, relative', 'src/up-link', () => '../../others', '/below/secret.txt'],
  ['to the root of the machine', 'root-link', () => '/', OUTSIDE],
  ['to the folder above the folder', 'above-link', () => '..', '/secret.txt'],
  ['to another one', 'chain-link', () => 'chain-2', ''],
  ['to another one of a folder', 'chain-folder', () => 'folder-link/below', '/secret.txt'],
  ['to nothing', 'dangling-link', () => join(outside.folder, 'new.txt'), ''],
  ['to nothing in a folder', 'dangling-folder', () => join(outside.folder, 'new'), '/new.txt'],
  ['through the folder of the server', 'proc-link', () => '/proc/self/cwd/../others', '/secret.txt'],
];

describe('symlinks', () => {
  beforeEach(() => {
    bench.write({ 'src/a.ts': 'export const a = 1;\n' });
    for (const [name, target] of [['chain-2', () => 'file-link'] as const, ...LINKS.map(([, ...link]) => link)]) {
      rmSync(join(bench.folder, name), { force: true });
      symlinkSync(target(), join(bench.folder, name));
    }
  });

  describe.each(LINKS)('%s', (_, name, __, below) => {
    const there = () => `/${name}${below === OUTSIDE ? outside.secret : below}`;

    test.each(READING)('%s reads nothing', async (tool, input) => {
      for (const at of new Set([there(), `/${name}`])) {
        const { content, hasFailed } = await attempt(tool, input(at));
        if (!hasFailed && tool !== 'copy_path') expect(content, at).toMatch(/^(No |0 |There are no )/);
      }
      // A link may be copied as a link.
      const copy = lstatSync(join(bench.folder, 'copied'), { throwIfNoEntry: false });
      expect(copy === undefined || copy.isSymbolicLink()).toBe(true);
      rmSync(join(bench.folder, 'copied'), { force: true });
    });

    test.each(WRITING)('%s writes nothing', async (tool, input) => {
      const content = await attempt(tool, input(there()));
      // Some replace the link itself, which is in the folder.
      const isReplaced = lstatSync(join(bench.folder, name)).isFile();
      expect(content.hasFailed, content.content).toBe(!isReplaced);
      if (tool !== 'move_path' || !isReplaced) expect(bench.read('src/a.ts')).toBe('export const a = 1;\n');
    });

    test('folders are neither made nor deleted below it', async () => {
      await refused('make_directory', { path: `/${name}/made` });
      await refused('delete_path', { path: below === '' ? `/${name}/x` : there(), recursive: true });
      await refused('move_path', { from: below === '' ? `/${name}/x` : there(), to: '/taken' });
      expect(existsSync(join(bench.folder, 'taken'))).toBe(false);
    });
  });

  test('searching everything does not follow them', async () => {
    for (const [tool, input] of READING.filter(([tool]) => /search|list|count/.test(tool)))
      expect((await attempt(tool, input('/'))).content).not.toContain('below/');
    await attempt('get_diagnostics', { path: '/' });
    await attempt('get_diagnostics', { path: '/folder-link' });
  });

  test('deleting one deletes what is in the folder only', async () => {
    symlinkSync(outside.folder, join(bench.folder, 'doomed-link'));
    await attempt('delete_path', { path: '/doomed-link', recursive: true });
    mkdirSync(join(bench.folder, 'doomed'));
    symlinkSync(outside.folder, join(bench.folder, 'doomed/link'));
    expect((await attempt('delete_path', { path: '/doomed', recursive: true })).hasFailed).toBe(false);
    expect(bench.read('doomed')).toBeUndefined();
  });

  describe('made by a command', () => {
    needsConfinement();

    test.each(WRITING)('%s does not write through them', async (tool, input) => {
      const name = `bash-${tool}`;
      await attempt('bash', { command: `ln -s ../others ${name} && ln -s ../others/secret.txt ${name}-file` });
      expect(readlinkSync(join(bench.folder, name))).toBe('../others');
      await refused(tool, input(`/${name}/secret.txt`));
      await attempt(tool, input(`/${name}-file`));
    });

    test('in place of a file that was read before', async () => {
      bench.write({ 'exchanged.txt': 'secret\n', 'exchanged/secret.txt': 'secret\n' });
      for (const path of ['/exchanged.txt', '/exchanged/secret.txt']) await attempt('read_file', { path });
      await attempt('bash', {
        command: 'rm -r exchanged.txt exchanged; ln -s ../others/secret.txt exchanged.txt; ln -s ../others exchanged',
      });
      for (const [tool, input] of WRITING) {
        await refused(tool, input('/exchanged/secret.txt'));
        await attempt(tool, input('/exchanged.txt'));
        rmSync(join(bench.folder, 'exchanged.txt'), { force: true });
        symlinkSync('../others/secret.txt', join(bench.folder, 'exchanged.txt'));
      }
      for (const [tool, input] of READING) await attempt(tool, input('/exchanged.txt'));
    });

    test.each([
      'cat file-link',
      'cat folder-link/secret.txt',
      'cat ../others/secret.txt',
      'echo written > file-link',
      'echo written > dangling-link',
      'cp plain.txt folder-link/',
      'touch root-link/usr/escaped',
      'ln file-link hard && cat hard',
    ])('%s', async (command) => {
      await refused('bash', { command });
    });
  });
});

describe('races', () => {
  /** A program of its own exchanges an entry of the folder for a symlink and back, as fast as it can. */
  async function whileExchanging(name: string, target: string, use: (round: number) => Promise<unknown>) {
    const script = `
      const { existsSync, renameSync, rmSync, symlinkSync, unlinkSync } = require('node:fs');
      const [place, target] = process.argv.slice(1);
      for (let rounds = 1; ; rounds++) {
        try {
          symlinkSync(target, place + '.link');
          renameSync(place, place + '.kept');
          renameSync(place + '.link', place);
          unlinkSync(place);
          renameSync(place + '.kept', place);
        } catch {
          // A tool was faster, and has made something in this place.
          rmSync(place + '.link', { force: true });
          if (existsSync(place + '.kept')) {
            rmSync(place, { recursive: true, force: true });
            renameSync(place + '.kept', place);
          }
        }
        if (rounds % 100 === 0) process.stdout.write('.');
      }`;
    const racer = spawn(process.execPath, ['-e', script, join(bench.folder, name), target], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let dots = 0;
    racer.stdout.on('data', (data: Buffer) => {
      dots += data.length;
    });
    try {
      await vi.waitFor(() => expect(dots).toBeGreaterThan(0));
      const end = Date.now() + RACE_MS;
      let round = 0;
      while (Date.now() < end) await use(round++);
      expect(racer.exitCode, 'the other program still runs').toBeNull();
      expect(dots).toBeGreaterThan(1);
      return round;
    } finally {
      racer.kill('SIGKILL');
      await vi.waitFor(() => expect(racer.exitCode ?? racer.signalCode).not.toBeNull());
    }
  }

  test('a folder that is exchanged for a symlink: nothing outside is written', async () => {
    bench.write({ 'race/secret.txt': 'secret\n', 'race/below/secret.txt': 'secret\n' });
    let worked = 0;
    const rounds = await whileExchanging('race', outside.folder, async (round) => {
      const answers = await Promise.all([
        attempt('write_file', { path: `/race/new-${round}.txt`, content: 'written' }),
        attempt('write_file', { path: '/race/below/secret.txt', content: 'written' }),
        attempt('edit_file', { path: '/race/secret.txt', find: 'secret', replace: 'secret' }),
        attempt('make_directory', { path: `/race/made-${round}` }),
        attempt('move_path', { from: `/race/new-${round}.txt`, to: `/race/below/moved-${round}.txt` }),
        attempt('delete_path', { path: '/race/below/secret.txt' }),
      ]);
      worked += answers.filter(({ hasFailed }) => !hasFailed).length;
    });
    expect(rounds).toBeGreaterThan(5);
    expect(worked).toBeGreaterThan(0);
  });

  test('a folder that is exchanged for a symlink: nothing outside is read', async () => {
    bench.write({ 'reading/secret.txt': 'inside\n', 'reading/below/secret.txt': 'inside\n' });
    let worked = 0;
    await whileExchanging('reading', outside.folder, async () => {
      const answers = await Promise.all([
        attempt('read_file', { path: '/reading/secret.txt' }),
        attempt('read_file', { path: '/reading/below/secret.txt' }),
        attempt('list_directory', { path: '/reading', recursive: true }),
        attempt('search_text', { path: '/reading', pattern: 'outside' }),
        attempt('copy_path', { from: '/reading', to: `/copied-${calls}` }),
      ]);
      worked += answers.filter(({ hasFailed }) => !hasFailed).length;
    });
    expect(worked).toBeGreaterThan(0);
    for (const text of bench.files().values()) expect(text).not.toContain(SECRETS.outside);
  });

  test('a file that is exchanged for a symlink', async () => {
    bench.write({ 'raced.txt': 'secret\n' });
    let worked = 0;
    await whileExchanging('raced.txt', outside.secret, async () => {
      const answers = await Promise.all([
        attempt('read_file', { path: '/raced.txt' }),
        attempt('write_file', { path: '/raced.txt', content: 'secret\n' }),
        attempt('edit_file', { path: '/raced.txt', find: 'secret', replace: 'secret' }),
        attempt('copy_path', { from: '/raced.txt', to: `/raced-${calls}` }),
      ]);
      worked += answers.filter(({ hasFailed }) => !hasFailed).length;
    });
    expect(worked).toBeGreaterThan(0);
    for (const text of bench.files().values()) expect(text).not.toContain(SECRETS.outside);
  });

  describe('with commands', () => {
    needsConfinement();

    test('a folder that is exchanged while commands run in it', async () => {
      bench.write({ 'racing/secret.txt': 'inside\n' });
      await whileExchanging('racing', outside.folder, (round) =>
        attempt('bash', { command: `cat secret.txt; echo written > new-${round}.txt`, cwd: '/racing' }),
      );
    });
  });
});

describe('metacharacters', () => {
  const NAMES = [
    'line\nbreak.txt',
    'quotes"and\'more.txt',
    '$(touch pwned)',
    '`touch pwned`',
    '; touch pwned;',
    '| touch pwned',
    "'; touch pwned; '",
    '"; touch pwned; "',
    '&& touch pwned',
    '-rf',
    '--help',
    '--pre=touch',
    '*',
    '{a,b}',
    '!touch',
    '%s%n%x',
    '\u202egnp.txt',
    '\u001b]0;title\u0007',
  ];

  test.each(NAMES)('a file named %j is only a file', async (name) => {
    const path = `/${name}`;
    const { hasFailed } = await attempt('write_file', { path, content: 'content of a file' });
    if (!hasFailed) {
      expect(bench.read(name)).toBe('content of a file');
      expect((await attempt('read_file', { path })).content).toBe('content of a file');
      for (const [tool, input] of READING) await attempt(tool, input(path));
      rmSync(join(bench.folder, 'copied'), { recursive: true, force: true });
      await attempt('move_path', { from: path, to: `${path}/` });
      expect((await attempt('delete_path', { path })).hasFailed).toBe(false);
    }
    for (const tool of ['search_text', 'search_files']) await attempt(tool, { pattern: name, path: '/' });
    await attempt('search_text', { pattern: 'plain', glob: name });
    expect(bench.read('pwned')).toBeUndefined();
    expect(bench.read('plain.txt')).toBe('plain\n');
  });

  describe('in commands', () => {
    needsConfinement();

    test.each(NAMES)('a command in a folder named %j runs there', async (name) => {
      mkdirSync(join(bench.folder, name));
      const { content } = await attempt('bash', { command: 'touch ran; ls', cwd: `/${name}` });
      expect(content).toBe('ran');
      expect(readdirSync(join(bench.folder, name))).toEqual(['ran']);
      expect(bench.read('pwned')).toBeUndefined();
      rmSync(join(bench.folder, name), { recursive: true });
    });

    test.each([
      `cat '$(cat ../others/secret.txt)'`,
      `cat -- '-e;../others/secret.txt'`,
      `ls $'line\\n../others'`,
      `bash -c 'cat "$1"' - ../others/secret.txt`,
      `cat ../../*/others/secret.txt`,
      `cat "$(dirname "$PWD")/others/secret.txt"`,
      `cat < ../others/secret.txt`,
    ])('%s', async (command) => {
      await refused('bash', { command });
    });
  });
});

describe('the environment', () => {
  /** Long output is cut, so only the lines with keys are printed. */
  const keysOf = (command: string) => `{ ${command}; } 2>/dev/null | tr '\\0' '\\n' | grep -a _KEY; false`;

  describe('in commands', () => {
    needsConfinement();

    test.each([
      ['env', keysOf('env; export -p; set')],
      ['the shell itself', 'test -n "$FAKE_API_KEY$SCRIPTED_KEY" && echo "$FAKE_API_KEY$SCRIPTED_KEY"'],
      ['the process', keysOf('cat /proc/self/environ')],
      ['the first process', keysOf('cat /proc/1/environ')],
      ['its parent', keysOf('cat /proc/$PPID/environ')],
      ['all processes', keysOf('cat /proc/[0-9]*/environ /proc/[0-9]*/task/*/environ')],
      ['the command lines', keysOf('cat /proc/[0-9]*/cmdline')],
      ['all processes with ps', keysOf('ps eauxww')],
      ['Python', python('import os, sys; print(os.environ, os.environb); sys.exit(1)')],
      ['a shell for logins', keysOf('bash -lc env; bash -ic env')],
      [
        'memory of the processes above',
        python(
          'import re\nfor pid in range(1, 10):\n  if pid != __import__("os").getpid():\n    for line in open(f"/proc/{pid}/maps"):\n      if "[stack]" in line:\n        low, high = [int(one, 16) for one in line.split()[0].split("-")]\n        memory = open(f"/proc/{pid}/mem", "rb")\n        memory.seek(low)\n        print(re.findall(rb"[A-Z_]*KEY=[^\\0]*", memory.read(high - low)))\nraise SystemExit(1)',
        ),
      ],
    ])('%s', async (_, command) => {
      await refused('bash', { command });
    });
  });

  describe('in code', () => {
    needsConfinement();

    test.each([
      'process.env',
      'globalThis.process.env',
      'global.process.env',
      'Function("return process.env")()',
      '(0, eval)("process.env")',
      '(() => {}).constructor("return process.env")()',
      'console.log.constructor("return this")().process.env',
      'Buffer.from.constructor("return process.env")()',
      'new (Object.getPrototypeOf(async () => {}).constructor)("return process.env")().then((env) => env)',
      'require("node:process").env',
      'module.constructor._load("node:process").env',
      '(await import("node:process")).default.env',
      '(await import("data:text/javascript,export default process.env")).default',
      '(await import("data:text/javascript,import p from %22node:process%22; export default p.env")).default',
      'Error.prepareStackTrace = (_, sites) => sites.map((site) => site.getThis()?.process?.env).find(Boolean); const { stack } = new Error(); Error.prepareStackTrace = undefined; stack.FAKE_API_KEY.length',
      'await (await fetch("file:///proc/self/environ")).text()',
      'await vfs.readFile("/proc/self/environ")',
      'new Worker("data:text/javascript,postMessage(process.env)")',
      'Object.values(globalThis).find((value) => value?.env).env',
      'new WebAssembly.Module(process.env)',
      'process.getBuiltinModule("node:fs").readFileSync("/proc/self/environ", "utf8")',
      'process.binding("fs")',
    ])('%s', async (code) => {
      await refused('browser_js_eval', { code });
    });
  });
});

describe('the network', () => {
  needsConfinement();

  test.each<[string, (to: Outside) => string]>([
    [
      'a socket of Python',
      ({ tcpPort }) => python(`import socket; print(socket.create_connection(("127.0.0.1", ${tcpPort}), 3).recv(99))`),
    ],
    [
      'a packet of Python',
      ({ udpPort }) =>
        // A packet goes nowhere without an error where the address is the confinement's own.
        `${python(`import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", ${udpPort}))`)}; false`,
    ],
    ['/dev/tcp', ({ tcpPort }) => `exec 3<>/dev/tcp/127.0.0.1/${tcpPort} && cat <&3`],
    ['/dev/tcp with a name', ({ tcpPort }) => `exec 3<>/dev/tcp/localhost/${tcpPort} && cat <&3`],
    ['curl', ({ tcpPort }) => `curl -fsS -m 3 --http0.9 http://127.0.0.1:${tcpPort}/`],
    ['curl without a proxy', ({ tcpPort }) => `curl -fsS -m 3 --http0.9 --noproxy '*' http://127.0.0.1:${tcpPort}/`],
    [
      'curl through the proxy of the confinement',
      ({ tcpPort }) => `NO_PROXY= no_proxy= curl -fsS -m 3 --http0.9 http://127.0.0.1:${tcpPort}/`,
    ],
    [
      'curl through a tunnel of the proxy',
      ({ tcpPort }) => `NO_PROXY= no_proxy= curl -fsS -m 3 -p --http0.9 http://localhost:${tcpPort}/`,
    ],
    [
      'curl through SOCKS',
      ({ tcpPort }) =>
        `NO_PROXY= no_proxy= curl -fsS -m 3 --http0.9 --socks5-hostname "\${ALL_PROXY##*@}" http://127.0.0.1:${tcpPort}/`,
    ],
    ['the wildcard address', ({ tcpPort }) => `curl -fsS -m 3 --http0.9 --noproxy '*' http://0.0.0.0:${tcpPort}/`],
    [
      'a mapped address',
      ({ tcpPort }) => `curl -fsS -m 3 --http0.9 --noproxy '*' 'http://[::ffff:127.0.0.1]:${tcpPort}/'`,
    ],
    ['a unix socket with curl', ({ unixSocket }) => `curl -fsS -m 3 --http0.9 --unix-socket ${unixSocket} http://x/`],
    [
      'a unix socket with Python',
      ({ unixSocket }) =>
        python(`import socket; s = socket.socket(socket.AF_UNIX); s.connect("${unixSocket}"); print(s.recv(99))`),
    ],
    [
      'an abstract unix socket',
      ({ abstractSocket }) =>
        python(
          `import socket; s = socket.socket(socket.AF_UNIX); s.connect("\\0${abstractSocket}"); print(s.recv(99))`,
        ),
    ],
    ['socat', ({ tcpPort }) => `socat -T 3 - TCP:127.0.0.1:${tcpPort} </dev/null`],
    ['socat to a unix socket', ({ unixSocket }) => `socat -T 3 - UNIX-CONNECT:${unixSocket} </dev/null`],
    ['git', ({ tcpPort }) => `GIT_TERMINAL_PROMPT=0 NO_PROXY= timeout 5 git ls-remote http://127.0.0.1:${tcpPort}/x`],
    [
      'another namespace for the network',
      ({ tcpPort }) => `nsenter -t 1 -n bash -c 'exec 3<>/dev/tcp/127.0.0.1/${tcpPort} && cat <&3'`,
    ],
  ])('commands: %s', async (_, command) => {
    await refused('bash', { command: command(outside), timeout: 10 });
  });

  test('commands: a unix socket in the folder', async () => {
    const place = join(bench.folder, 'socket-inside');
    await listen({ path: place });
    const code = 'import socket; s = socket.socket(socket.AF_UNIX); s.connect("socket-inside"); print(s.recv(99))';
    await refused('bash', { command: python(code), timeout: 10 });
  });

  test.each<[string, (to: Outside) => string]>([
    ['fetch', ({ tcpPort }) => `await (await fetch("http://127.0.0.1:${tcpPort}/")).text()`],
    ['fetch with a request', ({ tcpPort }) => `await fetch(new Request("http://127.0.0.1:${tcpPort}/"))`],
    ['WebSocket', ({ tcpPort }) => `new WebSocket("ws://127.0.0.1:${tcpPort}/")`],
    ['EventSource', ({ tcpPort }) => `new EventSource("http://127.0.0.1:${tcpPort}/")`],
    ['XMLHttpRequest', ({ tcpPort }) => `new XMLHttpRequest().open("GET", "http://127.0.0.1:${tcpPort}/")`],
    ['net', ({ tcpPort }) => `require("node:net").connect(${tcpPort}, "127.0.0.1")`],
    ['imported net', ({ tcpPort }) => `(await import("node:net")).connect(${tcpPort}, "127.0.0.1")`],
    ['net as a built-in', ({ tcpPort }) => `process.getBuiltinModule("node:net").connect(${tcpPort})`],
    ['an imported module', ({ tcpPort }) => `await import("http://127.0.0.1:${tcpPort}/x.js")`],
  ])('code: %s', async (_, code) => {
    await refused('browser_js_eval', { code: code(outside), timeout: 10 });
  });
});

describe('programs that the confinement uses', () => {
  needsConfinement();

  let other: CliBench;
  let server: ToolClient;
  let socket: string;
  beforeEach(async () => {
    other = await CliBench.start();
    other.write({ '.roundtrip/config.yaml': CONFIG, 'node_modules/.bin/tool': '#!/bin/sh\n' });
    socket = join(other.folder, 'socket');
    await listen({ path: socket });
    // As after `npx roundtrip` in the folder.
    const path = `${join(other.folder, 'node_modules/.bin')}${delimiter}${process.env.PATH}`;
    server = new ToolClient(other.open(['serve', '--stdio'], { HOME: outside.home, PATH: path }));
  });
  afterEach(async () => {
    server.child.kill('SIGKILL');
    await other.stop();
  });

  test.each([
    ['bwrap', 'node_modules/.bin'],
    ['socat', 'node_modules/.bin'],
    ['rg', 'node_modules/.bin'],
    ['bash', 'node_modules/.bin'],
    ['git', 'node_modules/.bin'],
    ['socat', '$TMPDIR'],
  ])('%s in %s is not what starts the next command', async (name, folder) => {
    // Notes that it has run, on the machine or past the filter for sockets, and goes on as the real one.
    const script = [
      '#!/bin/sh',
      `echo escaped 2>/dev/null > ${outside.folder}/escaped`,
      `"$CURL" -s -m 1 --http0.9 --unix-socket ${socket} http://x/ >/dev/null`,
      'exec "$REAL" "$@"',
    ].join('\n');
    const command = `real=$(PATH=\${PATH#*:} command -v ${name} || echo /bin/false)
      printf '%s\\n' ${quoted(script)} | sed "s:\\$CURL:$(command -v curl):; s:\\$REAL:$real:" > "${folder}/made"
      chmod +x "${folder}/made"; mv -f "${folder}/made" "${folder}/${name}"`;
    await attempt('bash', { command }, server);
    await attempt('bash', { command: 'sleep 0.3; echo next' }, server);
    await attempt('browser_js_eval', { code: '1' }, server);
    await attempt('search_text', { pattern: 'next' }, server);
    const hasRun = existsSync(join(outside.folder, 'escaped'));
    rmSync(join(outside.folder, 'escaped'), { force: true });
    expect(hasRun, `${name} has run on the machine`).toBe(false);
    expect(arrivals, `${name} has reached a socket`).toBe(0);
  });
});

describe.skipIf(!isLinux)('other processes', () => {
  needsConfinement();

  test.each<[string, (to: Outside) => string]>([
    ['ending the server', ({ serverPid }) => `kill -9 ${serverPid}`],
    ['ending a process', ({ victimPid }) => `kill -9 ${victimPid}`],
    ['stopping a process', ({ victimPid }) => `kill -STOP ${victimPid}`],
    ['ending a process group', ({ victimPid }) => `kill -9 -- -${victimPid}`],
    ['ending a process with Python', ({ victimPid }) => python(`import os; os.kill(${victimPid}, 9)`)],
    ['ending all processes', () => python('import os; os.kill(-1, 9)')],
    ['ending processes by name', () => 'pkill -9 -x sleep'],
    ['reading the environment of a process', ({ victimPid }) => `cat /proc/${victimPid}/environ`],
    ['reading the environment of the server', ({ serverPid }) => `cat /proc/${serverPid}/environ`],
    ['reading the memory of a process', ({ victimPid }) => `head -c 1 /proc/${victimPid}/mem`],
    ['writing to the memory of a process', ({ victimPid }) => `echo x > /proc/${victimPid}/mem`],
    ['the folder of a process', ({ serverPid }) => `cat /proc/${serverPid}/cwd/../others/secret.txt`],
    ['files of a process', ({ victimPid }) => `ls /proc/${victimPid}/fd`],
    ['the root of the first process', ({ secret }) => `cat /proc/1/root${secret}`],
    ['the folder of the first process', () => 'cat /proc/1/cwd/../others/secret.txt'],
    ['files that were left open', ({ secret }) => `for one in /proc/[0-9]*/fd/*; do cat "$one/${secret}"; done; false`],
    [
      'tracing a process',
      ({ victimPid }) =>
        python(`import ctypes, sys; sys.exit(0 if ctypes.CDLL(None).ptrace(16, ${victimPid}, 0, 0) == 0 else 1)`),
    ],
    [
      'reading memory with process_vm_readv',
      ({ victimPid }) =>
        python(
          `import ctypes, sys\nlow = int(open("/proc/self/maps").read(12), 16)\none = (ctypes.c_size_t * 2)(low, 1)\nhere = ctypes.create_string_buffer(1)\nmine = (ctypes.c_size_t * 2)(ctypes.addressof(here), 1)\nsys.exit(0 if ctypes.CDLL(None).process_vm_readv(${victimPid}, mine, 1, one, 1, 0) >= 0 else 1)`,
        ),
    ],
    ['priorities', ({ victimPid }) => `renice -n 19 -p ${victimPid}`],
    ['limits', ({ victimPid }) => `prlimit --pid ${victimPid} --nofile=1:1`],
    ['the score for running out of memory', ({ victimPid }) => `echo 1000 > /proc/${victimPid}/oom_score_adj`],
    ['namespaces of the first process', ({ secret }) => `nsenter -t 1 -m -p cat ${secret}`],
    ['namespaces of the server', ({ secret, serverPid }) => `nsenter -t ${serverPid} -m cat ${secret}`],
    ['settings of the kernel', () => 'echo x > /proc/sys/kernel/hostname'],
    ['the pattern for core files', () => 'echo "|/bin/false" > /proc/sys/kernel/core_pattern'],
    ['the trigger of the kernel', () => 'echo h > /proc/sysrq-trigger'],
  ])('%s', async (_, command) => {
    await refused('bash', { command: command(outside) });
    expect(victim.exitCode ?? victim.signalCode).toBeNull();
    expect(client.child.exitCode ?? client.child.signalCode).toBeNull();
    // The third field is the state; `T` is stopped.
    expect(readFileSync(`/proc/${outside.victimPid}/stat`, 'utf8').split(' ')[2]).toBe('S');
    expect(readFileSync(`/proc/${outside.victimPid}/oom_score_adj`, 'utf8')).not.toBe('1000\n');
  });
});

describe('files of the machine', () => {
  needsConfinement();

  test.each<[string, (to: Outside) => string]>([
    ['a file of home', ({ home }) => `cat ${home}/private.txt`],
    ['a file of home by a variable', () => 'cat "$HOME/private.txt"'],
    ['a key in home', () => 'cat ~/.ssh/id'],
    ['home through another path', ({ home }) => `cat /proc/self/root${home}/private.txt`],
    ['searching home', () => 'grep -r secret ~'],
    ['logs in home', () => 'cat ~/.npm/_logs/log ~/.claude/debug/log'],
    ['a temporary file of others', ({ secret }) => `cat ${secret}`],
    ['writing to it', ({ secret }) => `echo written > ${secret}`],
    ['changing its mode', ({ secret }) => `chmod 777 ${secret}`],
    ['linking it', ({ secret }) => `ln ${secret} linked`],
    ['deleting it', ({ folder }) => `rm -r ${folder}`],
    ['moving the folder', ({ folder }) => `mv "$(pwd -P)" ${folder}`],
    ['/etc', () => 'echo written > /etc/escaped'],
    ['a file of /etc', () => 'echo written >> /etc/hosts'],
    ['/usr', () => 'touch /usr/escaped /usr/local/bin/escaped'],
    ['/run', () => 'mkdir -p /run/escaped && touch /run/escaped/x'],
    ['the root', () => 'touch /escaped'],
    ['a disk', () => 'head -c 1 /dev/sda || head -c 1 /dev/vda || head -c 1 /dev/nvme0n1'],
    ['memory', () => 'head -c 1 /dev/mem || head -c 1 /dev/kmem || head -c 1 /proc/kcore'],
    ['messages of the kernel', () => 'test -c /dev/kmsg && echo written > /dev/kmsg'],
    ['the terminal', () => 'echo written > /dev/tty'],
    ['terminals of others', () => 'echo written > /dev/pts/0'],
    ['a new device', () => 'mknod disk b 8 0 || mknod disk b 254 0 && head -c 1 disk'],
    ['mounting', ({ secret }) => `mkdir -p mounted && mount --bind / mounted && cat mounted${secret}`],
    ['mounting anew', () => 'mount -o remount,rw / && touch /usr/escaped'],
    ['unmounting what hides home', () => 'umount -l "$HOME" && cat "$HOME/private.txt"'],
    ['unmounting what hides sessions', () => 'umount -l .roundtrip/sessions && cat .roundtrip/sessions/*'],
    ['a namespace of its own', ({ home }) => `unshare -Urm bash -c 'umount -l ${home}; cat ${home}/private.txt'`],
    ['another root', ({ secret }) => `chroot / cat ${secret}`],
    [
      'a handle of a file',
      () =>
        python(
          'import ctypes, os, sys\nlib = ctypes.CDLL(None)\nhandle = ctypes.create_string_buffer((8).to_bytes(4, "little") + (1).to_bytes(4, "little") + (2).to_bytes(8, "little"))\nsys.exit(0 if lib.open_by_handle_at(os.open(".", 0), handle, 0) >= 0 else 1)',
        ),
    ],
    ['another user', () => 'sudo -n cat /etc/shadow || su -c "cat /etc/shadow" nobody'],
  ])('%s', async (_, command) => {
    const hosts = readFileSync('/etc/hosts', 'utf8');
    await refused('bash', { command: command(outside), timeout: 10 });
    for (const path of ['/etc', '/usr', '/usr/local/bin', '/run', ''])
      expect(existsSync(`${path}/escaped`), path).toBe(false);
    expect(readFileSync('/etc/hosts', 'utf8')).toBe(hosts);
    expect(existsSync(bench.folder)).toBe(true);
  });

  // What is written may go to a place that is the confinement's own. Then it must not be on the machine.
  test.each<[string, (to: Outside) => string]>([
    ['shared memory', () => '/dev/shm'],
    ['temporary files', () => realpathSync(tmpdir())],
    ['temporary files of the machine', () => '/tmp'],
    ['temporary files that are kept', () => '/var/tmp'],
    ['temporary files of the runtime', () => '/tmp/claude'],
    ['the folder above', () => bench.outside],
    ['home', ({ home }) => home],
    ['logs of npm in home', ({ home }) => join(home, '.npm/_logs')],
    ['logs of the runtime in home', ({ home }) => join(home, '.claude/debug')],
  ])('what is written to %s is not there afterwards', async (_, place) => {
    const name = `escaped-${process.pid}`;
    const path = join(place(outside), name);
    await attempt('bash', { command: `echo written > ${path}` });
    const isThere = existsSync(path);
    rmSync(path, { force: true });
    expect(isThere).toBe(false);
  });

  test('nothing is left for the next command', async () => {
    await attempt('bash', { command: 'echo left > /tmp/left; echo left > /dev/shm/left; true' });
    await refused('bash', { command: 'cat /tmp/left || cat /dev/shm/left' });
  });
});

describe('git', () => {
  const PLACES = [
    '/.git/hooks/pre-commit',
    '/.git/hooks/post-merge',
    '/.git/config',
    '/.git/config.worktree',
    '/.git/commondir',
    '/.GIT/hooks/pre-commit',
    '/.Git/config',
    '/src/../.git/config',
    '/.git/./hooks//pre-commit',
    '/src/.git/hooks/pre-commit',
    '/src/.git',
    '/.git',
  ];

  test.each(PLACES)('%s is not written by tools', async (path) => {
    for (const [tool, input] of WRITING) await refused(tool, input(path));
    await refused('make_directory', { path: path === '/.git' ? '/.git/made' : path });
    await refused('delete_path', { path, recursive: true });
    await refused('move_path', { from: path, to: '/moved' });
    expect(bench.read('src/.git')).toBeUndefined();
    expect(readdirSync(bench.folder).filter((name) => name.toLowerCase() === '.git')).toEqual(['.git']);
  });

  test('a folder is not moved to where git looks', async () => {
    bench.write({ 'prepared/hooks/pre-commit': '#!/bin/sh\ntouch ran\n' });
    for (const to of ['/.git/hooks', '/.git', '/src/.git', '/.GIT']) {
      await refused('move_path', { from: '/prepared', to });
      await refused('copy_path', { from: '/prepared', to });
    }
  });

  test('a symlink to it is not a way', async () => {
    symlinkSync('.git', join(bench.folder, 'git-link'));
    symlinkSync('.git/config', join(bench.folder, 'config-link'));
    for (const [tool, input] of WRITING) {
      await refused(tool, input('/git-link/hooks/pre-commit'));
      await attempt(tool, input('/config-link'));
    }
  });

  describe('with commands', () => {
    needsConfinement();

    test.each([
      'echo touch ran > .git/hooks/pre-commit',
      'echo touch ran >> .git/hooks/post-merge',
      'rm .git/hooks/post-merge',
      'mv .git/hooks .git/old-hooks',
      'git config core.hooksPath /tmp',
      'git config core.fsmonitor "touch ran"',
      'echo "[core]" >> .git/config',
      'mv .git other-git && mkdir .git && mkdir .git/hooks',
      'cp -r .git copied-git && mv copied-git/config .git/config',
      'chmod 777 .git/config',
      'ln -sf ../plain.txt .git/config',
      python('import os; os.rename(".git", "other-git")'),
      python('import os; os.rename("src", ".git/hooks")'),
      'rm -rf .git',
      'find .git -delete',
    ])('%s', async (command) => {
      await refused('bash', { command });
      expect(bench.read('ran')).toBeUndefined();
    });

    test.each([
      ['a file', 'echo ../others > .git/NAME'],
      ['a folder', 'mkdir .git/NAME && echo x > .git/NAME/x'],
      ['a symlink', 'mkdir -p prepared && ln -s ../prepared .git/NAME'],
      ['a symlink to what comes later', 'ln -s ../comes-later .git/NAME'],
      ['a loop of symlinks', 'ln -s NAME .git/NAME'],
    ])('what git would read is gone after a command: %s', async (_, command) => {
      for (const name of ['commondir', 'config.worktree']) {
        await attempt('bash', { command: command.replaceAll('NAME', name) });
        const made = lstatSync(join(bench.folder, '.git', name), { throwIfNoEntry: false });
        rmSync(join(bench.folder, '.git', name), { recursive: true, force: true });
        expect(made, name).toBeUndefined();
      }
    });

    test('a hook does not come later through a symlink', async () => {
      rmSync(join(bench.folder, '.git/hooks'), { recursive: true });
      try {
        await attempt('bash', {
          command:
            'mkdir early; echo "touch ran" > early/pre-commit; chmod +x early/pre-commit; ln -s ../late .git/hooks',
        });
        await attempt('move_path', { from: '/early', to: '/late' });
        expect(bench.read('late/pre-commit')).toBe('touch ran\n');
        spawnSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x', 'commit', '--allow-empty', '-qm', 'x'], {
          cwd: bench.folder,
        });
        expect(bench.read('ran')).toBeUndefined();
      } finally {
        rmSync(join(bench.folder, '.git/hooks'), { recursive: true, force: true });
        bench.write({ '.git/hooks/post-merge': '#!/bin/sh\n' });
      }
    });
  });
});

describe('what belongs to the program', () => {
  const PLACES = [
    '/.roundtrip/config.yaml',
    '/.roundtrip/sessions/other.jsonl',
    '/.roundtrip/sessions',
    '/.roundtrip/journal',
    '/.ROUNDTRIP/config.yaml',
    '/.Roundtrip/sessions/other.jsonl',
    '/src/../.roundtrip/config.yaml',
    '/.roundtrip/./config.yaml',
    '/.roundtrip//config.yaml',
    '.roundtrip/config.yaml',
  ];

  test.each(PLACES)('%s is neither read nor written by tools', async (path) => {
    for (const [tool, input] of READING) {
      const { content, hasFailed } = await attempt(tool, input(path));
      if (!hasFailed) expect(content, tool).toMatch(/^(No |0 |There are no )/);
      expect(content).not.toContain(CANARY);
    }
    for (const [tool, input] of WRITING) await refused(tool, input(path));
    await refused('delete_path', { path, recursive: true });
    await refused('move_path', { from: path, to: '/moved' });
    expect(bench.read('copied')).toBeUndefined();
  });

  test('the folder itself is neither moved, copied nor deleted', async () => {
    for (const path of ['/.roundtrip', '/.ROUNDTRIP']) {
      await refused('delete_path', { path, recursive: true });
      await refused('move_path', { from: path, to: '/moved' });
      await attempt('copy_path', { from: path, to: '/copied-own' });
      expect(bench.read('copied-own/config.yaml')).toBeUndefined();
    }
    await refused('delete_path', { path: '/', recursive: true });
  });

  test('searches and lists of everything do not show it', async () => {
    for (const [tool, input] of READING.filter(([tool]) => /search|list|count/.test(tool)))
      expect((await attempt(tool, input('/'))).content).not.toMatch(/sessions|config\.yaml/);
    for (const pattern of ['.roundtrip/**', '**/*.yaml', '**/*.jsonl', '.*/*'])
      expect((await attempt('search_files', { pattern })).content).not.toMatch(/^\/.*(roundtrip|jsonl)/m);
    expect((await attempt('search_text', { pattern: 'canary-of', path: '/' })).content).not.toContain(CANARY);
  });

  test('a symlink to it is not a way', async () => {
    symlinkSync('.roundtrip', join(bench.folder, 'own-link'));
    for (const path of ['/own-link/config.yaml', '/own-link/sessions/other.jsonl']) {
      for (const [tool, input] of READING) expect((await attempt(tool, input(path))).content).not.toContain(CANARY);
      for (const [tool, input] of WRITING) await refused(tool, input(path));
    }
  });

  describe('with commands', () => {
    needsConfinement();

    test.each([
      'echo "commands: {}" >> .roundtrip/config.yaml',
      'rm .roundtrip/config.yaml',
      'mv .roundtrip other',
      'mv .roundtrip/config.yaml x.yaml',
      'touch .roundtrip/new',
      'sed -i s/allow/deny/ .roundtrip/config.yaml',
      'ln -sf ../plain.txt .roundtrip/config.yaml',
      'cat .roundtrip/sessions/*',
      'cat .roundtrip/journal/*',
      'ls .roundtrip/sessions/other.jsonl',
      'grep -r session-secret- . ',
      python('import os; os.rename("src", ".roundtrip")'),
      'mkdir -p own && mv -T own .roundtrip',
    ])('%s', async (command) => {
      await refused('bash', { command });
    });
  });
});

describe('commands that are refused', () => {
  let other: CliBench;
  let server: ToolClient;
  beforeAll(async () => {
    other = await CliBench.start();
    other.write({ '.roundtrip/config.yaml': `${CONFIG}commands:\n  deny: [touch, git push]\n` });
    server = new ToolClient(other.open(['serve', '--stdio'], { HOME: outside.home, FAKE_API_KEY: SECRETS.key }));
  });
  afterAll(async () => {
    server.child.kill('SIGKILL');
    await other.stop();
  });

  test.each([
    'rm -rf /',
    'rm -rf /*',
    'rm -rf .',
    'rm -rf ./*',
    'rm -rf *',
    'rm -rf ..',
    'rm -fr ~',
    'rm -r -f -- .',
    'rm --recursive --force .',
    '/bin/rm -rf .',
    'sudo rm -rf /',
    'cd / && rm -rf *',
    'bash -c "rm -rf ."',
    'sh -c "rm -rf *"',
    'env rm -rf .',
    'true; false || rm -rf .',
    '(rm -rf .)',
    '$(rm -rf .)',
    'if true; then rm -rf .; fi',
    'find . -delete',
    'find . -exec rm -rf {} +',
    'mkfs /dev/sda',
    'mkfs.ext4 /dev/sda1',
    'dd if=/dev/zero of=/dev/sda',
    'cat plain.txt > /dev/sda',
    'echo x | tee /dev/nvme0n1',
    ':(){ :|:& };:',
    'bomb() { bomb | bomb & }; bomb',
    'chmod -R 000 /',
    'shutdown -h now',
    'touch denied',
    '/usr/bin/touch denied',
    'bash -c "touch denied"',
    'sh -c \'sh -c "touch denied"\'',
    'env touch denied',
    'env X=1 touch denied',
    'X=1 touch denied',
    'command touch denied',
    'nohup touch denied',
    'timeout 5 touch denied',
    'echo denied | xargs touch',
    'find . -name plain.txt -exec touch denied \\;',
    'eval "touch denied"',
    'it=touch; $it denied',
    '$(echo touch) denied',
    "t''ouch denied",
    '\\touch denied',
    'true && touch denied',
    'true & touch denied',
    'echo $(touch denied)',
    'cat <(touch denied)',
    'f() { touch denied; }; f',
    'git push',
    'git push --force origin main',
    'bash -c "git push"',
    'it=push; git $it',
  ])('%s', async (command) => {
    other.write({ 'plain.txt': 'plain\n', 'below/plain.txt': 'plain\n' });
    const content = await refused('bash', { command, timeout: 5 }, server);
    expect(content).toMatch(/^Not run\. /);
    expect(content).not.toContain(other.folder);
    expect(other.read('plain.txt')).toBe('plain\n');
    expect(other.read('below/plain.txt')).toBe('plain\n');
    expect(other.read('denied')).toBeUndefined();
  });
});

describe.skipIf(!isLinux)('processes that stay', () => {
  needsConfinement();

  let others = 0;
  /** A number of seconds that no other process sleeps. */
  const someTime = () => `${600 + others++}.${process.pid}`;

  /** The processes of the machine whose command line has a word. */
  const running = (word: string): string[] =>
    readdirSync('/proc').filter((pid) => {
      try {
        return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(word);
      } catch {
        // It has ended in the meantime.
        return false;
      }
    });

  const isGone = (word: string) =>
    vi.waitFor(() => expect(running(word)).toEqual([]), { timeout: 5_000, interval: 50 });

  const DAEMON = (time: string) =>
    python(
      `import os\nif os.fork() == 0:\n  os.setsid()\n  if os.fork() == 0:\n    null = os.open("/dev/null", 2)\n    for one in range(3): os.dup2(null, one)\n    os.execvp("sleep", ["sleep", "${time}"])\n  os._exit(0)`,
    );

  const KINDS: [string, (time: string) => string][] = [
    ['in the background', (time) => `sleep ${time} &`],
    ['without output', (time) => `sleep ${time} >/dev/null 2>&1 </dev/null & disown`],
    ['in a session of its own', (time) => `setsid sleep ${time} >/dev/null 2>&1 </dev/null &`],
    ['that ignores signals', (time) => `(trap '' HUP TERM INT; exec setsid nohup sleep ${time} >/dev/null 2>&1) &`],
    ['as a daemon', DAEMON],
  ];

  test.each(KINDS)('%s: gone after the command', async (_, command) => {
    const time = someTime();
    const { hasFailed } = await attempt('bash', { command: `${command(time)}\nsleep 0.1; echo started` });
    expect(hasFailed).toBe(false);
    await isGone(time);
  });

  test.each(KINDS)('%s: gone after the time limit', async (_, command) => {
    const time = someTime();
    const answer = refused('bash', { command: `${command(time)}\nsleep ${time}`, timeout: 0.5 });
    await vi.waitFor(() => expect(running(time).length).toBeGreaterThan(1), { interval: 10 });
    expect(await answer).toContain('stopped after');
    await isGone(time);
  });

  describe('when the server ends', () => {
    let other: CliBench;
    beforeEach(async () => {
      other = await CliBench.start();
      other.write({ '.roundtrip/config.yaml': CONFIG });
    });
    afterEach(() => other.stop());

    test.each(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'] as const)('by %s', async (name) => {
      const time = someTime();
      const server = new ToolClient(other.open(['serve', '--stdio']));
      server.send({
        ...{ id: 1, method: 'call_tool' },
        params: { name: 'bash', input: { command: `setsid sleep ${time} & ${DAEMON(time)}; sleep ${time}` } },
      });
      await vi.waitFor(() => expect(running(time).length).toBeGreaterThan(2), { timeout: 10_000, interval: 50 });
      const closed = once(server.child, 'exit');
      server.child.kill(name);
      await closed;
      await isGone(time);
    });
  });
});
