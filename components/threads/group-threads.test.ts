import { expect, test } from 'vitest';
import { threadOf } from '#lib/threads/test/store-contract.ts';
import type { Thread } from '#lib/threads/thread.ts';
import { groupThreads, type ThreadGroup } from './group-threads.ts';

const NOW = new Date(2026, 4, 20, 15).getTime();
const at = (day: number, hour = 12) => new Date(2026, 4, day, hour).getTime();
const folder = (id: string) => ({ id, name: id.toUpperCase(), createdAt: 1 });

/** The ids of the threads in each group, in the groups' order. */
const grouped = (threads: readonly Thread[], folders = ['work'], showsEmpty: ThreadGroup['type'][] = ['folder']) =>
  groupThreads(threads, folders.map(folder), { now: NOW, showsEmpty }).map(({ key, threads: inside }) => [
    key,
    inside.map(({ id }) => id),
  ]);

test('pinned threads come first, then folders, days, and the archive; each thread is in one place', () => {
  const threads = [
    threadOf('today', { updatedAt: at(20) }),
    threadOf('filed', { updatedAt: at(20), folderId: 'work' }),
    threadOf('both', { updatedAt: at(19), folderId: 'work', pinnedAt: 1 }),
    threadOf('yesterday', { updatedAt: at(19) }),
    threadOf('gone', { updatedAt: at(19), pinnedAt: 1, folderId: 'work', archivedAt: 1 }),
    threadOf('old', { updatedAt: at(1) }),
  ];
  expect(grouped(threads)).toEqual([
    ['pinned', ['both']],
    ['folder:work', ['filed']],
    ['today', ['today']],
    ['yesterday', ['yesterday']],
    ['earlier', ['old']],
    ['archived', ['gone']],
  ]);
});

test('a day begins at midnight, and threads keep their order', () => {
  const threads = [
    threadOf('c', { updatedAt: at(20, 0) }),
    threadOf('b', { updatedAt: at(20, 0) - 1 }),
    threadOf('a', { updatedAt: at(19, 0) }),
    threadOf('z', { updatedAt: at(19, 0) - 1 }),
  ];
  expect(grouped(threads, [])).toEqual([
    ['today', ['c']],
    ['yesterday', ['b', 'a']],
    ['earlier', ['z']],
  ]);
});

test('a thread whose folder is gone is listed by its day', () => {
  expect(grouped([threadOf('lost', { updatedAt: at(20), folderId: 'gone' })], [])).toEqual([['today', ['lost']]]);
});

test('a folder can be empty, and while threads are dragged there is always a place to pin them', () => {
  expect(grouped([])).toEqual([['folder:work', []]]);
  expect(grouped([], ['work'], [])).toEqual([]);
  expect(grouped([], ['work'], ['pinned', 'today', 'archived'])).toEqual([
    ['pinned', []],
    ['today', []],
    ['archived', []],
  ]);
});
