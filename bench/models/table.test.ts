import { expect, test } from 'vitest';
import type { Failure } from './failures.ts';
import type { TryRecord } from './records.ts';
import { countRows, formatAdvice } from './table.ts';

const tryOf = (number: number, failure?: Failure): TryRecord => ({
  ...{ model: 'm', arm: 'object', tools: 'few', task: 'tuning/en/read-1', number, seed: number },
  ...(failure !== undefined && { failure }),
});

test('a model that mostly writes prose is reported, with what to choose instead', () => {
  expect(formatAdvice(countRows([tryOf(1, 'prose'), tryOf(2)]))).toBe(
    'object, few tools, en: prose in place of a call in 1 of 2 tries. Choose another arm, a larger model, or one that is trained for tools.',
  );
  expect(formatAdvice(countRows([tryOf(1, 'prose'), tryOf(2), tryOf(3, 'wrong-call')]))).toBe('');
});
