import { expect, test } from 'vitest';
import { uniqueNames } from './export-threads.ts';

test('files get names that every system takes, no two alike', () => {
  const titles = ['A/B: “C”?', '', 'Report', 'report', 'Report', '…', '../..', 'trailing. . '];
  expect(uniqueNames(titles.map((title) => ({ title })))).toEqual([
    'A B “C”',
    'thread',
    'Report',
    'report 2',
    'Report 3',
    '…',
    'thread 2',
    'trailing',
  ]);
  expect(uniqueNames([{ title: '字'.repeat(200) }])[0]).toHaveLength(80);
});
