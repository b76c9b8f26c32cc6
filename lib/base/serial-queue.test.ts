import { expect, test } from 'vitest';
import { SerialQueue } from './serial-queue.ts';

test('tasks run one after the other, in the order in which they were added, and each caller gets its own result', async () => {
  const queue = new SerialQueue();
  const events: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = queue.run(async () => {
    events.push('first begins');
    await gate.promise;
    events.push('first ends');
    return 1;
  });
  const second = queue.run(() => {
    events.push('second');
    return 2;
  });
  expect(events).toEqual([]);
  await Promise.resolve();
  expect(events).toEqual(['first begins']);
  gate.resolve();
  expect(await Promise.all([first, second])).toEqual([1, 2]);
  expect(events).toEqual(['first begins', 'first ends', 'second']);
});

test.each([
  [
    'throws',
    () => {
      throw new Error('failed');
    },
  ],
  ['rejects', () => Promise.reject(new Error('failed'))],
])('a task that %s fails for its own caller only', async (_, fail) => {
  const queue = new SerialQueue();
  const [before, failed, after] = await Promise.allSettled([
    queue.run(async () => 'before'),
    queue.run(fail),
    queue.run(async () => 'after'),
  ]);
  expect(before).toEqual({ status: 'fulfilled', value: 'before' });
  expect(failed).toEqual({ status: 'rejected', reason: new Error('failed') });
  expect(after).toEqual({ status: 'fulfilled', value: 'after' });
});

test('a failure that its caller ignores does not stop the queue', async () => {
  const queue = new SerialQueue();
  void queue.run(() => Promise.reject(new Error('failed')));
  expect(await queue.run(async () => 'after')).toBe('after');
});

test('a task that is added by a running one runs after those that are waiting already', async () => {
  const queue = new SerialQueue();
  const order: string[] = [];
  let inner: Promise<unknown> | undefined;
  const outer = queue.run(() => {
    inner = queue.run(() => order.push('inner'));
    order.push('outer');
  });
  await Promise.all([outer, queue.run(() => order.push('waiting'))]);
  await inner;
  expect(order).toEqual(['outer', 'waiting', 'inner']);
});

test('it is busy from the first task on until the last one has ended, whether or not that one fails', async () => {
  const queue = new SerialQueue();
  expect(queue.isBusy).toBe(false);
  const first = queue.run(async () => undefined).then(() => queue.isBusy);
  const last = queue.run(() => Promise.reject(new Error('failed'))).catch(() => queue.isBusy);
  expect(queue.isBusy).toBe(true);
  expect(await first).toBe(true);
  expect(await last).toBe(false);
});

test('it is idle when all tasks so far have ended, whether or not one fails', async () => {
  const queue = new SerialQueue();
  const ended: string[] = [];
  queue
    .run(() => Promise.reject(new Error('failed')))
    .catch(() => undefined)
    .finally(() => ended.push('first'));
  void queue.run(async () => ended.push('second'));
  await queue.idle();
  expect(ended.sort()).toEqual(['first', 'second']);
});
