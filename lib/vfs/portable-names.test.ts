import { expect, test } from 'vitest';
import { unportablePaths } from './portable-names.ts';

test('names that Windows does not have are found', () => {
  const unportable = [
    '/a:b.txt',
    '/what?.txt',
    '/con.txt',
    '/src/AUX',
    '/dir./x.txt',
    '/back\\slash.txt',
    '/end ',
    '/a\tb',
  ];
  const portable = ['/', '/README.md', '/console.txt', '/.env', '/a.b.c', '/日本語/é.txt', '/com0', '/con-1/x'];
  expect(unportablePaths([...portable, ...unportable])).toEqual(unportable);
});

test('of names that differ only in case, all but the first are found', () => {
  expect(unportablePaths(['/Readme.md', '/README.md', '/src/readme.md'])).toEqual(['/README.md']);
});
