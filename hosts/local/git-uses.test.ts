import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { gitUses } from './git-uses.ts';

let root: string;
let home: string;
beforeEach(() => {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'git-uses-')));
  root = join(place, 'work');
  home = join(place, 'home');
  for (const folder of [root, home]) mkdirSync(folder);
});
afterEach(() => rmSync(dirname(root), { recursive: true }));

const git = (directory: string, ...args: readonly string[]): string =>
  execFileSync('git', [...args], { cwd: directory, env: { ...process.env, HOME: home }, encoding: 'utf8' });

function write(path: string, text = 'x'): void {
  const place = join(root, path);
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, text);
}

/** Returns the paths that git would use in the folder and in some folders below it, from the root. */
const uses = (...below: readonly string[]): string[] =>
  gitUses(
    root,
    below.map((name) => join(root, name)),
    { PATH: process.env.PATH, HOME: home },
  )
    .map((path) => path.slice(root.length))
    .sort();

test('a folder without a repository, or with one that sets nothing, has none', () => {
  expect(uses()).toEqual([]);
  git(root, 'init', '-q');
  expect(uses()).toEqual([]);
});

test('the folder of hooks counts whether or not it is there, for Husky with the one that it is in', () => {
  git(root, 'init', '-q');
  git(root, 'config', 'core.hooksPath', 'tools/hooks');
  expect(uses()).toEqual(['/tools']);
  write('tools/hooks/pre-commit');
  expect(uses()).toEqual(['/tools/hooks']);
  git(root, 'config', 'core.hooksPath', '.husky/_');
  write('.husky/_/h');
  expect(uses()).toEqual(['/.husky', '/.husky/_']);
});

test('hooks that a link leads to count where they are', () => {
  git(root, 'init', '-q');
  git(root, 'config', 'core.hooksPath', 'hooks');
  write('real/pre-commit');
  symlinkSync('real', join(root, 'hooks'));
  expect(uses()).toEqual(['/hooks', '/real']);
});

test('included settings count, and those that they include, also before they are there', () => {
  git(root, 'init', '-q');
  git(root, 'config', 'include.path', '../team.gitconfig');
  expect(uses()).toEqual(['/team.gitconfig']);
  write('team.gitconfig', '[include]\n\tpath = more.gitconfig\n[core]\n\thooksPath = h\n');
  expect(uses()).toEqual(['/h', '/more.gitconfig', '/team.gitconfig']);
});

test('files of the folder that settings name as programs count', () => {
  git(root, 'init', '-q');
  for (const path of ['tools/watch.sh', 'clean.py', 'tools/x.sh', 'status']) write(path);
  git(root, 'config', 'core.fsmonitor', 'tools/watch.sh');
  git(root, 'config', 'filter.big.clean', 'python3 clean.py %f');
  git(root, 'config', 'alias.x', '!sh "./tools/x.sh"');
  git(root, 'config', 'diff.pdf.textconv', './not-yet.sh');
  git(root, 'config', 'user.name', 'tools/x.sh');
  git(root, 'config', 'credential.helper', 'cache --timeout=60');
  expect(uses()).toEqual(['/clean.py', '/not-yet.sh', '/tools/watch.sh', '/tools/x.sh']);
});

test('addresses of remotes and modules are none of them', () => {
  git(root, 'init', '-q');
  mkdirSync(join(root, 'libs/module'), { recursive: true });
  git(root, 'remote', 'add', 'origin', 'https://example.org/a/b.git');
  git(root, 'config', 'submodule.module.url', './libs/module');
  git(root, 'config', 'diff.algorithm', 'histogram');
  expect(uses()).toEqual([]);
});

test('a place that a link leads to counts before it is there', () => {
  git(root, 'init', '-q');
  git(root, 'config', 'core.hooksPath', 'hooks');
  symlinkSync('later', join(root, 'hooks'));
  expect(uses()).toEqual(['/hooks', '/later']);
});

test('settings of the person count, too, and those of a repository around the folder', () => {
  writeFileSync(join(home, '.gitconfig'), '[core]\n\thooksPath = .githooks\n');
  expect(uses()).toEqual(['/.githooks']);
  git(root, 'init', '-q');
  expect(uses()).toEqual(['/.githooks']);
  rmSync(join(home, '.gitconfig'));
  rmSync(join(root, '.git'), { recursive: true });
  git(dirname(root), 'init', '-q');
  git(dirname(root), 'config', 'core.hooksPath', 'work/hooks');
  expect(uses()).toEqual(['/hooks']);
});

test('repositories below the folder are asked, too', () => {
  mkdirSync(join(root, 'packages/app'), { recursive: true });
  git(join(root, 'packages/app'), 'init', '-q');
  git(join(root, 'packages/app'), 'config', 'core.hooksPath', 'hooks');
  expect(uses('packages/app')).toEqual(['/packages/app/hooks']);
});

test('a git in the folder is not started', () => {
  write('bin/git', '#!/bin/sh\ntouch "$(dirname "$0")/../ran"\n');
  execFileSync('chmod', ['+x', join(root, 'bin/git')]);
  expect(gitUses(root, [], { PATH: join(root, 'bin'), HOME: home })).toEqual([]);
  expect(() => execFileSync('test', ['-e', join(root, 'ran')])).toThrow();
});
