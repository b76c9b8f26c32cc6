import { expect, test } from 'vitest';
import type { AssistantPart } from '#lib/messages/message.ts';
import { repeatedCall } from './repeats.ts';
import { answeredCall, emptyTurn, finishedStep } from './test/messages.ts';

/** Steps, each with the contents of its calls' results; the tools alternate within a step. */
const turnOf = (...steps: readonly (readonly [toolName: string, content: string][])[]) => ({
  ...emptyTurn(),
  parts: steps.flatMap((calls, step): AssistantPart[] => [
    finishedStep('local'),
    ...calls.map(([toolName, content], index) => answeredCall(`call-${step}-${index}`, content, toolName)),
  ]),
});

const READ: [string, string] = ['read_file', 'one'];
const WRITE: [string, string] = ['write_file', 'Success'];

test('the same calls with the same results are noticed, of weaker models earlier', () => {
  const twice = turnOf([WRITE], [READ], [READ]);
  expect(repeatedCall(twice, 'prompted')?.toolName).toBe('read_file');
  expect(repeatedCall(twice, 'native')).toBeUndefined();
  expect(repeatedCall(turnOf([READ], [READ], [READ]), 'native')?.toolName).toBe('read_file');
});

test('calls that alternate are noticed', () => {
  expect(repeatedCall(turnOf([READ], [WRITE], [READ], [WRITE]), 'prompted')?.toolName).toBe('write_file');
  expect(repeatedCall(turnOf([READ], [WRITE], [READ]), 'prompted')).toBeUndefined();
});

test('calls with other results or arguments, more calls, and steps without calls are no repetition', () => {
  expect(repeatedCall(turnOf([READ], [['read_file', 'two']]), 'prompted')).toBeUndefined();
  expect(repeatedCall(turnOf([READ], [READ, WRITE]), 'prompted')).toBeUndefined();
  expect(repeatedCall(turnOf([READ], [], [READ]), 'prompted')).toBeUndefined();
  expect(repeatedCall(turnOf([], []), 'prompted')).toBeUndefined();
  const turn = turnOf([READ], [READ]);
  const parts = turn.parts.map((part, index) =>
    index === 1 && part.type === 'tool-call' ? { ...part, input: { path: '/b' } } : part,
  );
  expect(repeatedCall({ ...turn, parts }, 'prompted')).toBeUndefined();
});
