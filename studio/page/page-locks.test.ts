import { expect, test } from 'vitest';
import { PageLocks } from './page-locks.ts';

test('an exclusive lock waits for the one before it, and is refused if it must be free', async () => {
  const locks = new PageLocks();
  const order: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = locks.request('a', async () => {
    order.push('first');
    await promise;
  });
  const second = locks.request('a', () => order.push('second'));
  expect(await locks.request('a', { ifAvailable: true }, (lock) => lock)).toBeNull();
  expect(await locks.request('b', { ifAvailable: true }, (lock) => lock?.name)).toBe('b');
  expect((await locks.query()).held?.map(({ name }) => name)).toEqual(['a']);
  resolve();
  await Promise.all([first, second]);
  expect(order).toEqual(['first', 'second']);
  expect((await locks.query()).held).toEqual([]);
});

test('what fails gives its lock back, and tells who asked', async () => {
  const locks = new PageLocks();
  await expect(locks.request('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await locks.request('a', () => 'done')).toBe('done');
});

test('a request that was given up while it waited does not run', async () => {
  const locks = new PageLocks();
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = locks.request('a', () => promise);
  const ended = new AbortController();
  const second = locks.request('a', { signal: ended.signal }, () => 'ran');
  ended.abort();
  resolve();
  await first;
  await expect(second).rejects.toThrow();
});
