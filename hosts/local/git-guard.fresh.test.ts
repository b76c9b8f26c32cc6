import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { GitGuard } from './git-guard.ts';
import { ownGuards } from './trust/own-places.ts';

/** The entry that the disk refuses to move. */
let stuck = '';

vi.mock('node:fs', async (importOriginal) => {
  const actual = await importOriginal<typeof fs>();
  return {
    ...actual,
    renameSync(from: string, to: string) {
      if (actual.realpathSync(from) === stuck) throw new Error('EIO: i/o error, rename');
      actual.renameSync(from, to);
    },
  };
});

test('an entry that cannot be moved does not keep others from being taken away, and is tried again later', async () => {
  const place = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'git-guard-')));
  onTestFinished(() => fs.rmSync(place, { recursive: true }));
  const root = join(place, 'work');
  const env = { PATH: process.env.PATH, HOME: place, XDG_STATE_HOME: join(place, 'state') };
  const repositories = [root, join(root, 'inner')];
  for (const folder of repositories) {
    fs.mkdirSync(folder);
    execFileSync('git', ['init', '-q'], { cwd: folder, env: { ...process.env, ...env } });
  }
  const settings = repositories.map((folder) => join(folder, '.git/config.worktree'));
  for (const one of settings) {
    stuck = one;
    const events = { onRemoved: vi.fn(), onFailed: vi.fn(), onLost: vi.fn() };
    const plant = async () => {
      for (const file of settings) fs.writeFileSync(file, 'mine');
    };
    await new GitGuard(root, join(root, '.roundtrip'), env).whileGuarded(plant, events);
    expect(settings.filter((file) => fs.existsSync(file))).toEqual([one]);
    expect(events.onFailed.mock.calls).toEqual([[[one === settings[0] ? '.git' : 'inner/.git']]]);
    expect(events.onRemoved).toHaveBeenCalledOnce();
    expect(fs.readdirSync(ownGuards(env, root))).toHaveLength(1);
    fs.rmSync(ownGuards(env, root), { recursive: true });
    fs.rmSync(one);
  }
});
