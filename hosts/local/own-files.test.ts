import { expect, test } from 'vitest';
import { MESSAGES_FOLDER } from '#lib/messages/said.ts';
import { accessOf } from './own-files.ts';

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
  [`${MESSAGES_FOLDER}/1-x.txt`, 'unlisted'],
])('%s is %s', (path, access) => {
  expect(accessOf(path)).toBe(access);
});
