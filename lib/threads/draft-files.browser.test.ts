import { deleteDB } from 'idb';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { DRAFT_FILE_MAX_AGE_MS, DraftFiles } from './draft-files.ts';
import { TAB_NAME_KEY } from './draft-files-key.ts';

const forget = async () => {
  sessionStorage.removeItem(TAB_NAME_KEY);
  await deleteDB('roundtrip-studio:draft-files');
};
beforeEach(forget);
afterEach(forget);

async function open(now = Date.now()): Promise<DraftFiles> {
  const files = await DraftFiles.open({ now });
  onTestFinished(() => files.close());
  return files;
}

const file = (name: string) => new File([name], name, { type: 'text/plain' });

const namesIn = async (files: DraftFiles) =>
  Object.fromEntries([...(await files.all())].map(([thread, kept]) => [thread, kept.map(({ name }) => name)]));

test('a duplicated tab has copies of its own', async () => {
  const first = await open();
  const [one, two] = [file('one'), file('two')];
  await first.set('thread', [one, two]);
  const name = sessionStorage.getItem(TAB_NAME_KEY);
  const second = await open();
  expect(sessionStorage.getItem(TAB_NAME_KEY)).not.toBe(name);
  expect(await namesIn(second)).toEqual({ thread: ['one', 'two'] });
  await second.set('thread', []);
  sessionStorage.setItem(TAB_NAME_KEY, name ?? '');
  first.close();
  const next = await open();
  expect(sessionStorage.getItem(TAB_NAME_KEY)).toBe(name);
  expect(await namesIn(next)).toEqual({ thread: ['one', 'two'] });
});

test('files of tabs that are gone are deleted after a while, and those of this tab are not', async () => {
  const gone = await open();
  await gone.set('thread', [file('gone')]);
  gone.close();
  const goneName = sessionStorage.getItem(TAB_NAME_KEY) ?? '';
  sessionStorage.removeItem(TAB_NAME_KEY);
  const here = await open();
  await here.set('thread', [file('here')]);
  here.close();
  const later = await open(Date.now() + DRAFT_FILE_MAX_AGE_MS + 1_000);
  expect(await namesIn(later)).toEqual({ thread: ['here'] });
  later.close();
  sessionStorage.setItem(TAB_NAME_KEY, goneName);
  expect(await namesIn(await open())).toEqual({});
});

test('a new tab takes over the files of tabs that were closed, and not those of others', async () => {
  const closed = await open();
  await closed.set('thread', [file('closed')]);
  sessionStorage.removeItem(TAB_NAME_KEY);
  const other = await open();
  await other.set('thread', [file('other')]);
  closed.close();
  sessionStorage.removeItem(TAB_NAME_KEY);
  const fresh = await open();
  await fresh.adopt();
  expect(await namesIn(fresh)).toEqual({ thread: ['closed'] });
  expect(await namesIn(other)).toEqual({ thread: ['other'] });
});

test('a page that begins before the one before it has ended has its files only once', async () => {
  const before = await open();
  await before.set('thread', [file('one')]);
  const lock = `${TAB_NAME_KEY}:${sessionStorage.getItem(TAB_NAME_KEY)}`;
  const next = await open();
  before.close();
  // The lock is given back a moment later.
  await expect.poll(async () => (await navigator.locks.query()).held?.map(({ name }) => name)).not.toContain(lock);
  await next.adopt();
  expect(await namesIn(next)).toEqual({ thread: ['one'] });
});

test('a tab that was duplicated has the files of both only once, however late the other one is closed', async () => {
  const lockOf = () => `${TAB_NAME_KEY}:${sessionStorage.getItem(TAB_NAME_KEY)}`;
  const released = (lock: string) =>
    expect.poll(async () => (await navigator.locks.query()).held?.map(({ name }) => name)).not.toContain(lock);
  const first = await open();
  await first.set('thread', [file('one')]);
  const firstLock = lockOf();
  const second = await open();
  const secondLock = lockOf();
  await first.set('thread', [...((await first.all()).get('thread') ?? []), file('two')]);
  first.close();
  second.close();
  await Promise.all([released(firstLock), released(secondLock)]);
  const next = await open();
  await next.adopt();
  expect(await namesIn(next)).toEqual({ thread: ['one', 'two'] });
});

test('a file that cannot be stored does not keep out the others', async () => {
  const files = await open();
  const unclonable = Object.defineProperty({}, 'name', { enumerable: true, value: () => undefined });
  await files.set('thread', [file('one'), unclonable as File, file('three')]);
  files.close();
  expect(await namesIn(await open())).toEqual({ thread: ['one', 'three'] });
});

test('files that are stored again, by a page that has not read them, are there once', async () => {
  const before = await open();
  const [one, two] = [file('one'), file('two')];
  await before.set('thread', [one, two]);
  await before.set('other', [two]);
  before.close();
  const after = await open();
  await after.set('thread', [one, two, file('three')]);
  expect(await namesIn(after)).toEqual({ other: ['two'], thread: ['one', 'two', 'three'] });
});

test('files that a page has not read stay when others are stored', async () => {
  const before = await open();
  await before.set('thread', [file('one')]);
  before.close();
  const after = await open();
  await after.set('thread', [file('two')]);
  expect(await namesIn(after)).toEqual({ thread: ['one', 'two'] });
});
