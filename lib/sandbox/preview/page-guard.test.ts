import { beforeEach, expect, test } from 'vitest';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import { expectCode, fill, readText } from '#lib/vfs/test/contract.ts';
import { PageGuard } from './page-guard.ts';

const pathsOf = (pattern: string) => ({
  rules: [{ pattern, effects: ['read' as const], policy: 'deny' as const }],
  approved: [],
});
const PATHS = pathsOf('.env');

let guard: PageGuard;

beforeEach(async () => {
  const files = new MemoryFileSystem();
  await fill(files, { '/.env': 'KEY', '/index.html': '<p>', '/link': { link: '.env' } });
  guard = new PageGuard(files);
});

/** Builds and shows a page. `meanwhile`: between the two. */
function show(meanwhile = () => undefined): void {
  guard.beginBuild();
  meanwhile();
  guard.beginPage();
}

test('a page that a model opens cannot read what is protected, until the user opens one', async () => {
  guard.protect(PATHS);
  await expectCode(guard.files.readFile('/.env'), 'EACCES');
  await expectCode(guard.files.readFiles(['/link']), 'EACCES');
  expect(await readText(guard.files, '/index.html')).toBe('<p>');
  guard.lift();
  expect(await readText(guard.files, '/.env')).toBe('KEY');
});

test('a page is under rules from when it is loaded, not from when they begin to hold', () => {
  show();
  guard.protect(PATHS);
  expect([guard.isShownUnder(PATHS), guard.isShownProtected, guard.isShownCurrent]).toEqual([false, false, false]);
  guard.beginBuild();
  expect([guard.isShownUnder(PATHS), guard.isBuiltUnder(PATHS)]).toEqual([false, true]);
  guard.beginPage();
  expect([guard.isShownUnder(PATHS), guard.isShownProtected, guard.isShownCurrent]).toEqual([true, true, true]);
  expect(guard.isShownUnder(pathsOf('*'))).toBe(false);
  // The next page of the user has everything.
  guard.lift();
  show();
  expect([guard.isShownUnder(PATHS), guard.isShownProtected]).toEqual([false, false]);
});

test('a page whose build began without the rules is not under them', () => {
  show(() => void guard.protect(PATHS));
  expect(guard.isShownUnder(PATHS)).toBe(false);
  show();
  expect(guard.isShownUnder(PATHS)).toBe(true);
  show(() => void guard.lift());
  expect(guard.isShownUnder(PATHS)).toBe(false);
});

test('pages under rules do not get what other pages have stored, and find their own again', () => {
  show();
  guard.storage.local = { key: 'of the user' };
  guard.protect(PATHS);
  show();
  expect(guard.storage).toEqual({ local: {}, session: {} });
  guard.storage.local = { key: 'of the model' };
  // The same rules once more.
  guard.protect(structuredClone(PATHS));
  show();
  expect(guard.storage.local).toEqual({ key: 'of the model' });
  guard.lift();
  show();
  expect(guard.storage.local).toEqual({ key: 'of the user' });
});

test('under stricter rules, the storage is empty: it may have what is protected now', () => {
  guard.protect(PATHS);
  show();
  guard.storage.session = { key: 'value' };
  guard.protect(pathsOf('*'));
  show();
  expect(guard.storage).toEqual({ local: {}, session: {} });
});

test('a page that rules began to hold for during its build has the storage of the user', () => {
  show();
  guard.storage.local = { key: 'of the user' };
  show(() => void guard.protect(PATHS));
  expect(guard.storage.local).toEqual({ key: 'of the user' });
});
