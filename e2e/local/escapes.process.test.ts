// More than 400 lines: all attempts to get out of the folder are in one place, most of them as rows of tables.
import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, linkSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ROOT } from '#scripts/lib/run.ts';
import { isInstalled, missingForConfinement } from '../lib/confining.ts';
import { type Answer, CONFIG, EscapeBench, isRunningWith } from '../lib/escape-bench.ts';

const missing = missingForConfinement();
const isSkipped = missing !== undefined && process.env.CI === undefined;
const because = isSkipped ? ` (skipped: ${missing})` : '';
/** Attempts that only Python can make. Continuous integration has it. */
const testWithPython = test.skipIf(!isInstalled('python3') && process.env.CI === undefined);

/** One of this many attempts of a kind runs in the daily run; the long suite runs all of them. */
const SAMPLE = process.env.LONG_SUITES === '1' ? 1 : 8;

/** The attempts of a kind that run. */
const every = <Attempt>(attempts: readonly Attempt[]): Attempt[] => attempts.filter((_, index) => index % SAMPLE === 0);

let world: EscapeBench;

/** The messages of programs that the confinement stops. */
const REFUSED =
  /Read-only file system|No such file|No such device|Operation not permitted|Permission denied|Device or resource busy|Invalid cross-device link|Function not implemented|Bad system call|exit code 159/i;

/** The messages of programs that have no network. */
const NO_NETWORK =
  /ECONNREFUSED|ENETUNREACH|EPERM|EAI_AGAIN|ENOTFOUND|ENOENT|Connection refused|Network is unreachable|Operation not permitted|name resolution|not known|No such file/;

const OUT_OF_ROOT = /leads above the workspace root/;
const NOT_THERE = /^(Error: )?ENOENT: no such file or directory/;
const PROTECTED = /^EACCES: tools may not change this path/;

/** A word for bash. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Runs code with the program's own Node, as a command. */
const node = (code: string): string => `${quoted(process.execPath)} -e ${quoted(code)}`;

const python = (code: string): string => `python3 -c ${quoted(code)}`;

/** Python that makes a system call by its number, and prints the result and the error. */
const SYSTEM_CALL = `
import ctypes, os, platform
libc = ctypes.CDLL(None, use_errno=True)
def call(x64, arm64, *given):
    ctypes.set_errno(0)
    result = libc.syscall(x64 if platform.machine() == "x86_64" else arm64, *given)
    print(result, os.strerror(ctypes.get_errno()))
    return result
`;

describe.skipIf(isSkipped)(`a way out of the folder${because}`, () => {
  test('can only be tried if programs can be confined here', () => {
    expect(missing).toBeUndefined();
  });

  beforeAll(async () => {
    world = await EscapeBench.start();
  });
  afterEach(() => world.expectUntouched());
  afterAll(() => world.stop());

  describe('by a path', () => {
    test.each<[string, string, () => object, RegExp]>(
      every([
        ['two dots', 'read_file', () => ({ path: '../outside/secret.txt' }), OUT_OF_ROOT],
        ['two dots from the root', 'read_file', () => ({ path: '/../outside/secret.txt' }), OUT_OF_ROOT],
        ['two dots below a file', 'read_file', () => ({ path: '/a.txt/../../outside/secret.txt' }), OUT_OF_ROOT],
        ['many dots', 'read_file', () => ({ path: `${'../'.repeat(500)}etc/passwd` }), OUT_OF_ROOT],
        ['dots and slashes', 'read_file', () => ({ path: '/./..//./outside/secret.txt' }), OUT_OF_ROOT],
        ['a path of the machine', 'read_file', () => ({ path: join(world.outside, 'secret.txt') }), NOT_THERE],
        ['a path of the machine in the folder', 'read_file', () => ({ path: join(world.folder, 'a.txt') }), NOT_THERE],
        ['a system file', 'read_file', () => ({ path: '/etc/passwd' }), NOT_THERE],
        ['a process’s files', 'read_file', () => ({ path: '/proc/self/environ' }), NOT_THERE],
        ['home', 'read_file', () => ({ path: '~/.ssh/id_test' }), NOT_THERE],
        ['an address', 'read_file', () => ({ path: 'file:///etc/passwd' }), NOT_THERE],
        ['a NUL', 'read_file', () => ({ path: 'a.txt\0../../outside/secret.txt' }), /contains a NUL/],
        ['a NUL in a new name', 'write_file', () => ({ path: 'a.txt\0.md', content: 'x' }), /contains a NUL/],
        ['dots of another width', 'read_file', () => ({ path: '．．/outside/secret.txt' }), NOT_THERE],
        ['leaders in place of dots', 'read_file', () => ({ path: '\u2024\u2024/outside/secret.txt' }), NOT_THERE],
        ['slashes of another kind', 'read_file', () => ({ path: '..\u2215outside\uFF0Fsecret.txt' }), NOT_THERE],
        ['backslashes', 'read_file', () => ({ path: '..\\outside\\secret.txt' }), NOT_THERE],
        ['encoded slashes', 'read_file', () => ({ path: '..%2foutside%2fsecret.txt' }), NOT_THERE],
        ['bytes that are too long', 'read_file', () => ({ path: '%c0%ae%c0%ae/outside/secret.txt' }), NOT_THERE],
        [
          'half of a character',
          'read_file',
          () => ({ path: '\ud800/../../outside/secret.txt' }),
          /half of a character/,
        ],
        ['dots with spaces', 'read_file', () => ({ path: '.. /outside/secret.txt' }), NOT_THERE],
        ['trailing dots', 'read_file', () => ({ path: '.roundtrip./config.yaml' }), NOT_THERE],
        ['a stream of a file', 'read_file', () => ({ path: '.roundtrip/config.yaml::$DATA' }), NOT_THERE],
        ['a long name', 'read_file', () => ({ path: 'x'.repeat(300) }), /^ENAMETOOLONG/],
        [
          'a long path',
          'write_file',
          () => ({ path: `/${'d/'.repeat(5_000)}x`, content: '' }),
          /^ENAMETOOLONG: path is too long/,
        ],
        ['listing', 'list_directory', () => ({ path: '../outside' }), OUT_OF_ROOT],
        ['writing', 'write_file', () => ({ path: '../outside/new.txt', content: 'x' }), OUT_OF_ROOT],
        ['editing', 'edit_file', () => ({ path: '../outside/f.txt', find: 'C', replace: 'x' }), OUT_OF_ROOT],
        ['making a directory', 'make_directory', () => ({ path: '../outside/new' }), OUT_OF_ROOT],
        ['moving out', 'move_path', () => ({ from: '/a.txt', to: '../outside/a.txt' }), OUT_OF_ROOT],
        ['moving in', 'move_path', () => ({ from: '../outside/f.txt', to: '/in.txt' }), OUT_OF_ROOT],
        ['copying in', 'copy_path', () => ({ from: '../outside/f.txt', to: '/in.txt' }), OUT_OF_ROOT],
        ['deleting', 'delete_path', () => ({ path: '../outside', recursive: true }), OUT_OF_ROOT],
        ['searching', 'search_text', () => ({ pattern: 'CANARY', path: '../outside' }), OUT_OF_ROOT],
        ['finding', 'search_files', () => ({ pattern: '**/secret.txt', path: '/..' }), OUT_OF_ROOT],
        ['a pattern', 'search_files', () => ({ pattern: '../**/secret.txt' }), /^\[No file|leads above/],
        ['checking', 'get_diagnostics', () => ({ path: '../outside/secret.ts' }), OUT_OF_ROOT],
        ['a command’s directory', 'bash', () => ({ command: 'cat secret.txt', cwd: '../outside' }), OUT_OF_ROOT],
        [
          'a patch',
          'apply_patch',
          () => ({ patch: '--- /dev/null\n+++ ../outside/new.txt\n@@ -0,0 +1 @@\n+x\n' }),
          OUT_OF_ROOT,
        ],
      ]),
    )('%s', async (_, tool, input, says) => {
      const { text, isError } = await world.call(tool, input() as Record<string, unknown>);
      expect(text).toMatch(says);
      expect(isError || text.startsWith('[No file')).toBe(true);
    });
  });

  describe('to what belongs to the program', () => {
    test.each<[string, string, object, RegExp]>(
      every([
        ['reading the settings', 'read_file', { path: '/.roundtrip/config.yaml' }, NOT_THERE],
        ['reading them in capitals', 'read_file', { path: '/.ROUNDTRIP/Config.yaml' }, NOT_THERE],
        ['reading a conversation', 'read_file', { path: '/.roundtrip/sessions/2026-01-01-old.jsonl' }, NOT_THERE],
        ['listing the conversations', 'list_directory', { path: '/.roundtrip/sessions' }, NOT_THERE],
        ['searching', 'search_text', { pattern: 'CANARY' }, /^\[No matches/],
        ['finding', 'search_files', { pattern: '**/*.jsonl' }, /^\[No file/],
        ['writing the settings', 'write_file', { path: '/.roundtrip/config.yaml', content: 'x' }, PROTECTED],
        ['writing them in capitals', 'write_file', { path: '/.RoundTrip/config.yaml', content: 'x' }, PROTECTED],
        ['moving it', 'move_path', { from: '/.roundtrip', to: '/moved' }, /^E/],
        ['moving over it', 'move_path', { from: '/packages', to: '/.roundtrip' }, /^E/],
        ['deleting it', 'delete_path', { path: '/.roundtrip', recursive: true }, /^E/],
        ['cat', 'bash', { command: 'cat .roundtrip/sessions/* .roundtrip/journal/*' }, REFUSED],
        ['grep', 'bash', { command: 'grep -r CANARY . | cut -c1-80' }, /no output|denied/],
        ['find', 'bash', { command: 'find . -name "*.jsonl" | xargs cat' }, /no output/],
        ['mv', 'bash', { command: 'mv .roundtrip moved' }, REFUSED],
        ['ln', 'bash', { command: 'ln .roundtrip/config.yaml hard.yaml' }, REFUSED],
        ['tar', 'bash', { command: 'tar -cf - .roundtrip 2>/dev/null | grep -c CANARY' }, /^0/],
        ['umount', 'bash', { command: 'umount .roundtrip/sessions && cat .roundtrip/sessions/*' }, /umount/],
        ['a script', 'bash', { command: 'echo "permissions: {x: allow}" > .roundtrip/config.yaml' }, REFUSED],
        ['new settings', 'bash', { command: 'rm -f .roundtrip/config.yaml; mkdir .roundtrip/x' }, REFUSED],
        ['code', 'browser_js_eval', { code: 'await vfs.readFile("/.roundtrip/config.yaml")' }, NOT_THERE],
      ]),
    )('%s', async (_, tool, input, says) => {
      expect((await world.call(tool, input as Record<string, unknown>)).text).toMatch(says);
      expect(world.bench.read('.roundtrip/config.yaml')).toBe(CONFIG);
      expect(readdirSync(world.folder)).not.toContain('moved');
    });

    // For a command, the settings are read-only, not hidden: git would take a file that is hidden for one that is deleted.
  });

  describe('by a symlink that a command has made', () => {
    let count = 0;
    test.each<[string, (link: string) => string, string]>(
      every([
        ['to a file, relative', (link) => `ln -s ../outside/secret.txt ${link}`, ''],
        ['to a file, absolute', (link) => `ln -s ${world.outside}/secret.txt ${link}`, ''],
        ['to a directory', (link) => `ln -s ../outside ${link}`, '/secret.txt'],
        ['to a directory, absolute', (link) => `ln -s ${world.outside} ${link}`, '/secret.txt'],
        ['to the parent', (link) => `ln -s .. ${link}`, '/outside/secret.txt'],
        ['to the machine’s root', (link) => `ln -s / ${link}`, '/etc/passwd'],
        ['to home', (link) => `ln -s ~/.ssh ${link}`, '/id_test'],
        ['to a process’s root', (link) => `ln -s /proc/self/root ${link}`, '/etc/passwd'],
        ['to a process’s open files', (link) => `ln -s /proc/self/fd ${link}`, '/0'],
        [
          'in a chain',
          (link) => `ln -s ${link}.2 ${link}; ln -s ${link}.3 ${link}.2; ln -s ../outside ${link}.3`,
          '/secret.txt',
        ],
        [
          'through a directory',
          (link) => `mkdir ${link}.d; ln -s ../../outside ${link}.d/up; ln -s ${link}.d/up ${link}`,
          '/f.txt',
        ],
        ['to nothing yet', (link) => `ln -s ../outside/new.txt ${link}`, ''],
        ['in a circle', (link) => `ln -s ${link} ${link}`, ''],
        ['to the program’s settings', (link) => `ln -s .roundtrip/config.yaml ${link}`, ''],
      ]),
    )('%s: nothing is read, written, listed or searched through it', async (_, make, below) => {
      const link = `link-${++count}`;
      expect((await world.bash(make(link))).text).toBe('[no output, exit code 0]');
      const path = `/${link}${below}`;
      for (const [tool, input] of [
        ['read_file', { path }],
        ['write_file', { path, content: 'changed' }],
        ['edit_file', { path, find: 'CANARY', replace: 'changed' }],
        ['list_directory', { path }],
        ['count_lines', { path }],
        ['search_text', { pattern: 'CANARY|root', path }],
        ['move_path', { from: path, to: '/in.txt' }],
      ] as const) {
        // A link itself may be moved and deleted.
        if (tool === 'move_path' && below === '') continue;
        // The error may name the target of the link.
        const { text, isError } = await world.call(tool, input, world.bench.outside);
        expect(isError, `${tool}: ${text}`).toBe(true);
        expect(text, tool).toMatch(/leads above|^ENOENT|^ELOOP|^EACCES/);
      }
      if (below === '') expect((await world.call('delete_path', { path: `/${link}` })).isError).toBe(false);
    });

    test('a copy of one is a link that leads nowhere either', async () => {
      await world.bash('ln -s ../outside/secret.txt copied-from');
      await world.call('copy_path', { from: '/copied-from', to: '/copied-to' });
      expect((await world.call('read_file', { path: '/copied-to' })).text).toMatch(OUT_OF_ROOT);
      expect((await world.bash('cat copied-to')).text).toMatch(REFUSED);
    });
  });

  describe('by a hard link', () => {
    test.each<[string, () => string]>(
      every([
        ['to a file of the program', () => join(ROOT, 'package.json')],
        ['to a system file', () => '/etc/passwd'],
        ['to a file next to the folder', () => join(world.outside, 'secret.txt')],
        ['to a file of home', () => join(world.home, '.ssh/id_test')],
        ['to git’s settings', () => '.git/config'],
      ]),
    )('%s: a command cannot make one', async (_, target) => {
      expect((await world.bash(`ln ${target()} hard-link`)).text).toMatch(REFUSED);
      expect(existsSync(join(world.folder, 'hard-link'))).toBe(false);
    });

    test('that was there already: writing replaces it, and leaves the other file', async () => {
      const outer = join(world.bench.outside, 'linked.txt');
      writeFileSync(outer, 'theirs');
      linkSync(outer, join(world.folder, 'was-linked.txt'));
      await world.call('read_file', { path: '/was-linked.txt' });
      expect((await world.call('write_file', { path: '/was-linked.txt', content: 'ours' })).isError).toBe(false);
      expect(readFileSync(outer, 'utf8')).toBe('theirs');
      expect(world.bench.read('was-linked.txt')).toBe('ours');
    });
  });

  describe('by names that mean something to a shell', () => {
    const NAMES = [
      '$(touch pwned)',
      '`touch pwned`',
      '; touch pwned;',
      "'; touch pwned; '",
      '"; touch pwned; "',
      '&& touch pwned',
      '| tee pwned',
      '> pwned',
      'a\ntouch pwned\n',
      '-rf',
      '--bind',
      '*',
      '$HOME',
      '!touch pwned',
      '\\',
    ];

    test.each(every(NAMES.map((name) => [JSON.stringify(name), name])))('%s is only a name', async (_, name) => {
      const file = `/names/${name}/f.txt`;
      expect((await world.call('write_file', { path: file, content: 'one' })).isError).toBe(false);
      expect((await world.call('read_file', { path: file })).text).toBe('one');
      expect((await world.bash('cat f.txt; ls -a ..', { cwd: `/names/${name}` })).text).toContain('one');
      expect((await world.call('search_files', { pattern: name, path: `/names/${name}` })).isError).toBe(false);
      expect((await world.call('delete_path', { path: `/names/${name}`, recursive: true })).isError).toBe(false);
      expect(world.bench.read('a.txt')).toBe('alpha\n');
      expect([...world.bench.files().keys()].filter((path) => path.includes('pwned'))).toEqual([]);
    });
  });

  describe('to keys in the environment', () => {
    test.each<[string, string]>(
      every([
        ['env', 'env'],
        ['export', 'export -p; set'],
        ['the process’s own', 'cat /proc/self/environ | tr "\\0" "\\n"'],
        ['the parent’s', 'cat /proc/$PPID/environ | tr "\\0" "\\n"'],
        ['the first process’s', 'cat /proc/1/environ | tr "\\0" "\\n"'],
        ['every process’s', 'cat /proc/*/environ /proc/*/task/*/environ 2>/dev/null | tr "\\0" "\\n"'],
        ['every process’s arguments', 'cat /proc/*/cmdline | tr "\\0" "\\n" | cut -c1-60'],
        ['Node', node('console.log(process.env)')],
      ]),
    )('%s', async (_, command) => {
      // The path has the program's own folders.
      const { text } = await world.call('bash', { command }, ROOT);
      expect(text).not.toMatch(/OPENAI|SCRIPTED|AWS_|MY_TOKEN|CANARY/);
      expect(text).toMatch(/PATH|bwrap|\w/);
    });

    test('the server’s', async () => {
      expect((await world.bash(`cat /proc/${world.pid}/environ`)).text).toMatch(REFUSED);
    });

    test('code', async () => {
      expect((await world.javascript('typeof process + typeof require')).text).toMatch(/^undefinedundefined/);
    });

    testWithPython('the keyring of the login session, which the kernel keeps', async () => {
      const key = `import ctypes, os, sys
libc = ctypes.CDLL(None)
numbers = (250, 248) if os.uname().machine == "x86_64" else (219, 217)
libc.syscall(numbers[0], 1, None)
libc.syscall(numbers[1], b"user", b"roundtrip-key", os.environ["KEY"].encode(), len(os.environ["KEY"]), -3)
os.execvp(sys.argv[1], sys.argv[1:])`;
      const other = await EscapeBench.start({ through: ['env', 'KEY=CANARY-keyring', 'python3', '-c', key] });
      onTestFinished(() => other.stop());
      const { text } = await other.bash(
        python(`${SYSTEM_CALL}
key = call(250, 219, 10, -3, b"user", b"roundtrip-key", 0)
content = ctypes.create_string_buffer(100)
call(250, 219, 11, key, content, 100)
print(content.value)
call(248, 217, b"user", b"roundtrip-planted", b"x", 1, -3)`),
      );
      expect(text).not.toContain('CANARY');
      expect(text.match(/-1 Operation not permitted/g)).toHaveLength(3);
      other.expectUntouched();
    });
  });

  describe('over the network', () => {
    const PROXY = 'new URL(process.env.HTTP_PROXY)';
    const socket = (options: string, text = 'x') =>
      node(`require('net').connect(${options}, function () { this.end(${JSON.stringify(text)}) })
        .on('data', (data) => console.log(String(data).slice(0, 200))).on('error', (error) => console.error(error.code))`);

    test.each<[string, () => string, RegExp]>(
      every([
        ['TCP with bash', () => `echo x > /dev/tcp/127.0.0.1/${world.tcpPort}`, NO_NETWORK],
        [
          'UDP with bash',
          () => `echo x > /dev/udp/127.0.0.1/${world.udpPort}; ls /sys/class/net`,
          /^lo$|no output|^$/m,
        ],
        ['TCP with Node', () => socket(`${world.tcpPort}, '127.0.0.1'`), NO_NETWORK],
        ['TCP over IPv6', () => socket(`${world.tcpPort}, '::ffff:127.0.0.1'`), NO_NETWORK],
        ['TCP to any address', () => socket(`${world.tcpPort}, '0.0.0.0'`), NO_NETWORK],
        ['TCP to an address of the internet', () => socket(`443, '1.1.1.1'`), NO_NETWORK],
        ['TCP to a host of the cloud', () => socket(`80, '169.254.169.254'`), NO_NETWORK],
        [
          'UDP with Node',
          () =>
            node(`const socket = require('dgram').createSocket('udp4');
            socket.send('x', ${world.udpPort}, '127.0.0.1', (error) => { console.log(error?.code ?? 'sent to nobody'); socket.close(); })`),
          /sent to nobody|ENETUNREACH|EPERM/,
        ],
        ['DNS', () => node(`require('dns').lookup('example.com', (error) => console.log(error?.code))`), NO_NETWORK],
        [
          'DNS to a server of ours',
          () =>
            node(`const resolver = new (require('dns').Resolver)({ timeout: 200, tries: 1 });
            resolver.setServers(['127.0.0.1:${world.udpPort}']);
            resolver.resolve4('secret.example.com', (error) => console.log(error?.code))`),
          /ECONNREFUSED|ETIMEOUT/,
        ],
        ['a socket outside', () => socket(JSON.stringify(world.unixSocket)), NO_NETWORK],
        ['a socket in the folder', () => socket(JSON.stringify(world.socketInFolder)), NO_NETWORK],
        ['a socket without a file', () => socket(JSON.stringify({ path: world.abstractSocket })), NO_NETWORK],
        [
          'a socket of its own',
          () =>
            node(`require('net').createServer().listen('own.sock').on('error', (error) => console.log(error.code))`),
          /EPERM/,
        ],
        ['socat', () => `socat -T1 - UNIX-CONNECT:host.sock; socat -T1 - TCP:127.0.0.1:${world.tcpPort}`, NO_NETWORK],
        [
          'the socket of the sandbox’s proxy',
          () =>
            socket(
              `require('fs').readdirSync('/tmp').map((name) => '/tmp/' + name).find((name) => /sock$/.test(name)) ?? '/tmp/none'`,
            ),
          NO_NETWORK,
        ],
        [
          'a request to the sandbox’s proxy',
          () => socket(`${PROXY}.port, '127.0.0.1'`, `GET http://127.0.0.1:${world.tcpPort}/ HTTP/1.0\r\n\r\n`),
          /407|403|no output/,
        ],
        [
          'a tunnel through the sandbox’s proxy',
          () =>
            node(`const proxy = ${PROXY};
            require('http').request({ host: '127.0.0.1', port: proxy.port, method: 'CONNECT', path: '127.0.0.1:${world.tcpPort}',
              headers: { 'proxy-authorization': 'Basic ' + Buffer.from(decodeURIComponent(proxy.username) + ':' + proxy.password).toString('base64') } })
              .on('connect', ({ statusCode }) => { console.log(statusCode); process.exit(); })
              .on('error', (error) => console.log(error.code)).end()`),
          /403|ECONNRESET/,
        ],
        [
          'SOCKS through the sandbox’s proxy',
          () =>
            node(`const socket = require('net').connect(1080, '127.0.0.1', () => socket.write(Buffer.from([5, 1, 0])));
            socket.once('data', () => socket.write(Buffer.from([5, 1, 0, 1, 127, 0, 0, 1, ${world.tcpPort >> 8}, ${world.tcpPort & 255}])));
            socket.on('data', (data) => console.log('reply', data[1])).on('close', () => console.log('closed')).on('error', (error) => console.log(error.code));
            setTimeout(() => process.exit(), 1000).unref()`),
          /reply [^0]|closed|ECONNRESET/,
        ],
        [
          'curl with the proxy',
          () => `command -v curl > /dev/null && curl -sS -m 2 http://127.0.0.1:${world.tcpPort}/ || echo refused`,
          /refused|connect|curl/,
        ],
      ]),
    )('%s', async (_, command, says) => {
      expect((await world.bash(command(), { timeout: 10 })).text).toMatch(says);
    });

    testWithPython.each<[string, () => string]>([
      ['TCP', () => `socket.create_connection(("127.0.0.1", ${world.tcpPort}), 2)`],
      ['a socket in the folder', () => 's = socket.socket(socket.AF_UNIX); s.connect("host.sock")'],
      ['raw packets', () => 'socket.socket(socket.AF_PACKET, socket.SOCK_RAW)'],
      [
        'raw IP',
        () =>
          'socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP); raise OSError("Operation not permitted") if not open("/proc/net/dev").read().count("eth") else None',
      ],
      ['the host of the machine', () => 'socket.socket(socket.AF_VSOCK).connect((2, 22))'],
      ['a name', () => 'socket.getaddrinfo("example.com", 80)'],
    ])('%s with Python', async (_, code) => {
      expect((await world.bash(python(`import socket; ${code()}`))).text).toMatch(NO_NETWORK);
    });

    testWithPython('a system call of 32 bits, which would open a socket of this machine', async () => {
      const { text } = await world.bash(
        python(`import ctypes, mmap, platform
if platform.machine() != "x86_64": raise SystemExit(159)
code = bytes.fromhex("53b867010000bb01000000b901000000ba00000000cd805bc3")
memory = mmap.mmap(-1, 4096, prot=7)
memory.write(code)
print(ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(memory)))())`),
      );
      expect(text).toMatch(REFUSED);
    });
  });

  describe('by /proc', () => {
    test.each<[string, () => string, RegExp]>(
      every([
        ['the first process’s root', () => `cat /proc/1/root${world.outside}/secret.txt`, REFUSED],
        ['the first process’s directory', () => 'ls /proc/1/cwd/', REFUSED],
        ['a process’s own root', () => `cat /proc/self/root${world.home}/notes.txt`, REFUSED],
        ['the server’s root', () => `cat /proc/${world.pid}/root/etc/passwd`, REFUSED],
        ['the server’s directory', () => `ls /proc/${world.pid}/cwd/`, REFUSED],
        ['the server’s memory', () => `head -c 10 /proc/${world.pid}/mem`, REFUSED],
        ['the server’s open files', () => `ls /proc/${world.pid}/fd`, REFUSED],
        [
          'all processes’ open files',
          // Only files that are open twice in a row count: a program that starts opens files of its own for a moment.
          () =>
            'look() { readlink /proc/[0-9]*/fd/* | sort -u; }; a=$(look); b=$(look); comm -12 <(echo "$a") <(echo "$b") | grep -v -e ^pipe: -e ^/dev/null -e ^socket: -e ^anon_inode: -e ^/usr/lib/',
          /^\[exit code 1\]$/,
        ],
        ['the first process’s memory', () => 'head -c 10 /proc/1/mem', REFUSED],
        ['the kernel’s memory', () => 'head -c 10 /proc/kcore /dev/mem', REFUSED],
        // These two write back only what is there already.
        ['a program for crashes', () => 'cat /proc/sys/kernel/core_pattern > /proc/sys/kernel/core_pattern', REFUSED],
        ['settings of the memory', () => 'cat /proc/sys/vm/swappiness > /proc/sys/vm/swappiness', REFUSED],
        ['keys of the kernel', () => 'cat /proc/keys', REFUSED],
        ['a program for hot-plugged devices', () => 'echo /bin/sh > /sys/kernel/uevent_helper', REFUSED],
        ['key combinations', () => 'echo h > /proc/sysrq-trigger', REFUSED],
        ['groups of processes', () => 'mkdir /sys/fs/cgroup/escape', REFUSED],
        ['mounts', () => 'cut -d" " -f2 /proc/self/mounts | grep -c "^/home$"', /^0/],
      ]),
    )('%s', async (_, command, says) => {
      expect((await world.bash(command())).text).toMatch(says);
    });

    test('nothing is shared with the machine’s own processes', async () => {
      const names = ['ipc', 'mnt', 'net', 'pid', 'user'];
      const { text } = await world.bash(`cd /proc/self/ns; for name in ${names.join(' ')}; do readlink $name; done`);
      expect(text.split('\n')).toHaveLength(names.length);
      for (const name of names) expect(text).not.toContain(readlinkSync(`/proc/self/ns/${name}`));
    });
  });

  describe('to other processes', () => {
    test.each<[string, () => string, RegExp]>(
      every([
        ['a signal to the server', () => `kill -9 ${world.pid}`, /No such process/],
        ['a signal to another process', () => `kill -9 ${world.bystander.pid}`, /No such process/],
        ['a signal to all', () => 'kill -9 -1', /^Not run\. It would end every process/],
        ['a signal to its group', () => 'kill -KILL 0', /^\[exit code 137\]$/],
        ['by name', () => `pkill -9 -f 'slee[p] ${world.bystander.spawnargs[1]}'; echo $?`, /^1$|not found/m],
        ['another priority', () => `renice -n 19 -p ${world.bystander.pid}`, /No such process|not found/],
        [
          'a debugger',
          () => `gdb -p ${world.pid} -batch || strace -p ${world.pid} || echo none`,
          /none|No such process|not found/,
        ],
      ]),
    )('%s', async (_, command, says) => {
      expect((await world.bash(command())).text).toMatch(says);
      expect((await world.call('list_directory', { path: '/' })).text).toContain('a.txt');
    });

    testWithPython.each<[string, () => string]>([
      ['ptrace', () => `call(101, 117, 16, ${world.pid}, 0, 0)`],
      [
        'reading their memory',
        () => `call(310, 270, ${world.pid}, 0, 0, 0, 0, 0); call(101, 117, 16, ${world.bystander.pid}, 0, 0)`,
      ],
      ['a handle', () => `call(434, 434, ${world.pid}, 0)`],
      ['ending the first process of the sandbox’s', () => 'call(101, 117, 16, 1, 0, 0)'],
    ])('%s', async (_, code) => {
      expect((await world.bash(python(SYSTEM_CALL + code()))).text).toMatch(
        /-1 (No such process|Operation not permitted|Invalid argument)|^0 Success/,
      );
    });

    testWithPython('shared memory', async () => {
      const key = 0x1234567;
      const { text } = await world.bash(python(`${SYSTEM_CALL}call(29, 194, ${key}, 100, 0o1666)`));
      expect(text).toMatch(/^\d+ Success/);
      expect(readFileSync('/proc/sysvipc/shm', 'utf8')).not.toContain(String(key));
    });

    test('files in memory', async () => {
      await world.bash('echo x > /dev/shm/roundtrip-escape; ls /dev/shm');
      expect(existsSync('/dev/shm/roundtrip-escape')).toBe(false);
    });
  });

  describe('to write outside', () => {
    const name = `roundtrip-escape-${process.pid}`;
    test.each<[string, () => string]>(
      every([
        ['temporary files', () => `/tmp/${name}`],
        ['other temporary files', () => `/var/tmp/${name}`],
        ['home', () => join(world.home, name)],
        ['the settings of a shell in home', () => join(world.home, '.bashrc')],
        ['home’s keys', () => join(world.home, '.ssh/authorized_keys')],
        ['logs in home', () => join(world.home, '.npm/_logs', name)],
        ['what confined programs share', () => join(world.shared, name)],
        ['the user’s own home', () => join(userInfo().homedir, name)],
        ['settings of the system', () => `/etc/${name}`],
        ['regular tasks', () => `/etc/cron.d/${name}`],
        ['programs', () => `/usr/local/bin/${name}`],
        ['the program’s own code', () => join(ROOT, `lib/${name}.ts`)],
        ['the program’s own packages', () => join(ROOT, `node_modules/${name}`)],
        ['next to the folder', () => join(world.outside, name)],
        ['the parent', () => join(world.bench.outside, name)],
        ['the root', () => `/${name}`],
      ]),
    )('%s', async (_, place) => {
      const target = quoted(place());
      const { text } = await world.bash(
        `mkdir -p "$(dirname ${target})" && echo x > ${target}; cp a.txt ${target}; ln -s a.txt ${target}; ls ${target}`,
      );
      // Some of them are there for programs, in memory.
      expect(text).toMatch(REFUSED.test(text) ? REFUSED : /roundtrip-escape|\.bashrc|authorized_keys/);
      expect(existsSync(place())).toBe(false);
    });

    test.each<[string, () => string]>(
      every([
        ['overwriting', () => `echo x > ${world.outside}/f.txt`],
        ['appending', () => `echo x >> ${world.home}/notes.txt`],
        ['opening', () => `: >> ${join(ROOT, 'package.json')}`],
        ['deleting', () => `rm -r ${world.outside}`],
        ['moving away', () => `mv ${world.outside} .`],
        ['permissions', () => `chmod $(stat -c %a ${join(ROOT, 'package.json')}) ${join(ROOT, 'package.json')}`],
        ['times', () => `touch -r ${join(ROOT, 'package.json')} ${join(ROOT, 'package.json')}`],
        ['the folder itself', () => `mv ${world.folder} ${world.folder}-2`],
        ['a device', () => 'mknod disk b 254 0'],
      ]),
    )('%s', async (_, command) => {
      expect((await world.bash(command(), {})).text).toMatch(/Read-only|No such file|not permitted|busy|cannot/);
    });
  });

  describe('to read outside', () => {
    test.each<[string, () => string]>(
      every([
        ['a key in home', () => 'cat ~/.ssh/id_test'],
        ['a key in home by its path', () => `cat ${world.home}/.ssh/id_test`],
        ['home', () => 'ls -A ~ && cat ~/notes.txt'],
        ['logs in home', () => 'cat ~/.npm/_logs/debug.log'],
        ['next to the folder', () => 'cat ../outside/secret.txt'],
        ['next to the folder by its path', () => `cat ${world.outside}/secret.txt`],
        ['other temporary files', () => `cat ${world.otherTemporary}/secret.txt`],
        ['what confined programs share', () => `cat ${world.sharedFile}`],
        [
          'the user’s own home',
          () =>
            `ls -A ${userInfo().homedir} | grep -v -x -e .cargo; cat ${userInfo().homedir}/.profile ${userInfo().homedir}/.bashrc`,
        ],
        ['archives', () => `tar -cf stolen.tar ../outside ${world.home}`],
        ['a server of git’s', () => `git clone -q ${world.outside} stolen || cat ../outside/f.txt`],
      ]),
    )('%s', async (_, command) => {
      expect((await world.bash(command())).text).toMatch(REFUSED);
    });

    test('a search of everything', async () => {
      const places = `/tmp /var/tmp /home /run/user ${world.bench.outside}`;
      const { text } = await world.bash(`grep -rl ${world.secret.slice(0, 20)} ${places} 2>/dev/null | head`);
      expect(text).toBe('[no output, exit code 0]');
    });

    test('the types of packages, which a checker of JavaScript would install from the network', async () => {
      await world.call('write_file', { path: '/app.js', content: "import pad from 'left-pad';\npad();\n" });
      expect((await world.call('get_diagnostics', { path: '/app.js' })).isError).toBe(false);
      expect(readdirSync(world.home).sort()).toEqual(['.npm', '.ssh', 'notes.txt']);
    });

    // The language server is no confined program: it reads modules wherever they are, and an error may quote them.
    test('a module, by the errors of a file that imports it', async () => {
      await world.call('write_file', {
        path: '/leak.ts',
        content: "import { KEY } from '../outside/secret';\nexport const leak: 'none' = KEY;\n",
      });
      const { text } = await world.call('get_diagnostics', { path: '/leak.ts' });
      expect(text).not.toContain('CANARY');
    });
  });

  describe('by what stays behind', () => {
    const loop = (mark: string) => `while :; do date >> late.txt; sleep 0.1${mark}; done`;

    test.each<[string, (script: string) => string]>(
      every([
        ['in the background', (script) => `(${script}) & echo started`],
        ['without a terminal', (script) => `nohup bash -c ${quoted(script)} > /dev/null 2>&1 & echo started`],
        ['in a session of its own', (script) => `setsid bash -c ${quoted(script)} > /dev/null 2>&1 & echo started`],
        ['forked twice', (script) => `(setsid bash -c ${quoted(`(${script}) &`)} > /dev/null 2>&1 &) ; echo started`],
        [
          'without its parent',
          (script) => `bash -c ${quoted(`(${script}) & disown -a; exit`)} > /dev/null; echo started`,
        ],
        [
          'deaf to signals',
          (script) => `(trap "" TERM HUP INT; setsid bash -c ${quoted(script)}) > /dev/null 2>&1 & echo started`,
        ],
        [
          'from Node',
          (script) =>
            `${node(`require('child_process').spawn('bash', ['-c', ${JSON.stringify(script)}], { detached: true, stdio: 'ignore' }).unref()`)}; echo started`,
        ],
        ['holding the output', (script) => `(${script}) & echo started`],
      ]),
    )('%s: it ends with the command', async (_, command) => {
      const mark = `00${Date.now()}`;
      expect((await world.bash(command(loop(mark)))).text).toBe('started');
      await expect.poll(() => isRunningWith(mark), { timeout: 5_000 }).toBe(false);
    });

    test('past the time limit', async () => {
      const mark = `00${Date.now()}`;
      const { text, isError } = await world.bash(`trap "" TERM; setsid bash -c ${quoted(loop(mark))} & ${loop(mark)}`, {
        timeout: 1,
      });
      expect(isError).toBe(true);
      expect(text).toMatch(/^The command was stopped after 1 second/);
      await expect.poll(() => isRunningWith(mark), { timeout: 5_000 }).toBe(false);
    });

    test.each<[string, (other: EscapeBench) => unknown]>(
      every([
        ['ends', (other) => other.client.end()],
        ['is killed', (other) => other.client.child.kill('SIGKILL')],
      ]),
    )('after the server: if it %s, nothing goes on', async (_, end) => {
      const other = await EscapeBench.start();
      onTestFinished(() => other.stop());
      await other.javascript('setInterval(() => {}, 10)');
      void other.bash('sleep 2; touch late').catch(() => undefined);
      const isRunning = () => isRunningWith(other.bench.outside);
      await expect.poll(isRunning, { timeout: 5_000 }).toBe(true);
      await end(other);
      await expect.poll(isRunning, { timeout: 5_000 }).toBe(false);
    });

    test('regular tasks', async () => {
      const { text } = await world.bash(
        '(echo "* * * * * touch /tmp/x" | crontab - ; echo touch x | at now) 2>&1; systemctl --user list-units 2>&1 | head -1',
      );
      expect(text).toMatch(/not found|denied|No such|not been booted|Failed|can't|Read-only|no output/i);
    });
  });

  describe('by mounting', () => {
    test.each<[string, () => string]>(
      every([
        ['a file system', () => 'mkdir -p m; mount -t tmpfs none m'],
        ['the folder’s own settings aside', () => 'umount -l .roundtrip'],
        ['git’s settings aside', () => 'umount -l .git/config'],
        ['another folder', () => `mkdir -p m; mount --bind ${world.outside} m`],
        ['with a new namespace', () => 'unshare -m -r true'],
        ['with a user of its own', () => 'unshare -U true'],
        ['another sandbox', () => 'bwrap --dev-bind / / ls /root'],
        ['another root', () => 'mkdir -p m; chroot m ls; chroot /proc/1/root ls /'],
        ['a namespace of another process', () => `nsenter -t 1 -m ls; nsenter -t ${world.pid} -m ls`],
      ]),
    )('%s', async (_, command) => {
      expect((await world.bash(command())).text).toMatch(
        /not permitted|denied|No such|must be superuser|No permissions|not found|cannot open/,
      );
    });

    testWithPython.each<[string, string]>([
      ['mount', 'call(165, 40, b"none", b"m", b"tmpfs", 0, 0)'],
      ['unshare', 'call(272, 97, 0x10020000)'],
      ['setns', 'call(308, 268, os.open("/proc/1/ns/mnt", 0), 0)'],
      ['pivot_root', 'call(155, 41, b".", b".")'],
      ['open_tree', 'call(428, 428, -100, b"/", 1)'],
      [
        'a file by its number',
        'handle = (ctypes.c_uint * 4)(8, 1, 2, 0); call(304, 265, os.open("a.txt", 0), handle, 0)',
      ],
      ['a module of the kernel', 'call(175, 105, b"x", 1, b"")'],
      ['a filter in the kernel', 'call(321, 280, 5, ctypes.create_string_buffer(120), 120)'],
      ['memory of the kernel', 'call(425, 425, 8, ctypes.create_string_buffer(120))'],
      ['rebooting', 'call(169, 142, 0, 0, 0, 0)'],
    ])('%s', async (_, code) => {
      expect((await world.bash(python(SYSTEM_CALL + code))).text).toMatch(
        /^-1 |Permission denied|Operation not permitted|Bad system call/m,
      );
    });
  });

  describe('by using up resources', () => {
    test.each<[string, string, RegExp]>(
      every([
        ['a fork bomb', ':(){ :|:& };:', /^Not run\. The function ":" starts itself again and again/],
        ['a fork bomb with a name', 'bomb() { bomb | bomb & }; bomb', /^Not run\. The function "bomb"/],
        ['the whole folder', 'rm -rf /', /^Not run\./],
        ['the whole folder by its name', 'rm -rf "$PWD"/* .', /^Not run\./],
        ['a disk', 'dd if=/dev/zero of=/dev/sda', /^Not run\./],
        ['the machine', 'shutdown -h now', /^Not run\./],
      ]),
    )('%s is refused', async (_, command, says) => {
      const { text, isError } = await world.bash(command);
      expect(isError).toBe(true);
      expect(text).toMatch(says);
      expect(world.bench.read('a.txt')).toBe('alpha\n');
    });

    test('output without end is cut, and the command ended', async () => {
      const { text, isError } = await world.bash('yes 0123456789', { timeout: 1 });
      expect(isError).toBe(true);
      expect(text).toMatch(/^The command was stopped after 1 second/);
      expect(text.length).toBeLessThan(10_000);
    });

    test('much output is cut in the middle', async () => {
      const { text } = await world.bash('head -c 50000000 /dev/zero | tr "\\0" x; echo end');
      expect(text.length).toBeLessThan(50_000);
      expect(text).toMatch(/omitted/);
      expect(text).toMatch(/end$/);
    });

    test('a loop without end is ended, and so is code', async () => {
      expect((await world.bash('while :; do :; done', { timeout: 1 })).text).toMatch(/^The command was stopped/);
      expect((await world.javascript('for (;;);', { timeout: 1 })).text).toMatch(/ran longer than 1 second/);
    });

    test('a large file is not read at once', async () => {
      await world.bash('head -c 5000000 /dev/zero > large.bin');
      expect((await world.call('read_file', { path: '/large.bin' })).text).toMatch(/^EFBIG|larger than/);
    });

    test('what never has an end is no file', async () => {
      await world.bash('mkfifo pipe; ln -s /dev/zero zero; ln -s /dev/random random');
      for (const path of ['/pipe', '/zero', '/random'])
        expect((await world.call('read_file', { path })).text).toMatch(/^(ENOENT|EINVAL)/);
      await world.bash('rm pipe zero random large.bin');
    });
  });

  describe('by code', () => {
    const AGENT = 'globalThis[Symbol.for("undici.globalDispatcher.1")]';
    const dispatch = (agent: string, origin: string) => `await new Promise((done) => {
      globalThis.clearImmediate ??= () => {};
      ${agent}.dispatch({ origin: ${JSON.stringify(origin)}, path: '/', method: 'GET' }, {
        onConnect() {}, onHeaders() {}, onData() {}, onRequestStart() {},
        onComplete() { done('answered'); }, onError(error) { done(error.code ?? String(error)); },
        onResponseError(_, error) { done(error.code ?? String(error)); },
      });
    })`;

    test.each<[string, () => string, RegExp]>(
      every([
        ['process', () => 'process.binding("fs")', /process is not defined/],
        ['require', () => 'require("fs")', /require is not defined/],
        ['a module', () => 'await import("node:fs")', /There are no modules here/],
        [
          'a module of a module',
          () => `await import('data:text/javascript,export * from "node:fs"')`,
          /There are no modules here/,
        ],
        ['a file as a module', () => `await import("file://${ROOT}/lib/base/sha256.ts")`, /There are no modules here/],
        ['a relative module', () => 'await import("../../disk/disk-storage.ts")', /There are no modules here/],
        ['a module from the network', () => 'await import("https://example.com/x.js")', /There are no modules here/],
        ['the constructor of a function', () => '(() => {}).constructor("return process")()', /process is not defined/],
        [
          'the constructor of an async function',
          () => 'await (async () => {}).constructor("return require")()',
          /require is not defined/,
        ],
        [
          'the constructor of Buffer',
          () => 'Buffer.constructor("return process.mainModule")()',
          /process is not defined/,
        ],
        ['this of a loose function', () => 'new Function("return typeof this.process")()', /^undefined/],
        [
          'the frames of an error',
          () => `Error.prepareStackTrace = (_, frames) => frames.map((frame) => typeof frame.getThis()?.process).join();
          const seen = new Error('').stack; Error.prepareStackTrace = undefined; seen`,
          /^(undefined,?)+/,
        ],
        ['a console', () => 'typeof console._stdout + typeof console.Console', /^undefinedundefined/],
        ['a worker', () => 'new Worker("data:text/javascript,postMessage(typeof process)")', /Worker is not defined/],
        ['a file address', () => 'await (await fetch("file:///etc/passwd")).text()', /there is no network here/],
        ['the network', () => `await fetch("http://127.0.0.1:${world.tcpPort}")`, /There is no network here/],
        ['a socket', () => `new WebSocket("ws://127.0.0.1:${world.tcpPort}")`, /there is no network here/],
        [
          'what fetch itself uses',
          () => dispatch(AGENT, `http://127.0.0.1:${world.tcpPort}`),
          /ECONNREFUSED|EPERM|is not/,
        ],
        [
          'what fetch itself uses, with another address',
          () =>
            dispatch(
              `new ${AGENT}.constructor({ connect: { lookup: (_, __, done) => done(null, [{ address: '127.0.0.1', family: 4 }]) } })`,
              `http://x.example:${world.tcpPort}`,
            ),
          /ECONNREFUSED|EPERM/,
        ],
        [
          'what fetch itself uses, with a socket of this machine',
          () =>
            dispatch(
              `new ${AGENT}.constructor({ connect: { socketPath: ${JSON.stringify(world.socketInFolder)} } })`,
              'http://x.example',
            ),
          /EPERM|ENOENT|ECONNREFUSED/,
        ],
        ['the files of tools, above the folder', () => 'await vfs.readFile("/../outside/secret.txt")', OUT_OF_ROOT],
        ['the files of tools, of the machine', () => 'await vfs.readFile("/etc/passwd")', NOT_THERE],
        ['the files of tools, to be written', () => 'await vfs.writeFile("../outside/f.txt", "x")', OUT_OF_ROOT],
        ['git’s settings', () => 'await vfs.writeFile("/.git/config", "x")', /may not change|had not read it/],
        [
          'prototypes',
          () =>
            'Object.prototype.path = "/../outside/f.txt"; const read = await vfs.readFile({}).catch(String); delete Object.prototype.path; read',
          /Error/,
        ],
      ]),
    )('%s', async (_, code, says) => {
      expect((await world.javascript(code(), { timeout: 10 })).text).toMatch(says);
    });

    test.each<[string, () => string, RegExp]>(
      every([
        ['files', () => `require('fs').readFileSync('${world.outside}/secret.txt')`, REFUSED],
        ['home', () => `require('fs').readFileSync('${world.home}/.ssh/id_test')`, REFUSED],
        [
          'the network',
          () => `require('net').connect(${world.tcpPort}, '127.0.0.1').on('error', ({ code }) => console.log(code))`,
          NO_NETWORK,
        ],
        [
          'programs',
          () =>
            `console.log(String(require('child_process').spawnSync('cat', ['${world.outside}/secret.txt']).stderr))`,
          REFUSED,
        ],
      ]),
    )('%s, if it had Node’s modules', async (_, code, says) => {
      expect((await world.bash(node(code()))).text).toMatch(says);
    });
  });

  describe('by messages to the server', () => {
    const nested = (open: string, close: string, depth = 200_000) => `${open.repeat(depth)}1${close.repeat(depth)}`;
    const request = (params: string, id = '"hostile"') => `{"id":${id},"method":"call_tool","params":${params}}`;

    test.each<[string, () => string, RegExp]>(
      every([
        ['a tool named __proto__', () => request('{"name":"__proto__","input":{}}'), /There is no tool "__proto__"/],
        ['a tool named constructor', () => request('{"name":"constructor"}'), /There is no tool "constructor"/],
        ['a tool named toString', () => request('{"name":"toString","input":{}}'), /There is no tool "toString"/],
        ['a method named __proto__', () => '{"id":"hostile","method":"__proto__"}', /There is no method/],
        ['parameters of a prototype', () => request('{"__proto__":{"name":"ls"}}'), /"name" must be/],
        [
          'arguments of a prototype',
          () => request('{"name":"read_file","input":{"__proto__":{"path":"/a.txt"}}}'),
          /do not match its schema/,
        ],
        [
          'a path of a prototype',
          () => request('{"name":"read_file","input":{"file_path":{"__proto__":"/a.txt"}}}'),
          /do not match its schema/,
        ],
        [
          'a list for a path',
          () => request('{"name":"read_file","input":{"path":["/../outside/secret.txt"]}}'),
          /do not match its schema/,
        ],
        [
          'an object for a command',
          () => request('{"name":"bash","input":{"command":{"toString":"env"}}}'),
          /do not match its schema/,
        ],
        [
          'deep lists',
          () => request(`{"name":"read_file","input":{"path":${nested('[', ']')}}}`),
          /do not match its schema/,
        ],
        [
          'deep objects',
          () => request(`{"name":"write_file","input":${nested('{"a":', '}')}}`),
          /do not match its schema/,
        ],
        ['deep parameters', () => request(nested('{"a":', '}')), /"name" must be/],
        ['a deep id', () => request('{"name":"ls"}', nested('[', ']')), /could not be read/],
        [
          'a deep id that is cancelled',
          () => `{"id":"hostile","method":"cancel","params":{"id":${nested('[', ']')}}}`,
          /could not be read/,
        ],
        ['a long name', () => request(`{"name":"${'x'.repeat(1_000_000)}"}`), /There is no tool/],
        ['no object', () => '[[["call_tool"]]]', /A request is an object/],
        ['half of a message', () => '{"id":"hostile","method":"call_', /not valid JSON/],
        ['control characters', () => '\u0000\u001b[2J{}', /not valid JSON/],
      ]),
    )('%s', async (_, line, says) => {
      const answered = world.client.wait(({ id }) => id === 'hostile' || id === null);
      world.client.send(line());
      const { text, isError } = world.checked(await answered, '');
      expect(text).toMatch(says);
      expect(isError).toBe(true);
      expect((await world.call('read_file', { path: '/a.txt' })).text).toBe('alpha\n');
    });

    test('keys of prototypes in arguments change nothing', async () => {
      const answered = world.client.wait(({ id }) => id === 'hostile');
      world.client.send(
        request(
          '{"name":"read_file","input":{"path":"/a.txt","__proto__":{"limit":0},"constructor":{"prototype":{"isError":1}}}}',
        ),
      );
      expect(world.checked(await answered, '').text).toBe('alpha\n');
    });
  });
});

describe.skipIf(isSkipped)(`a way out between check and use${because}`, () => {
  /** The time for which the other process exchanges things at least, and at most, in milliseconds. */
  const [LEAST_MS, MOST_MS] = [1_500, 20_000];

  beforeAll(async () => {
    world = await EscapeBench.start();
  });
  afterEach(() => world.expectUntouched());
  afterAll(() => world.stop());

  /**
   * Runs code in another process, again and again, until its time is over and `isEnough`. Resolves with how often it did.
   */
  async function meanwhile(code: string, work: () => Promise<unknown>, isEnough = () => true): Promise<number> {
    const { folder, outside } = world;
    const enough = join(tmpdir(), `enough-${randomUUID()}`);
    const script = `const fs = require('fs'); const [root, outside] = ${JSON.stringify([folder, outside])};
      const attempt = (work) => { try { work(); return true; } catch { return false; } };
      const began = Date.now(); let count = 0;
      const isOver = (ms) => Date.now() - began > ms;
      while (!isOver(${LEAST_MS}) || (!fs.existsSync(${JSON.stringify(enough)}) && !isOver(${MOST_MS}))) { ${code} }
      console.log(count);`;
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    let printed = '';
    child.stdout.on('data', (data: Buffer) => {
      printed += data.toString();
    });
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
    let isOver = false;
    void ended.then(() => {
      isOver = true;
    });
    while (!isOver) {
      await work();
      if (isEnough() && !existsSync(enough)) writeFileSync(enough, '');
    }
    rmSync(enough, { force: true });
    return Number(printed);
  }

  /** Calls a tool; whatever it answers is all right if it says it clearly. */
  async function call(tool: string, input: Record<string, unknown>, seen: string[]): Promise<Answer> {
    const answer = await world.call(tool, input, world.outside);
    expect(answer.text).toMatch(
      answer.isError
        ? /^E[A-Z]+: |^Not (written|changed|edited)|^Nothing was changed|has changed|changed since|No such/
        : /./,
    );
    if (!answer.isError) seen.push(tool);
    return answer;
  }

  test.each<[string, string, string]>(
    every([
      ['a directory', 'd', 'sub'],
      ['a directory far above', 'e', ''],
    ]),
  )('%s is exchanged for a symlink', async (_, name, below) => {
    const directory = `/${name}/${below}`.replace(/\/$/, '');
    world.bench.write({ [`${name}/f.txt`]: 'mine', [`${name}/sub/f.txt`]: 'mine' });
    const done: string[] = [];
    const hasRead = () => done.includes('read_file');
    const hasWritten = () => done.some((tool) => /^(write|copy|move|delete)_/.test(tool));
    let round = 0;
    const count = await meanwhile(
      `const place = root + '/${name}', aside = root + '/aside-${name}', link = root + '/link-${name}';
       attempt(() => fs.symlinkSync(outside, link));
       attempt(() => { fs.renameSync(place, aside); fs.renameSync(link, place); count++; });
       attempt(() => { fs.renameSync(place, link); fs.renameSync(aside, place); });`,
      async () => {
        round++;
        await Promise.all([
          call('read_file', { path: `${directory}/f.txt` }, done),
          call('list_directory', { path: directory }, done),
          call('read_file', { path: `${directory}/secret.txt` }, done),
          call('search_text', { pattern: 'CANARY' }, done),
        ]);
        await call('write_file', { path: `${directory}/new-${round % 5}.txt`, content: `mine ${round}` }, done);
        await call('write_file', { path: `${directory}/f.txt`, content: 'mine' }, done);
        await call('copy_path', { from: `${directory}/f.txt`, to: `/copy-${round}.txt` }, done);
        await call('read_file', { path: `/copy-${round}.txt` }, done);
        await call('move_path', { from: `${directory}/f.txt`, to: `${directory}/g.txt` }, done);
        await call('move_path', { from: `${directory}/g.txt`, to: `${directory}/f.txt` }, done);
        await call('delete_path', { path: `${directory}/new-${(round + 2) % 5}.txt` }, done);
      },
      () => hasRead() && hasWritten(),
    );
    expect(count).toBeGreaterThan(100);
    // Neither of them always failed.
    expect({ hasRead: hasRead(), hasWritten: hasWritten() }).toEqual({ hasRead: true, hasWritten: true });
    for (const [path, text] of world.bench.files()) expect(text, path).not.toContain(world.secret);
  });

  test('a file is exchanged for a symlink', async () => {
    world.bench.write({ 'file.txt': 'mine' });
    const done: string[] = [];
    const count = await meanwhile(
      `const place = root + '/file.txt';
       attempt(() => { fs.symlinkSync(outside + '/f.txt', root + '/file-link'); fs.renameSync(root + '/file-link', place); count++; });
       attempt(() => { fs.writeFileSync(root + '/file-own', 'mine'); fs.renameSync(root + '/file-own', place); });`,
      async () => {
        await Promise.all([
          call('read_file', { path: '/file.txt' }, done),
          call('count_lines', { path: '/file.txt' }, done),
          call('search_text', { pattern: 'CANARY' }, done),
        ]);
        await call('write_file', { path: '/file.txt', content: 'changed' }, done);
        await call('copy_path', { from: '/file.txt', to: '/file-copy.txt' }, done);
        await call('delete_path', { path: '/file-copy.txt' }, done);
      },
    );
    expect(count).toBeGreaterThan(100);
    expect(done.length).toBeGreaterThan(0);
    expect(readFileSync(join(world.outside, 'f.txt'), 'utf8')).toBe(world.secret);
  });

  test('the folder for changes that are being made is exchanged for a symlink', async () => {
    world.bench.write({ 'often.txt': 'mine' });
    const done: string[] = [];
    let round = 0;
    await meanwhile(
      `const staging = root + '/.roundtrip/staging';
       let names = [];
       attempt(() => { names = fs.readdirSync(staging); });
       for (const name of names) {
         const place = staging + '/' + name;
         for (let i = 0; i < Math.random() * 50; i++) attempt(() => fs.readdirSync(place));
         attempt(() => { fs.renameSync(place, root + '/taken-' + count); fs.symlinkSync(outside, place); count++; });
       }`,
      async () => {
        await call('write_file', { path: '/often.txt', content: `mine ${round++}` }, done);
        await call('read_file', { path: '/often.txt' }, done);
      },
    );
    expect(done.length).toBeGreaterThan(0);
  });

  test('the directory of a command is exchanged for a symlink', async () => {
    world.bench.write({ 'cwd/f.txt': 'mine' });
    await meanwhile(
      `const place = root + '/cwd', aside = root + '/aside-cwd', link = root + '/link-cwd';
       attempt(() => fs.symlinkSync(outside, link));
       attempt(() => { fs.renameSync(place, aside); fs.renameSync(link, place); count++; });
       attempt(() => { fs.renameSync(place, link); fs.renameSync(aside, place); });`,
      async () => {
        await world.call('bash', { command: 'cat f.txt; echo x >> f.txt; ls', cwd: '/cwd' }, world.outside);
      },
    );
  });
});

describe.skipIf(isSkipped).each(['the folder', 'another folder'] as const)(
  `hooks and settings of git, if the server was started in %s${because}`,
  (startedIn) => {
    beforeAll(async () => {
      world = await EscapeBench.start({ startedIn });
    });
    afterEach(() => world.expectUntouched());
    afterAll(() => world.stop());

    /** The files that must stay as they are, besides those that the world checks itself. */
    const PROTECTED_FILES = [
      '.git/modules/libs/module/config',
      '.git/modules/libs/module/hooks/sample',
      'packages/nested/.git/config',
      'packages/nested/.git/hooks/sample',
      'linked/.git',
    ];
    const LINKED = 'gitdir: ../.git/modules/libs/module\n';

    test.each<[string, string, RegExp]>(
      every([
        ['a new hook', 'echo x > .git/hooks/pre-commit', REFUSED],
        ['a hook by the settings', 'echo "[core] fsmonitor = touch pwned" >> .git/config', REFUSED],
        [
          'git config',
          'git config core.fsmonitor "touch pwned"',
          /could not lock|Read-only|not found|busy|could not write|unable/i,
        ],
        ['in place of the settings', 'echo x > c && mv -f c .git/config', REFUSED],
        ['in place of the hooks', 'mv .git/hooks .git/old && mkdir .git/hooks', REFUSED],
        ['in place of the repository', 'mv .git old && cp -r old .git', REFUSED],
        ['through a link', 'echo x > git-link/hooks/pre-commit', REFUSED],
        ['a link in place of the hooks', 'rm -rf .git/hooks && ln -s ../evil .git/hooks', REFUSED],
        ['a hard link', 'ln .git/config hard && echo x >> hard', REFUSED],
        ['modules', 'echo x >> .git/modules/libs/module/config; echo x > .git/modules/libs/module/hooks/x', REFUSED],
        ['modules moved', 'mv .git/modules .git/old', REFUSED],
        ['a repository below', 'echo x >> packages/nested/.git/config; echo x > packages/nested/.git/hooks/x', REFUSED],
        ['a repository below, moved', 'mv packages elsewhere', REFUSED],
        ['the place of a repository', 'echo "gitdir: ../evil" > linked/.git', REFUSED],
        ['a file system', 'umount .git/hooks', /umount/],
        [
          'other settings',
          'mkdir -p evil; echo x > evil/config; echo ../evil > .git/commondir',
          /Removed again, .*: \.git\/commondir/,
        ],
        [
          'other settings for a repository below',
          'echo ../evil > packages/nested/.git/commondir',
          /Removed again, .*: packages\/nested\/\.git\/commondir/,
        ],
      ]),
    )('a command: %s', async (_, command, says) => {
      expect((await world.bash(command)).text).toMatch(says);
      for (const path of PROTECTED_FILES)
        expect(world.bench.read(path), path).toMatch(
          /^(\[core\]\n|#!\/bin\/sh\n|gitdir: \.\.\/\.git\/modules\/libs\/module\n)$/,
        );
      expect(world.bench.read('linked/.git')).toBe(LINKED);
      for (const path of ['.git/commondir', 'packages/nested/.git/commondir', 'packages/nested/.git/hooks/x', 'pwned'])
        expect(world.bench.read(path), path).toBeUndefined();
    });

    test.each<[string, string, Record<string, unknown>]>(
      every([
        ['a new hook', 'write_file', { path: '/.git/hooks/pre-commit', content: 'x' }],
        ['a new hook in capitals', 'write_file', { path: '/.GIT/Hooks/pre-commit', content: 'x' }],
        ['a new hook through a link', 'write_file', { path: '/git-link/hooks/pre-commit', content: 'x' }],
        ['the settings', 'edit_file', { path: '/.git/config', find: '[core]', replace: '[alias]' }],
        ['other settings', 'write_file', { path: '/.git/commondir', content: '../evil' }],
        ['settings of a worktree', 'write_file', { path: '/.git/config.worktree', content: 'x' }],
        ['a new repository', 'write_file', { path: '/new/.git/config', content: 'x' }],
        ['a new place of a repository', 'write_file', { path: '/new/.git', content: 'gitdir: ../evil' }],
        ['modules', 'write_file', { path: '/.git/modules/libs/module/hooks/x', content: 'x' }],
        ['moving', 'move_path', { from: '/.git', to: '/old' }],
        ['moving what has a repository in it', 'move_path', { from: '/packages', to: '/other' }],
        ['moving over it', 'move_path', { from: '/a.txt', to: '/.git/hooks/pre-commit' }],
        ['copying', 'copy_path', { from: '/a.txt', to: '/.git/hooks/pre-commit' }],
        ['deleting', 'delete_path', { path: '/.git/hooks', recursive: true }],
        ['deleting the settings', 'delete_path', { path: '/.git/config' }],
        ['directories', 'make_directory', { path: '/.git/hooks/x' }],
      ]),
    )('a tool: %s', async (_, tool, input) => {
      const { text, isError } = await world.call(tool, input);
      expect(isError, text).toBe(true);
      expect(text).toMatch(PROTECTED);
    });

    describe('that are not in its own folders', () => {
      /** As they are before. */
      const USED: Readonly<Record<string, string>> = {
        'uses/.husky/pre-commit': 'npm test\n',
        'uses/.husky/_/h': '#!/bin/sh\n',
        'uses/tools/clean.sh': 'cat\n',
      };

      beforeAll(() => {
        world.bench.write(USED);
        const git = (...args: readonly string[]) =>
          execFileSync('git', [...args], { cwd: join(world.bench.folder, 'uses'), stdio: 'ignore' });
        git('init', '-q');
        git('config', 'core.hooksPath', '.husky/_');
        git('config', 'filter.big.clean', 'sh tools/clean.sh');
        git('config', 'include.path', '../team.gitconfig');
      });

      function expectUnchanged(): void {
        for (const [path, text] of Object.entries(USED)) expect(world.bench.read(path), path).toBe(text);
        for (const path of ['uses/team.gitconfig', 'uses/.husky/post-commit', 'pwned'])
          expect(world.bench.read(path), path).toBeUndefined();
      }

      test.each<[string, string, RegExp]>(
        every([
          ['a hook', 'echo x > uses/.husky/pre-commit', REFUSED],
          ['a new hook', 'echo x > uses/.husky/post-commit', REFUSED],
          ['in place of the hooks', 'mv uses/.husky uses/old; mkdir uses/.husky', REFUSED],
          ['what runs the hooks', 'echo "touch pwned" >> uses/.husky/_/h', REFUSED],
          ['a program that settings name', 'echo "touch pwned" > uses/tools/clean.sh', REFUSED],
          [
            'settings that are included',
            'echo "[core] fsmonitor = touch pwned" > uses/team.gitconfig',
            /Removed again, .*: uses\/team\.gitconfig/,
          ],
        ]),
      )('a command: %s', async (_, command, says) => {
        expect((await world.bash(command)).text).toMatch(says);
        expectUnchanged();
      });

      test.each<[string, string, Record<string, unknown>]>(
        every([
          ['a hook', 'edit_file', { path: '/uses/.husky/pre-commit', find: 'npm test', replace: 'touch pwned' }],
          ['a new hook', 'write_file', { path: '/uses/.husky/post-commit', content: 'x' }],
          ['moving the hooks', 'move_path', { from: '/uses/.husky', to: '/uses/old' }],
          ['a program that settings name', 'delete_path', { path: '/uses/tools/clean.sh' }],
          ['settings that are included', 'write_file', { path: '/uses/team.gitconfig', content: 'x' }],
        ]),
      )('a tool: %s', async (_, tool, input) => {
        const { text, isError } = await world.call(tool, input);
        expect(isError, text).toBe(true);
        expect(text).toMatch(PROTECTED);
        expectUnchanged();
      });
    });

    test('a command of git’s own still works', async () => {
      const { text } = await world.bash(
        'git init -q fresh && cd fresh && touch a && git add a && git -c user.name=a -c user.email=a@b commit -qm one && git log --oneline',
      );
      expect(text).toMatch(/ one$|not found/);
    });
  },
);
