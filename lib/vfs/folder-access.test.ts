import { expect, test } from 'vitest';
import { accessOf, looksLikeRepository, repositoryCheck } from './folder-access.ts';

test.each([
  ['/a.txt', 'open'],
  ['/.roundtripper/x', 'open'],
  ['/.gitignore', 'open'],
  ['/.gitattributes', 'open'],
  ['/.git', 'read-only'],
  ['/.git/HEAD', 'read-only'],
  ['/sub/.git', 'read-only'],
  ['/.git/hooks', 'read-only'],
  ['/.git/hooks/post-commit', 'read-only'],
  ['/sub/.GIT/Hooks/x', 'read-only'],
  ['/.git/config', 'read-only'],
  ['/.roundtrip', 'unlisted'],
  ['/.Roundtrip/config.yaml', 'hidden'],
  ['/.roundtrip/sessions/x.jsonl', 'hidden'],
  ['/.roundtrip/journal', 'hidden'],
  ['/.roundtrip/tools', 'open'],
  ['/.roundtrip/tools/count_words.js', 'open'],
  ['/.roundtrip/tools/.git/config', 'read-only'],
  ['/.roundtrip/toolset', 'hidden'],
  ['/.roundtrip/messages/1-x.txt', 'unlisted'],
  ['/.roundtrip/prompts/review.md', 'open'],
  ['/packages/app/.roundtrip/config.yaml', 'hidden'],
  ['/packages/app/.roundtrip/tools/x.js', 'open'],
  ['/docs/HEAD', 'read-only'],
  ['/docs/HEADER', 'open'],
  ['/docs/HEAD/x', 'open'],
  ['/docs/.git ', 'read-only'],
  ['/docs/.git...', 'read-only'],
  ['/docs/.git::$INDEX_ALLOCATION/config', 'read-only'],
  ['/docs/.git. ::$INDEX_ALLOCATION/config', 'read-only'],
  ['/docs/.gitter', 'open'],
  ['/docs/GIT~1/config', 'read-only'],
  ['/docs/.g\u200cit/config', 'read-only'],
  ['/ROUNDT~1/config.yaml', 'hidden'],
  ['/.round\u200dtrip/config.yaml', 'hidden'],
])('%s is %s', (path, access) => {
  expect(accessOf(path)).toBe(access);
});

test('a directory with HEAD and one of the folders beside it looks like a repository, whatever the letter case', () => {
  expect(looksLikeRepository(['HEAD', 'objects', 'refs'])).toBe(true);
  expect(looksLikeRepository(['head', 'Objects'])).toBe(true);
  expect(looksLikeRepository(['HEAD', 'config'])).toBe(false);
  expect(looksLikeRepository(['objects', 'refs'])).toBe(false);
});

test('all that is in a repository is known by the paths in it', () => {
  const isIn = repositoryCheck([
    '/a/HEAD',
    '/a/objects/pack/x',
    '/a/config',
    '/b/HEAD',
    '/b/config',
    '/c/refs/heads/x',
  ]);
  expect(['/a/config', '/a/hooks/post-commit', '/a/b/c'].filter(isIn)).toHaveLength(3);
  expect(['/a', '/b/config', '/b/HEAD', '/c/refs/heads/x', '/ab'].filter(isIn)).toEqual([]);
});
