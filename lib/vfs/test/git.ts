import git from 'isomorphic-git';
import { expect, test } from 'vitest';
import type { FileSystem } from '../file-system.ts';
import { FileSystemPromises } from '../promises.ts';
import { bytesOf, PERSON, readText } from './contract.ts';

const AUTHOR = { name: 'A', email: 'a@example.org' };

/**
 * Runs a complete client on the adapter: init, add, commit, branch, checkout, log and status, with contents and modes.
 */
export function testGit(name: string, open: () => Promise<FileSystem>): void {
  test(`isomorphic-git works on ${name}, with contents and modes intact`, async () => {
    const fileSystem = await open();
    const fs = { promises: new FileSystemPromises(fileSystem, PERSON) };
    const repo = { fs, dir: '/repo' };
    const writeFiles = (files: Record<string, string>, mode?: number) =>
      fileSystem.transaction(PERSON, async (tx) => {
        for (const [path, text] of Object.entries(files))
          tx.writeFile(`/repo/${path}`, bytesOf(text), mode === undefined ? {} : { mode });
      });
    const paths = ['a.txt', 'src/b.ts', '日本語/c.md', 'run.sh'];
    await git.init({ ...repo, defaultBranch: 'main' });
    await writeFiles({ 'a.txt': 'one', 'src/b.ts': 'two', '日本語/c.md': 'three' });
    await writeFiles({ 'run.sh': '#!/bin/sh\n' }, 0o755);
    await fileSystem.transaction(PERSON, async (tx) => tx.symlink('a.txt', '/repo/link'));
    for (const filepath of [...paths, 'link']) await git.add({ ...repo, filepath });
    const first = await git.commit({ ...repo, message: 'first', author: AUTHOR });
    const committed = await readFiles(fileSystem, '/repo');

    await git.branch({ ...repo, ref: 'other', checkout: true });
    await writeFiles({ 'a.txt': 'ONE' });
    await fileSystem.transaction(PERSON, async (tx) => tx.rm('/repo/src', { recursive: true }));
    await writeFiles({ 'new.txt': 'new' });
    expect(await git.statusMatrix(repo)).toEqual([
      ['a.txt', 1, 2, 1],
      ['link', 1, 1, 1],
      ['new.txt', 0, 2, 0],
      ['run.sh', 1, 1, 1],
      ['src/b.ts', 1, 0, 1],
      ['日本語/c.md', 1, 1, 1],
    ]);
    for (const filepath of ['a.txt', 'new.txt']) await git.add({ ...repo, filepath });
    await git.remove({ ...repo, filepath: 'src/b.ts' });
    await git.commit({ ...repo, message: 'second', author: AUTHOR });

    await git.checkout({ ...repo, ref: 'main' });
    expect(await readFiles(fileSystem, '/repo')).toEqual(committed);
    expect((await fileSystem.stat('/repo/run.sh')).mode & 0o111).not.toBe(0);
    expect((await git.log(repo)).map(({ oid }) => oid)).toEqual([first]);
    expect((await git.log({ ...repo, ref: 'other' })).map(({ commit }) => commit.message)).toEqual([
      'second\n',
      'first\n',
    ]);
    expect(
      (await git.statusMatrix(repo)).every(([, head, workdir, stage]) => head === 1 && workdir === 1 && stage === 1),
    ).toBe(true);
  });
}

/** The files and links of a working tree; git does not track empty directories. */
async function readFiles(fileSystem: FileSystem, directory: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const { name, type } of await fileSystem.readdir(directory)) {
    const path = `${directory}/${name}`;
    if (type === 'symlink') files[path] = `-> ${await fileSystem.readlink(path)}`;
    else if (type === 'file') files[path] = await readText(fileSystem, path);
    else if (name !== '.git') Object.assign(files, await readFiles(fileSystem, path));
  }
  return files;
}
