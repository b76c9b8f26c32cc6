import { describe, expect, test } from 'vitest';
import type { ToolCallPart } from '#lib/messages/message.ts';
import { callRuns, countTools, FOLD_ALL_FROM, FOLD_MAX } from './call-runs.ts';

type Outcome = 'done' | 'failed' | 'pending';

const callOf = (id: number, toolName: string, outcome: Outcome = 'done'): ToolCallPart => {
  const base = { toolCallId: `c${id}`, toolName };
  return {
    type: 'tool-call',
    ...base,
    inputState: 'complete',
    ...(outcome === 'done' && { result: { type: 'tool-result' as const, ...base, output: { content: 'x' } } }),
    ...(outcome === 'failed' && {
      result: { type: 'tool-error' as const, ...base, code: 'failed' as const, message: 'x' },
    }),
  };
};

const isRead = ({ toolName }: ToolCallPart): boolean => toolName === 'read';
const never = () => false;

/** The runs of calls as short texts: `card` for a card, otherwise the type and the number of calls. */
const shapeOf = (calls: readonly ToolCallPart[], isOpen: (call: ToolCallPart) => boolean = never): string[] =>
  callRuns(calls, isRead, isOpen).map((run) => (run.type === 'card' ? 'card' : `${run.type} ${run.calls.length}`));

const many = (count: number, toolName = 'write', outcome: Outcome = 'done'): ToolCallPart[] =>
  Array.from({ length: count }, (_, id) => callOf(id, toolName, outcome));

describe('a few calls', () => {
  test('are cards, except for three or more finished reads in a row', () => {
    expect(shapeOf(many(5))).toEqual(Array(5).fill('card'));
    expect(shapeOf(many(2, 'read'))).toEqual(['card', 'card']);
    expect(shapeOf(many(3, 'read'))).toEqual(['reads 3']);
    expect(shapeOf([...many(3, 'read'), callOf(9, 'write'), ...many(4, 'read')])).toEqual([
      'reads 3',
      'card',
      'reads 4',
    ]);
    expect(shapeOf([...many(3, 'read'), callOf(9, 'read', 'failed'), callOf(10, 'read', 'pending')])).toEqual([
      'reads 3',
      'card',
      'card',
    ]);
  });
});

describe('many calls', () => {
  test('fold, failed ones included, except for the last one and those that are not finished', () => {
    const calls = [...many(8), ...many(4, 'write', 'failed'), callOf(99, 'write')];
    expect(calls).toHaveLength(FOLD_ALL_FROM);
    expect(shapeOf(calls)).toEqual(['calls 12', 'card']);
    expect(shapeOf(calls.slice(1))).toEqual(Array(12).fill('card'));
    expect(shapeOf([...calls, callOf(100, 'write', 'pending')])).toEqual(['calls 13', 'card']);
  });

  test('fold into groups of a readable size, which stay the same as more calls come', () => {
    expect(shapeOf(many(201))).toEqual([...Array(8).fill(`calls ${FOLD_MAX}`), 'card']);
    expect(shapeOf(many(60))).toEqual(['calls 25', 'calls 25', 'calls 9', 'card']);
  });

  test('leave a card alone that the user has opened', () => {
    expect(shapeOf(many(20), ({ toolCallId }) => toolCallId === 'c10')).toEqual([
      'calls 10',
      'card',
      'calls 8',
      'card',
    ]);
  });
});

test('tools are counted, the most frequent first', () => {
  const target = ({ toolCallId }: ToolCallPart) => (toolCallId === 'c4' ? 'c3' : toolCallId);
  expect(countTools([callOf(1, 'a'), callOf(2, 'b'), callOf(3, 'b'), callOf(4, 'b')], target)).toEqual([
    { toolName: 'b', times: 3, things: 2 },
    { toolName: 'a', times: 1, things: 1 },
  ]);
});
