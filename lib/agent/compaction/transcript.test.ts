import { describe, expect, test } from 'vitest';
import { toUnits } from '../history.ts';
import { answeredCall, emptyTurn, finishedStep, userMessage } from '../test/messages.ts';
import { estimateTokens } from '../tokens.ts';
import { textsOf, transcriptOf } from './transcript.ts';

const unitsOf = (turns: number, length: number) =>
  toUnits(
    Array.from({ length: turns }, (_, n) => [
      userMessage(`Question ${n}`),
      {
        ...{ ...emptyTurn(), status: { type: 'done' as const } },
        parts: [
          finishedStep('local'),
          { type: 'text' as const, text: `Answer ${n}` },
          answeredCall(`c${n}`, 'r'.repeat(length)),
        ],
      },
    ]).flat(),
  );

describe('a transcript', () => {
  test('has all of what fits', () => {
    const { text, leftOut } = transcriptOf(unitsOf(1, 100), 1_000);
    expect(text).toBe(
      `PERSON: Question 0\n\nASSISTANT: Answer 0\n\nCALL of read_file: {"path":"/a"}\n\nRESULT: ${'r'.repeat(100)}`,
    );
    expect(leftOut).toBe(0);
  });

  test('has shorter entries before it leaves any out', () => {
    const { text, leftOut } = transcriptOf(unitsOf(20, 3_000), 3_000);
    expect(leftOut).toBe(0);
    expect(estimateTokens(text)).toBeLessThanOrEqual(3_000);
    for (let n = 0; n < 20; n++) expect(text).toContain(`Answer ${n}`);
  });

  test('leaves out the oldest entries if nothing else helps, and says how many', () => {
    const { text, leftOut } = transcriptOf(unitsOf(300, 3_000), 1_000);
    expect(estimateTokens(text)).toBeLessThanOrEqual(1_000);
    expect(leftOut).toBeGreaterThan(1_000);
    expect(text).toContain('Answer 299');
  });

  test('takes facts from texts and results, but not from files', () => {
    const read = answeredCall('c', 'port = 1');
    if (read.type === 'tool-call' && read.result?.type === 'tool-result')
      read.result.files = [{ path: '/a', hash: 'h' }];
    const units = toUnits([
      userMessage('host = a'),
      { ...emptyTurn(), parts: [finishedStep('local'), read, answeredCall('d', 'sum = 3')] },
    ]);
    expect(textsOf(units)).toEqual(['host = a', 'sum = 3']);
  });
});
