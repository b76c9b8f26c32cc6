import { beforeEach, expect, test } from 'vitest';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import { expectCode, fill, readText } from '#lib/vfs/test/contract.ts';
import { PageGuard } from './page-guard.ts';

const PATHS = {
  rules: [{ pattern: '.env', effects: ['read' as const], policy: 'deny' as const }],
  approved: [],
};

let guard: PageGuard;

beforeEach(async () => {
  const files = new MemoryFileSystem();
  await fill(files, { '/.env': 'KEY', '/index.html': '<p>', '/link': { link: '.env' } });
  guard = new PageGuard(files);
});

test('a page that a model opens cannot read what is protected, until the user opens one', async () => {
  guard.protect(PATHS);
  await expectCode(guard.files.readFile('/.env'), 'EACCES');
  await expectCode(guard.files.readFiles(['/link']), 'EACCES');
  expect(await readText(guard.files, '/index.html')).toBe('<p>');
  expect(guard.hasRead(PATHS)).toBe(false);
  guard.lift();
  expect(await readText(guard.files, '/.env')).toBe('KEY');
});

test.each([
  ['by a path', '/.env'],
  ['through a link', '/link'],
])('what a page of the user has read is known, %s, until another page is loaded', async (_, path) => {
  guard.beginBuild();
  await guard.files.readFile(path);
  guard.beginPage();
  expect(guard.hasRead(PATHS)).toBe(true);
  // A build alone does not replace the page.
  guard.protect(PATHS);
  guard.beginBuild();
  await guard.files.readFile('/index.html');
  expect(guard.hasRead(PATHS)).toBe(true);
  guard.beginPage();
  expect(guard.hasRead(PATHS)).toBe(false);
});

test('what a running page reads counts, and so does a rule that is new', async () => {
  guard.beginBuild();
  guard.beginPage();
  await guard.files.readFiles(['/index.html']);
  expect(guard.hasRead(PATHS)).toBe(false);
  const later = { ...PATHS, rules: [{ pattern: '*.html', effects: ['read' as const], policy: 'ask' as const }] };
  expect(guard.hasRead(later)).toBe(true);
});
