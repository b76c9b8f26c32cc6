import { describe, expect, test } from 'vitest';
import type { AssistantPart, ToolCallPart } from '#lib/messages/message.ts';
import { toUnits } from '../history.ts';
import { emptyTurn, finishedStep, userMessage } from '../test/messages.ts';
import { staleCalls, withStubs } from './stale-results.ts';

const TEXT = 'word '.repeat(100);

/** A call that names a file as known. */
const call = (id: string, toolName: string, hash: string, input: object = { path: '/a' }): ToolCallPart => ({
  type: 'tool-call',
  toolCallId: id,
  toolName,
  inputState: 'complete',
  input,
  result: {
    type: 'tool-result',
    toolCallId: id,
    toolName,
    output: { content: TEXT },
    files: [{ path: '/a', hash }],
  },
});

const unitsOf = (...parts: AssistantPart[]) =>
  toUnits([userMessage('u'), { ...emptyTurn(), parts: parts.flatMap((part) => [finishedStep('local'), part]) }]);

const isReading = (toolName: string) => toolName === 'read_file';

describe('results that are out of date', () => {
  test('are those of files that have changed since', () => {
    expect(staleCalls(unitsOf(call('r', 'read_file', '1'), call('w', 'write_file', '2')), isReading)).toEqual(['r']);
  });

  test('are those that were read again with the same arguments', () => {
    const units = unitsOf(call('r1', 'read_file', '1'), call('r2', 'read_file', '1'));
    expect(staleCalls(units, isReading)).toEqual(['r1']);
  });

  test('are not other parts of the same file', () => {
    const first = call('r1', 'read_file', '1', { path: '/a', offset: 1 });
    const second = call('r2', 'read_file', '1', { path: '/a', offset: 200 });
    expect(staleCalls(unitsOf(first, second), isReading)).toEqual([]);
  });

  test('are not those of what was written, of failed calls, or short ones', () => {
    const short = call('s', 'read_file', '1');
    if (short.result?.type === 'tool-result') short.result.output.content = 'short';
    const failed: ToolCallPart = {
      ...call('f', 'read_file', '1'),
      result: { type: 'tool-error', toolCallId: 'f', toolName: 'read_file', code: 'failed', message: TEXT },
    };
    const written = call('w1', 'write_file', '1');
    expect(staleCalls(unitsOf(short, failed, written, call('w2', 'write_file', '2')), isReading)).toEqual([]);
  });

  test('become stubs that say how to get them back', () => {
    const units = withStubs(unitsOf(call('r', 'read_file', '1')), new Set(['r']));
    expect(JSON.stringify(units)).toContain('/a was read again or changed later. To see what it contains now, read it');
    expect(JSON.stringify(units)).not.toContain(TEXT);
  });
});
