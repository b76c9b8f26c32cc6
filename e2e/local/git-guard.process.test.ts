import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CliBench } from '../lib/cli-bench.ts';
import { ToolClient } from '../lib/tool-client.ts';

// The person's next use of git runs nothing that a command or a file tool has written. Settings of git
// name a program that leaves the file `pwned` outside of the folder.

let bench: CliBench;
let client: ToolClient | undefined;
beforeEach(async () => {
  bench = await CliBench.start();
});
afterEach(async () => {
  client?.child.kill('SIGKILL');
  client = undefined;
  await bench.stop();
});

function serve(): ToolClient {
  bench.write({ '.roundtrip/config.yaml': 'permissions: {write: allow, execute: allow}\n' });
  client = new ToolClient(bench.open(['serve', '--stdio']));
  return client;
}

const bash = async (server: ToolClient, command: string) =>
  (await server.call(crypto.randomUUID(), 'bash', { command, timeout: 20 })).result;

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
    cwd: bench.folder,
    stdio: 'pipe',
    encoding: 'utf8',
  });

const outside = (name: string) => join(bench.outside, name);

/** A setting for git that runs a program. */
const evil = () => `touch ${outside('pwned')}; false`;

test('nothing is removed where a link leads', async () => {
  bench.write({ 'a.txt': 'x' });
  git('init', '--quiet');
  for (const name of ['other/.git/hooks', 'ssh']) mkdirSync(outside(name), { recursive: true });
  for (const name of ['other/.git/config', 'other/.git/hooks/x', 'ssh/config'])
    writeFileSync(outside(name), 'precious');
  const server = serve();
  await bash(server, 'mkdir -p .git/worktrees/foo sub/.git');
  await bash(
    server,
    `rmdir .git/worktrees/foo sub/.git; ln -s ${outside('other/.git')} .git/worktrees/foo; ln -s ${outside('ssh')} sub/.git`,
  );
  for (const name of ['other/.git/config', 'other/.git/hooks/x', 'ssh/config'])
    expect(existsSync(outside(name)), name).toBe(true);
});

test('what is taken away is kept', async () => {
  git('init', '--quiet');
  await bash(serve(), 'echo mine > .git/config.worktree');
  expect(existsSync(join(bench.folder, '.git/config.worktree'))).toBe(false);
  const [kept] = readdirSync(join(bench.folder, '.roundtrip/removed'));
  expect(readFileSync(join(bench.folder, '.roundtrip/removed', kept ?? ''), 'utf8')).toBe('mine\n');
});

test.each<[string, () => void, string]>([
  ['a repository elsewhere in the folder', () => git('init', '--quiet', '--separate-git-dir=.bare', '.'), '.'],
  [
    'a link to a repository',
    () => {
      git('init', '--quiet', '.');
      execFileSync('mv', ['.git', '.repo'], { cwd: bench.folder });
      symlinkSync('.repo', join(bench.folder, '.git'));
    },
    '.',
  ],
  ['a repository in a folder with a dot', () => git('init', '--quiet', '.worktrees/feature'), '.worktrees/feature'],
  ['a repository without a working tree', () => git('init', '--quiet', '--bare', 'store.git'), 'store.git'],
])('%s keeps its settings', async (_, init, place) => {
  init();
  const server = serve();
  const said = await bash(server, `cd ${place} && git config core.fsmonitor '${evil()}'`);
  expect(said?.content).toMatch(/could not|unable|busy|Read-only/i);
  for (const folder of ['.bare', '.repo', '.worktrees/feature/.git', 'store.git']) {
    if (!existsSync(join(bench.folder, folder))) continue;
    const input = { path: `/${folder}/config`, find: '[core]', replace: `[core]\n\tfsmonitor = "${evil()}"` };
    expect((await server.call(folder, 'edit_file', input)).result).toMatchObject({ is_error: true });
    const hook = { path: `/${folder}/hooks/post-commit`, content: 'x' };
    expect((await server.call(`${folder}/hook`, 'write_file', hook)).result).toMatchObject({ is_error: true });
  }
  git('-C', place, place === 'store.git' ? 'branch' : 'status');
  expect(existsSync(outside('pwned'))).toBe(false);
});

test('a link to a repository leads to it again', async () => {
  git('init', '--quiet', '.');
  execFileSync('mv', ['.git', '.repo'], { cwd: bench.folder });
  symlinkSync('.repo', join(bench.folder, '.git'));
  const said = await bash(serve(), `rm .git && git init --quiet . && git config core.fsmonitor '${evil()}'`);
  expect(said?.content).toContain('from there: .git. What');
  git('status');
  expect(existsSync(outside('pwned'))).toBe(false);
});

test('a repository that a command destroys is told', async () => {
  git('init', '--quiet', '.');
  const said = await bash(serve(), 'find .git -name HEAD -delete');
  expect(said?.content).toContain('The git repository in .git is destroyed');
});

test('many modules do not leave other repositories unprotected', async () => {
  git('init', '--quiet', '.');
  git('init', '--quiet', 'packages/nested');
  const server = serve();
  await bash(server, 'for i in $(seq 60); do mkdir -p .git/modules/m$i; touch .git/modules/m$i/config; done');
  const said = await bash(server, `git -C packages/nested config core.fsmonitor '${evil()}'`);
  expect(said?.content).toMatch(/could not/);
  const again = await bash(server, 'echo x >> .git/modules/m60/config');
  expect(again?.content).toMatch(/Read-only|could not/);
});

test('the file tools cannot make a repository of a folder', async () => {
  const server = serve();
  await server.call(1, 'write_file', { path: '/objects/x', content: 'x' });
  await server.call(2, 'write_file', { path: '/refs/x', content: 'x' });
  const head = await server.call(3, 'write_file', { path: '/HEAD', content: 'ref: refs/heads/main\n' });
  expect(head.result).toMatchObject({ is_error: true });
});

test('other settings are taken away while the command runs, and after it was killed', async () => {
  git('init', '--quiet', '.');
  const server = serve();
  const plant = `mkdir alt; cp -r .git/. alt; git config -f alt/config core.fsmonitor '${evil()}'; echo ../alt > .git/commondir`;
  void bash(server, `${plant}; sleep 15`);
  const commondir = join(bench.folder, '.git/commondir');
  await vi.waitFor(() => expect(existsSync(join(bench.folder, 'alt/refs'))).toBe(true), { timeout: 10_000 });
  await vi.waitFor(() => expect(readdirSync(join(bench.folder, '.roundtrip/removed'))).toHaveLength(1), {
    timeout: 10_000,
  });
  expect(existsSync(commondir)).toBe(false);
  git('status');
  server.child.kill('SIGKILL');
  // As if it had been created in the last moment.
  writeFileSync(commondir, '../alt');
  const next = serve();
  await bash(next, 'true');
  expect(existsSync(commondir)).toBe(false);
  git('status');
  expect(existsSync(outside('pwned'))).toBe(false);
});

test('a command cannot leave steps of a rebase that run programs, and those of the person stay', async () => {
  git('init', '--quiet', '-b', 'main', '.');
  bench.write({ 'a.txt': 'one' });
  git('add', 'a.txt');
  git('commit', '--quiet', '-m', 'one');
  bench.write({ 'a.txt': 'two' });
  git('commit', '--quiet', '-am', 'two');
  // The person's own rebase has stopped, and has a step that runs a program.
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', 'rebase', '-i', 'HEAD~1'], {
    cwd: bench.folder,
    stdio: 'pipe',
    env: {
      ...process.env,
      GIT_SEQUENCE_EDITOR: `printf 'break\nexec touch ${outside('mine')}\n' >`,
    },
  });
  const steps = join(bench.folder, '.git/rebase-merge/git-rebase-todo');
  const said = await bash(
    serve(),
    `cp ${steps} old; { printf ' x touch ${outside('pwned')}\nexec touch ${outside('pwned')}\n'; cat old; } > ${steps}; mkdir -p git-merge-x; printf '#!/bin/sh\ntouch ${outside('pwned')}\n' > evil; chmod +x evil; echo x/../evil > .git/rebase-merge/strategy`,
  );
  expect(said?.content).toContain('from there: .git/rebase-merge/strategy, .git/rebase-merge/git-rebase-todo.');
  expect(readFileSync(steps, 'utf8')).toBe(`exec touch ${outside('mine')}\n`);
  git('rebase', '--continue');
  expect(existsSync(outside('mine'))).toBe(true);
  expect(existsSync(outside('pwned'))).toBe(false);
});

test('a rebase cannot be put behind a link', async () => {
  git('init', '--quiet', '.');
  const said = await bash(
    serve(),
    'mkdir steps; echo "exec evil" > steps/git-rebase-todo; ln -s ../steps .git/rebase-merge',
  );
  expect(said?.content).toContain('from there: .git/rebase-merge.');
  expect(existsSync(join(bench.folder, '.git/rebase-merge'))).toBe(false);
});

test('a command cannot leave a strategy that git runs for a cherry-pick', async () => {
  git('init', '--quiet', '.');
  bench.write({ 'a.txt': 'one' });
  git('add', 'a.txt');
  git('commit', '--quiet', '-m', 'one');
  const said = await bash(
    serve(),
    `mkdir -p .git/sequencer 'git-merge-..'; printf '#!/bin/sh\ntouch ${outside('pwned')}; exit 1\n' > 'git-merge-../evil'; chmod +x 'git-merge-../evil'; printf "pick $(git rev-parse HEAD) x\n" > .git/sequencer/todo; git rev-parse HEAD > .git/sequencer/head; printf '[options]\n\tstrategy = ../evil\n' > .git/sequencer/opts`,
  );
  expect(said?.content).toContain('from there: .git/sequencer/opts.');
  try {
    git('cherry-pick', '--continue');
  } catch {
    // There may be nothing to go on with.
  }
  expect(existsSync(outside('pwned'))).toBe(false);
});

test('what somebody creates after a command was killed stays', async () => {
  git('init', '--quiet', '.');
  const server = serve();
  void bash(server, 'touch begun; sleep 15');
  await vi.waitFor(() => expect(existsSync(join(bench.folder, 'begun'))).toBe(true), { timeout: 10_000 });
  server.child.kill('SIGKILL');
  const state = join(bench.environment.XDG_STATE_HOME ?? '', 'roundtrip/guards');
  const [note = ''] = readdirSync(state, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.json'),
  );
  // As if an hour had gone by.
  const ended = new Date(Date.now() - 3_600_000);
  utimesSync(join(state, note), ended, ended);
  git('config', 'extensions.worktreeConfig', 'true');
  git('config', '--worktree', 'core.bare', 'false');
  await bash(serve(), 'true');
  expect(readFileSync(join(bench.folder, '.git/config.worktree'), 'utf8')).toContain('bare');
});

test.each([
  ['an empty entry', (path: string) => `${path}:`, 'pyright-langserver'],
  ['a relative entry', (path: string) => `node_modules/.bin:${path}`, 'node_modules/.bin/pyright-langserver'],
])('a language server that a command has written does not get out: PATH with %s', async (_, path, place) => {
  bench.write({
    'a.py': 'x = 1\n',
    '.roundtrip/config.yaml':
      'permissions: {write: allow, execute: allow}\nlanguageServers: {python: {command: [pyright-langserver, --stdio], files: ["*.py"]}}\n',
  });
  client = new ToolClient(bench.open(['serve', '--stdio'], { PATH: path(process.env.PATH ?? '') }));
  const script = `#!/bin/sh\\ntouch ${outside('pwned')}\\n`;
  await bash(client, `mkdir -p $(dirname ${place}); printf '${script}' > ${place}; chmod +x ${place}`);
  const { result } = await client.call('check', 'get_diagnostics', { path: '/a.py' });
  expect(result?.content).toContain('The language server "python"');
  expect(existsSync(outside('pwned'))).toBe(false);
});
