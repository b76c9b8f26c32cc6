import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SIGN_MAX_MS } from '#lib/base/processes/owner.ts';
import { GitGuard } from './git-guard.ts';
import { ownGuards } from './trust/own-places.ts';

let root: string;
let own: string;
let env: Record<string, string | undefined>;
let guard: GitGuard;

beforeEach(() => {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'git-guard-')));
  root = join(place, 'work');
  own = join(root, '.roundtrip');
  env = { PATH: process.env.PATH, HOME: place, XDG_STATE_HOME: join(place, 'state') };
  for (const folder of [root, own]) mkdirSync(folder);
  execFileSync('git', ['init', '-q'], { cwd: root, env: { ...process.env, ...env } });
  guard = new GitGuard(root, own, env);
});
afterEach(() => rmSync(dirname(root), { recursive: true }));

const settings = () => readdirSync(join(root, '.git')).filter((name) => name.startsWith('config.worktree'));

/** Runs a command that leaves a file that git reads. Returns the paths that were taken away. */
async function leaveSettings(): Promise<readonly string[]> {
  const onRemoved = vi.fn<(paths: readonly string[]) => void>();
  await guard.whileGuarded(async () => writeFileSync(join(root, '.git/config.worktree'), 'mine'), {
    onRemoved,
    onFailed: () => undefined,
    onLost: () => undefined,
  });
  return onRemoved.mock.calls.flatMap(([paths]) => paths);
}

test('what a command leaves for git is moved among the files of the program', async () => {
  expect(await leaveSettings()).toEqual(['.git/config.worktree']);
  expect(settings()).toEqual([]);
  const [kept = ''] = readdirSync(join(own, 'removed'));
  expect(readFileSync(join(own, 'removed', kept), 'utf8')).toBe('mine');
});

test('where it cannot be moved, it gets a name that git takes no notice of', async () => {
  writeFileSync(join(own, 'removed'), 'not a folder');
  expect(await leaveSettings()).toEqual(['.git/config.worktree']);
  const [name = '', ...others] = settings();
  expect(others).toEqual([]);
  expect(name).toMatch(/^config\.worktree\.removed-/);
  expect(readFileSync(join(root, '.git', name), 'utf8')).toBe('mine');
});

test('a note that another process may still be writing stays until it is old', () => {
  const notes = ownGuards(env, root);
  mkdirSync(notes, { recursive: true });
  const draft = join(notes, 'note.json.draft');
  writeFileSync(draft, '{"owner":');
  expect(guard.recover()).toEqual([]);
  expect(existsSync(draft)).toBe(true);
  const old = new Date(Date.now() - SIGN_MAX_MS);
  utimesSync(draft, old, old);
  expect(guard.recover()).toEqual([]);
  expect(existsSync(draft)).toBe(false);
});
