import { beforeEach, describe, expect, test } from 'vitest';
import type { SandboxFiles } from '#lib/tools/capabilities/sandbox.ts';
import type { Shell } from '#lib/tools/capabilities/shell.ts';
import { resultText, type ToolResult } from '#lib/tools/core/tool-call.ts';
import { createToolExecutor, type PermissionAnswer } from '#lib/tools/execution/executor.ts';
import { ToolHost } from '#lib/tools/execution/host.ts';
import type { PathPolicy, PathRule, PathVerdict } from '#lib/tools/permission/path-rule.ts';
import { guardOf } from '#lib/tools/permission/path-rules.ts';
import { decidePermission } from '#lib/tools/permission/permission.ts';
import { MapLedger } from '#lib/tools/test/map-ledger.ts';
import { testCapabilities } from '#lib/tools/test/run-tool.ts';
import { toolRegistry } from '#lib/tools/toolsets.ts';
import type { FileSystem } from '#lib/vfs/file-system.ts';
import { guardedFiles } from '#lib/vfs/guarded-file-system.ts';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import { fill, readTree } from '#lib/vfs/test/contract.ts';
import { createLocalSearch } from '#lib/workspace/search/local-search.ts';
import { runBash } from './run-bash.ts';

let files: MemoryFileSystem;
let rules: readonly PathRule[];
/** The questions to the user, and the answer. */
let asked: PathVerdict[];
let answer: PermissionAnswer;
/** The code that a call runs. */
let code: (vfs: SandboxFiles) => Promise<unknown>;
let calls: number;

const rule = (pattern: string, policy: PathPolicy = 'deny', effects: PathRule['effects'] = ['read', 'write']) =>
  ({ pattern, effects, policy }) satisfies PathRule;

const SECRET = 'TOP-SECRET';

beforeEach(async () => {
  files = new MemoryFileSystem();
  await fill(files, {
    '/.env': `KEY=${SECRET}\n`,
    '/app/secrets/key': `${SECRET}\n`,
    '/app/main.ts': 'main\n',
    '/README.md': 'Hello\n',
    '/to-env': { link: '.env' },
    '/to-app': { link: '/app' },
  });
  rules = [rule('.env*'), rule('**/secrets/**')];
  asked = [];
  answer = { type: 'allow' };
  code = async () => undefined;
  calls = 0;
});

/** The shell of a workspace, as in its worker. */
const shellOf = (fileSystem: FileSystem): Shell => ({
  run: (command, { cwd, author }) => runBash(command, { cwd, author, fileSystem }),
  under: (paths) => shellOf(guardedFiles(fileSystem, guardOf(paths))),
});

function execute(toolName: string, input: object, shell: Shell | undefined = shellOf(files)): Promise<ToolResult> {
  const sandbox = {
    async evaluate(_: string, { files: vfs }: { files: SandboxFiles }) {
      const text = String(await code(vfs));
      return { console: [], value: { type: 'text', text } as const };
    },
  };
  const executor = createToolExecutor({
    host: new ToolHost(
      toolRegistry,
      testCapabilities(files, { sandbox, search: createLocalSearch(files), ...(shell && { shell }) }),
    ),
    ledger: new MapLedger(),
    claimant: 'tab',
    fence: async () => undefined,
    hasCommitted: async () => false,
    pathRules: () => rules,
    decide: (_, { toolset, effect }, paths) =>
      decidePermission({
        toolset,
        effect,
        toolsetEnabled: true,
        paths,
        settings: { [toolset]: { execute: 'allow' } },
        grantedAt: undefined,
        policySetAt: undefined,
        origin: undefined,
      }),
    ask: async (...[, , , paths]) => {
      if (paths !== undefined) asked.push(paths);
      return answer;
    },
  });
  const signals = { stop: new AbortController().signal, detach: new AbortController().signal };
  return executor.execute({ toolCallId: `call-${++calls}`, toolName, input, inputState: 'complete' }, signals);
}

const textOf = async (toolName: string, input: object) => resultText(await execute(toolName, input));
const bash = (command: string, cwd = '/') => textOf('execute_bash', { command, cwd });

describe('a command cannot read a protected path', () => {
  test.each([
    'cat .env',
    'cat ./app/../.env',
    'cat /app/secrets/key',
    'cat to-env',
    'cat to-app/secrets/key',
    'cat .e*',
    'cat app/*/key',
    'cat < .env',
    'while read line; do echo $line; done < .env',
    'x=$(<.env); echo $x',
    'head -c 100 .env; tail -n 1 .env; nl .env; tac .env; rev .env | rev; od -c .env; base64 .env | base64 -d',
    'cp .env copy; cat copy',
    'cp -r app copy; cat copy/secrets/key',
    'cp .env /tmp/x; cat /tmp/x',
    'mv .env copy; cat copy',
    'mv app other; cat other/secrets/key',
    'mv app/secrets app/open; cat app/open/key',
    'mv app /tmp/app; cat /tmp/app/secrets/key',
    'ln -s .env link; cat link',
    'ln -s app/secrets link; cat link/key',
    'ln .env link; cat link',
    'cd app/secrets; cat key',
    'cd app; cat secrets/key',
    'find . -type f -exec cat {} \\;',
    'find . -name key | xargs cat',
    'grep -r . .',
    'grep -rn SECRET /',
    'grep "" .env app/secrets/key',
    'sed -n p .env',
    'awk 1 .env',
    'sort .env app/secrets/key',
    'paste .env .env',
    'diff .env README.md',
    'source .env; echo $KEY',
    '. ./.env; echo $KEY',
    'bash .env',
    'tar cf - . | strings',
    'tar cf x.tar .env app; cat x.tar',
    'gzip -c .env | gunzip',
    'split .env part; cat part*',
    'tee copy < .env; cat copy',
    'jq -R . .env',
    'xxd .env; hexdump -C .env; cat -A .env; cut -c1-80 .env; fold .env; strings .env',
  ])('%s', async (command) => {
    const before = (await readTree(files))['/.env'];
    const text = await bash(command);
    expect(text).not.toContain(SECRET);
    const { '/.env': env, '/app/secrets/key': key, ...others } = await readTree(files);
    expect([env, key]).toEqual([before, `${SECRET}\n`]);
    expect(JSON.stringify(others)).not.toContain(SECRET);
  });

  test('and the control: without rules, each kind of command can', async () => {
    rules = [];
    for (const command of ['cat .env', 'grep -r . .', 'find . -type f -exec cat {} \\;', 'source .env; echo $KEY'])
      expect(await bash(command), command).toContain(SECRET);
  });

  test('says that a rule protects it, and the rest of the command works', async () => {
    const text = await bash('cat .env; cat README.md; ls -a');
    expect(text).toContain('Hello');
    expect(text).toContain('Refused: /.env: one of the user’s rules protects this path.');
    expect(text).toMatch(/^\.env$/m);
  });
});

describe('a redirection to a protected path fails like a command, and the rest works', () => {
  const refused = /Refused: \/(?:\.env|link): one of the user’s rules protects this path\./;

  test.each([
    ['echo one; echo x > .env; echo two', 'one\ntwo\n'],
    ['echo one; echo x >> .env; echo $?', 'one\n1\n'],
    ['echo x > .env || echo instead', 'instead\n'],
    ['echo x > .env && echo no; echo two', 'two\n'],
    ['set -e; echo one; echo x > .env; echo no', 'one\n'],
    ['f() { echo in; echo x > .env; echo $?; }; f', 'in\n1\n'],
    ['for i in 1 2; do echo $i; echo $i > .env; done', '1\n2\n'],
    ['{ echo x; } > .env; echo $?', '1\n'],
    ['echo one; (echo x) > .env; echo two', 'one\ntwo\n'],
    ['echo one | cat > .env; echo two', 'two\n'],
    ['echo one; cat > .env <<< x; echo two', 'one\ntwo\n'],
    ['echo one; echo x &> .env; echo two', 'one\ntwo\n'],
    ['x=$(echo x > .env; echo two); echo $x', 'two\n'],
    ['ln -s .env link; echo x > link; echo two', 'two\n'],
  ])('%s', async (command, stdout) => {
    const fileSystem = guardedFiles(files, guardOf({ rules, approved: [] }));
    const outcome = await runBash(command, { cwd: '/', author: { type: 'person' }, fileSystem });
    expect(outcome.stdout).toBe(stdout);
    expect(outcome.stderr).toMatch(refused);
  });

  test('also in code for another shell, which is refused as a whole', async () => {
    expect(await bash('eval "echo x > .env"')).toMatch(refused);
    expect((await readTree(files))['/.env']).toBe(`KEY=${SECRET}\n`);
  });
});

describe('a command cannot change a protected path', () => {
  test.each([
    'echo x > .env',
    'echo x >> .env',
    'echo x > to-env',
    'echo x | tee .env',
    'cp README.md .env',
    'cp -f README.md app/secrets/key',
    'mv README.md .env',
    'rm .env',
    'rm -f .env',
    'rm -rf app',
    'rm -rf app/secrets',
    'rmdir app/secrets',
    'sed -i s/TOP/x/ .env',
    'touch .env.local',
    'touch app/secrets/new',
    'mkdir app/secrets/new',
    'ln -sf README.md .env',
    'chmod 777 .env',
    'truncate -s 0 .env',
    'find . -type f -delete',
    'mv app other',
    'ln -s .env.new link; echo x > link',
    'ln -s app/secrets link; echo x > link/new',
  ])('%s', async (command) => {
    await bash(command);
    const tree = await readTree(files);
    expect(tree['/.env']).toBe(`KEY=${SECRET}\n`);
    expect(tree['/app/secrets/key']).toBe(`${SECRET}\n`);
    const made = Object.keys(tree).filter((path) => /^\/\.env.|\/secrets\/(?!key$)/.test(path));
    expect(made).toEqual([]);
    expect((await files.stat('/.env')).mode).toBe(0o644);
  });
});

test('a command is refused what the user wants to be asked about, because it cannot ask', async () => {
  rules = [rule('.env', 'ask')];
  const text = await bash('cat .env');
  expect(text).toContain('the user wants to be asked before this path is read, and only file tools can ask');
  expect(text).not.toContain(SECRET);
  expect(asked).toEqual([]);
});

test('a host whose shell cannot keep to rules runs no command while there are any', async () => {
  const shell: Shell = { run: async () => ({ stdout: SECRET, stderr: '', exitCode: 0 }) };
  const input = { command: 'cat .env' };
  expect(await execute('execute_bash', input, shell)).toMatchObject({ type: 'tool-error', code: 'denied' });
  rules = [rule('.env', 'allow')];
  expect(resultText(await execute('execute_bash', input, shell))).toContain(SECRET);
});

describe('code', () => {
  const wait = () => undefined;
  const run = async (body: typeof code) => {
    code = body;
    return textOf('browser_js_eval', { code: 'x' });
  };

  test.each(['/.env', '.env', '/app/../.env', '/to-env', '/app/secrets/key', '/to-app/secrets/key'])(
    'can neither read nor write %s',
    async (path) => {
      const before = await readTree(files);
      expect(await run((vfs) => vfs.read(path, wait))).toMatch(/One of the user’s rules protects/);
      expect(await run((vfs) => vfs.write(path, 'x', wait))).toMatch(/One of the user’s rules protects/);
      expect(await readTree(files)).toEqual(before);
    },
  );

  test('cannot list a protected folder, and gets no contents with the listing of another', async () => {
    expect(await run((vfs) => vfs.list('/app/secrets', wait))).toContain(
      'One of the user’s rules protects /app/secrets',
    );
    expect(await run(async (vfs) => JSON.stringify(await vfs.list('/app', wait)))).toContain('secrets');
  });

  test('asks in the middle: that the code may run is not an answer', async () => {
    rules = [rule('.env', 'ask')];
    expect(await run((vfs) => vfs.read('/.env', wait))).toContain(SECRET);
    expect(asked).toEqual([{ type: 'ask', found: [{ path: '/.env', effect: 'read', pattern: '.env' }] }]);
    answer = { type: 'deny', reason: 'No.' };
    expect(await run((vfs) => vfs.read('/.env', wait))).toContain('No.');
  });
});

describe('file tools', () => {
  test.each<[string, object]>([
    ['read_file', { path: '/to-env' }],
    ['write_file', { path: '.env', content: 'x' }],
    ['delete_path', { path: '/app', recursive: true }],
    ['move_path', { from: '/app', to: '/b' }],
    ['copy_path', { from: '/app', to: '/b' }],
    ['list_directory', { path: '/app/secrets' }],
    ['search_text', { pattern: 'SECRET', path: '/.env' }],
  ])('%s %j is denied, and says which path', async (name, input) => {
    const before = await readTree(files);
    const result = await execute(name, input);
    expect(result).toMatchObject({ type: 'tool-error', code: 'denied' });
    expect(resultText(result)).toMatch(/protects \/(?:\.env|app\/secrets)/);
    expect(await readTree(files)).toEqual(before);
  });

  test('a search leaves out what is protected, and says so', async () => {
    expect(await textOf('search_text', { pattern: 'SECRET|main' })).toBe(
      '/app/main.ts:1: main\n[Not searched: 3 files or folders protected by the user’s rules.]',
    );
    expect(await textOf('search_files', { pattern: '**/*' })).toBe(
      '/.env\n/README.md\n/app/main.ts\n/to-env\n[Not searched: 1 file or folder protected by the user’s rules.]',
    );
    expect(await textOf('count_lines', { path: '/app' })).toContain('1 total, 1 file\n[Not counted: 1 file or folder');
    expect(await textOf('list_directory', { recursive: true })).toBe(
      [
        '.env [protected by a user rule]',
        'README.md',
        'app/',
        'app/main.ts',
        'app/secrets/ [protected by a user rule]',
        'to-app',
        'to-env [protected by a user rule]',
      ].join('\n'),
    );
  });

  test('ask about the path, and may then do just that', async () => {
    rules = [rule('.env', 'ask'), rule('**/secrets/**', 'ask')];
    expect(await textOf('read_file', { path: '/to-env' })).toContain(SECRET);
    expect(await textOf('copy_path', { from: '/app', to: '/b' })).toContain('Success');
    expect(asked.map((paths) => paths.type === 'ask' && paths.found.map(({ path }) => path))).toEqual([
      ['/.env'],
      ['/app/secrets', '/b/secrets'],
    ]);
    answer = { type: 'deny', reason: 'No.' };
    expect(await textOf('delete_path', { path: '/b', recursive: true })).toContain('No.');
  });

  test('that name a protected file only in a hint show nothing of it', async () => {
    expect(await textOf('read_file', { path: '/app/secrets.txt' })).not.toContain('key');
    expect(await textOf('search_files', { pattern: '**/SECRET' })).not.toContain(`.env contains`);
    expect(await textOf('read_file', { path: '/app/secrets/none' })).not.toContain('key');
  });
});
