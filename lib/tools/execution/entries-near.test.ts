import { expect, test } from 'vitest';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import { fill } from '#lib/vfs/test/contract.ts';
import { entriesNear } from './entries-near.ts';

async function near(path: string, ...paths: string[]): Promise<string> {
  const files = new MemoryFileSystem();
  await fill(files, Object.fromEntries(paths.map((one) => [one, ''])));
  return entriesNear(files, path);
}

test('similar names come first, whatever their case and extension', async () => {
  expect(await near('/secret.txt', '/secrets.txt', '/other.txt')).toBe('Did you mean /secrets.txt?');
  expect(await near('/src/app.js', '/src/App.tsx', '/src/index.css')).toBe('Did you mean /src/App.tsx?');
  expect(await near('/密码.txt', '/密码本.txt', '/计划.txt')).toBe('Did you mean /密码本.txt?');
});

test('the closest of several similar names comes first', async () => {
  expect(await near('/report.md', '/reporter.md', '/reports.md')).toBe('Did you mean /reports.md, /reporter.md?');
});

test('without a similar name, the directory’s entries are named', async () => {
  expect(await near('/notes/x.txt', '/notes/plan.md', '/notes/ideas/a.md')).toBe(
    '/notes contains /notes/ideas, /notes/plan.md.',
  );
  expect(await near('/nothing.txt')).toBe('/ is empty.');
});

test('for a missing directory, it is about the nearest one that exists', async () => {
  expect(await near('/doc/api/intro.md', '/docs/api/intro.md', '/x.md')).toBe('Did you mean /docs?');
  expect(await near('/a/b/c.md', '/a/x.md')).toBe('/a contains /a/x.md.');
});

test('a symlink that leads nowhere is named with its target', async () => {
  const files = new MemoryFileSystem();
  await files.transaction({ type: 'person' }, async (tx) => tx.symlink('/etc/hosts', '/hosts.txt'));
  expect(await entriesNear(files, '/hosts.txt')).toBe('/hosts.txt is a symlink to /etc/hosts, which is not there.');
  expect(await entriesNear(files, '/hosts.txt/x')).toBe('/hosts.txt is a symlink to /etc/hosts, which is not there.');
});

test('at most ten of many names are given', async () => {
  const many = Array.from({ length: 10_000 }, (_, index) => `/file-${index}.txt`);
  expect(await near('/nothing-like-it.md', ...many)).toMatch(/^\/ contains (?:\S+, ){9}\S+ and 9990 more\.$/);
  expect((await near('/file-x.txt', ...many)).split(',')).toHaveLength(10);
});
