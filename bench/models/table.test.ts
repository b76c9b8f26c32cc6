import { expect, test } from 'vitest';
import type { Failure } from './failures.ts';
import type { TryRecord } from './records.ts';
import { countRows, formatAdvice } from './table.ts';

const tryOf = (number: number, failure?: Failure): TryRecord => ({
  model: 'm',
  arm: 'object',
  tools: 'few',
  task: 'tuning/en/read-1',
  number,
  seed: number,
  temperature: 0.7,
  maxOutput: 400,
  ...(failure !== undefined && { failure }),
});

test('a model that mostly writes prose is reported, with what to choose instead', () => {
  expect(formatAdvice(countRows([tryOf(1, 'prose'), tryOf(2)]))).toBe(
    'object, few tools, en: prose in place of a call in 1 of 2 tries. Choose another arm, a larger model, or one that is trained for tools.',
  );
  expect(formatAdvice(countRows([tryOf(1, 'prose'), tryOf(2), tryOf(3, 'wrong-call')]))).toBe('');
});

test('a correction helped if a call that could be read came next', () => {
  const reply = { text: '', reasoning: '', calls: [], finishReason: 'stop', inputTokens: 1, outputTokens: 1, ms: 1 };
  const call = { step: 1, name: 'read_file', input: { path: '/a' }, output: 'x' };
  const played = (steps: number, calls: (typeof call)[]): TryRecord => ({
    ...tryOf(steps),
    played: {
      replies: Array.from({ length: steps }, () => reply),
      calls,
      notices: [['call-unreadable'], ['call-unreadable']].slice(0, steps),
      answer: '',
      isFirstRight: false,
      isAnswered: false,
    },
  });
  const [row] = countRows([played(1, []), played(2, [call]), played(2, []), tryOf(9, 'refused')]);
  expect(row?.corrections).toEqual({ right: 1, total: 2 });
});
