import { describe, expect, test } from 'vitest';
import type { Message } from '#lib/messages/message.ts';
import { looksCut } from './cut-check.ts';
import { emptyTurn, finishedStep } from './test/messages.ts';

const SETTINGS = { model: 'local/model', toolCalling: 'native' } as const;

interface CountedStep {
  estimated: number;
  counted: number;
  wasRead?: true;
}

/** A thread with one turn of these steps. */
const thread = (...steps: readonly CountedStep[]): Message[] => [
  {
    ...emptyTurn(),
    parts: steps.map(({ estimated, counted, wasRead }) => ({
      ...finishedStep('local'),
      estimatedTokens: estimated,
      usage: { inputTokens: counted },
      ...(wasRead && { wasRead }),
    })),
  },
];

const cut = (messages: Message[], estimatedTokens: number, inputTokens: number) =>
  looksCut(messages, { estimatedTokens, inputTokens }, SETTINGS);

describe('the first prompt of a thread', () => {
  test.each([
    [720, false],
    [719, true],
    [0, false],
  ])('of 1,000 estimated tokens with a count of %d looks cut: %s', (counted, isCut) => {
    expect(cut([], 1_000, counted)).toBe(isCut);
  });

  test('is too small to tell below 1,000 estimated tokens', () => {
    expect(cut([], 999, 100)).toBe(false);
  });
});

describe('a later prompt', () => {
  test('may have half of the tokens for what was added, as tokenizers differ, as long as few steps tell what is usual', () => {
    const messages = thread({ estimated: 1_000, counted: 1_000 });
    expect(cut(messages, 2_000, 1_500)).toBe(false);
    expect(cut(messages, 2_000, 1_480)).toBe(true);
  });

  test('may have three quarters of what steps of its thread usually add', () => {
    const messages = thread(
      ...[1_000, 1_100, 1_200, 1_300].map((estimated) => ({ estimated, counted: estimated / 2 })),
    );
    // The step before has 650, and 500 are usual for 1,000 more.
    expect(cut(messages, 2_300, 650 + 375)).toBe(false);
    expect(cut(messages, 2_300, 650 + 366)).toBe(true);
  });

  test('is not compared once three in a row turned out to be read whole, and two are not enough', () => {
    const read = (n: number) =>
      thread(...Array.from({ length: n }, () => ({ estimated: 1_000, counted: 1_000, wasRead: true as const })));
    expect(cut(read(2), 2_000, 1_001)).toBe(true);
    expect(cut(read(3), 2_000, 1_001)).toBe(false);
  });

  test('that fills a window to the last token looks cut in any case', () => {
    const messages = thread(
      ...Array.from({ length: 3 }, () => ({ estimated: 1_000, counted: 1_000, wasRead: true as const })),
    );
    expect(cut(messages, 2_000, 2_048)).toBe(true);
    expect(cut(messages, 2_000, 2_047)).toBe(false);
  });

  test('is compared with steps of the same model and the same kind of tools only', () => {
    const messages = thread({ estimated: 1_000, counted: 1_000 });
    const other = looksCut(messages, { estimatedTokens: 2_000, inputTokens: 1_450 }, { ...SETTINGS, model: 'other' });
    expect(other).toBe(false);
    expect(cut(messages, 2_000, 1_450)).toBe(true);
  });
});
