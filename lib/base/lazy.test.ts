import { expect, test, vi } from 'vitest';
import { lazy } from './lazy.ts';

test('loads once, for all who need it at the same time and later', async () => {
  const load = vi.fn(async () => ({}));
  const get = lazy(load);
  expect(load).not.toHaveBeenCalled();
  const [one, other] = await Promise.all([get(), get()]);
  expect(one).toBe(other);
  expect(await get()).toBe(one);
  expect(load).toHaveBeenCalledTimes(1);
});

test('a failure is for those who waited for it, and the next use tries again', async () => {
  const load = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Error('no network')).mockResolvedValue('there');
  const get = lazy(load);
  const results = await Promise.allSettled([get(), get()]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await get()).toBe('there');
  expect(load).toHaveBeenCalledTimes(2);
});
