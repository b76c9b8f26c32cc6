import { describe, expect, test } from 'vitest';
import { FileSystemError } from './errors.ts';
import { basename, dirname, isWithin, joinPath, resolvePath } from './paths.ts';

describe('resolvePath', () => {
  test.each([
    ['', '/'],
    ['/', '/'],
    ['.', '/'],
    ['./', '/'],
    ['a', '/a'],
    ['/a/b/', '/a/b'],
    ['//a///b', '/a/b'],
    ['/a/./b/.', '/a/b'],
    ['/a/b/../c', '/a/c'],
    ['a/..', '/'],
    ['/a/.../b', '/a/.../b'],
    ['/a/..b/.c', '/a/..b/.c'],
    ['/a b/ü', '/a b/ü'],
    ['/a\\..\\b', '/a\\..\\b'],
    ['/%2e%2e/a', '/%2e%2e/a'],
  ])('%j resolves to %j', (path, resolved) => {
    expect(resolvePath(path)).toBe(resolved);
    expect(resolvePath(resolved)).toBe(resolved);
  });

  test.each(['..', '/..', '/a/../..', 'a/../../a', './..'])('%j does not lead above the root', (path) => {
    expect(() => resolvePath(path)).toThrow(expect.objectContaining({ code: 'EINVAL', path }));
  });

  test.each(['\0', '/a\0', '/a/\0b/c'])('%j is refused because it contains NUL', (path) => {
    expect(() => resolvePath(path)).toThrow(expect.objectContaining({ code: 'EINVAL', path }));
  });

  test('a name is measured in UTF-8 bytes, not in characters', () => {
    expect(resolvePath(`/${'a'.repeat(255)}`)).toHaveLength(256);
    expect(resolvePath('界'.repeat(85))).toHaveLength(86);
    for (const name of ['a'.repeat(256), '界'.repeat(86), `${'é'.repeat(127)}ab`]) {
      expect(() => resolvePath(`/x/${name}`)).toThrow(expect.objectContaining({ code: 'ENAMETOOLONG' }));
    }
  });

  test('a path can have any length if its names are short enough', () => {
    const path = '/name'.repeat(5_000);
    expect(resolvePath(path)).toBe(path);
  });
});

describe('parts of a path', () => {
  test.each([
    ['/', '/', ''],
    ['/a', '/', 'a'],
    ['/a/b', '/a', 'b'],
    ['/a/b.c/d e', '/a/b.c', 'd e'],
  ])('%j is in %j under the name %j, and joining them gives it back', (path, directory, name) => {
    expect(dirname(path)).toBe(directory);
    expect(basename(path)).toBe(name);
    if (path !== '/') expect(joinPath(directory, name)).toBe(path);
  });

  test('a directory contains itself and everything below it, but not a sibling whose name has the same prefix', () => {
    expect(isWithin('/a', '/a')).toBe(true);
    expect(isWithin('/a/b/c', '/a')).toBe(true);
    expect(isWithin('/a', '/')).toBe(true);
    expect(isWithin('/ab', '/a')).toBe(false);
    expect(isWithin('/', '/a')).toBe(false);
  });
});

test('an error message gives the code, the reason and the path, for users and models alike', () => {
  const cause = new Error('disk');
  const error = new FileSystemError('ENOSPC', '/f', { cause });
  expect(error.message).toMatch(/^ENOSPC: .*: \/f$/);
  expect(error).toMatchObject({ name: 'FileSystemError', code: 'ENOSPC', path: '/f', cause });
  expect(new FileSystemError('EIO', '/f', { detail: 'a detail' }).message).toBe('EIO: a detail: /f');
});
