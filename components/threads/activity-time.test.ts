import { expect, test } from 'vitest';
import { activityTime } from './activity-time.ts';

const NOW = new Date(2026, 4, 20, 15).getTime();

test.each([
  [new Date(2026, 4, 20, 15), 'now'],
  // Another clock may be ahead.
  [new Date(2026, 4, 20, 15, 2), 'now'],
  [new Date(2026, 4, 20, 14, 55), '5 min. ago'],
  [new Date(2026, 4, 20, 12, 30), '2 hr. ago'],
  [new Date(2026, 4, 19, 23, 30), 'yesterday'],
  [new Date(2026, 4, 17, 1), '3 days ago'],
  [new Date(2026, 4, 1), 'May 1'],
  [new Date(2025, 11, 31), 'Dec 31, 2025'],
])('%s is “%s”', (time, text) => {
  expect(activityTime(time.getTime(), NOW, 'en')).toBe(text);
});

test.each([-1e300, 1e300, -8.64e15, Number.NaN, Number.POSITIVE_INFINITY])(
  '%d, which is hardly a time, has a text',
  (time) => {
    expect(activityTime(time, NOW, 'en')).not.toBe('');
  },
);

test('each language says it in its own words', () => {
  expect(activityTime(NOW - 5 * 60_000, NOW, 'zh-CN')).toBe('5分钟前');
  expect(activityTime(new Date(2026, 4, 1).getTime(), NOW, 'zh-CN')).toBe('5月1日');
});
