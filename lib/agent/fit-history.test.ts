import { describe, expect, test } from 'vitest';
import type { AssistantMessage } from '#lib/messages/message.ts';
import { fitHistory } from './fit-history.ts';
import { toUnits } from './history.ts';
import { answeredCall, emptyTurn, finishedStep, userMessage } from './test/messages.ts';

const turn = (...results: string[]): AssistantMessage => ({
  ...emptyTurn(),
  parts: [finishedStep('local'), ...results.map((result, index) => answeredCall(`c${index}`, result))],
});

const options = { provider: 'local', keepsReasoning: false, overhead: 100, resultShare: 0.25, layout: 2 } as const;

describe('[R8] results of the newest step that do not fit together', () => {
  const results = Array.from({ length: 10 }, (_, index) => `${index}${'x'.repeat(1_700)}`);
  const units = toUnits([userMessage('Read them.'), turn(...results)]);

  test('are all cut, and the user is told', () => {
    const { tokens, notices, units: kept } = fitHistory(units, { ...options, budgetTokens: 2_000 });
    expect(tokens).toBeLessThanOrEqual(1_900);
    expect(tokens).toBeGreaterThan(1_500);
    expect(notices).toHaveLength(10);
    expect(new Set(notices.map(({ code }) => code))).toEqual(new Set(['result-cut']));
    expect(JSON.stringify(kept)).toContain('9xxx');
  });

  test('fit again in a model that counts fewer tokens', () => {
    const { notices } = fitHistory(units, { ...options, budgetTokens: 2_000, tokenScale: 0.3 });
    expect(notices).toEqual([]);
  });

  test('were sent whole in steps of earlier versions', () => {
    const { notices } = fitHistory(units, { ...options, layout: undefined, budgetTokens: 2_000 });
    expect(notices).toEqual([]);
  });
});

describe('reasoning', () => {
  const reasoning = { type: 'reasoning', text: 'x'.repeat(3_500) } as const;
  const units = toUnits([
    userMessage('One'),
    {
      ...emptyTurn(),
      parts: [finishedStep('local'), reasoning, { type: 'text', text: 'Yes.' }],
      status: { type: 'done' },
    },
    userMessage('Two'),
  ]);

  test('of earlier turns counts only if the model gets it back', () => {
    const { tokens } = fitHistory(units, { ...options, budgetTokens: 8_000 });
    const kept = fitHistory(units, { ...options, keepsReasoning: true, budgetTokens: 8_000 });
    const other = fitHistory(units, { ...options, provider: 'other', keepsReasoning: true, budgetTokens: 8_000 });
    expect(kept.tokens - tokens).toBe(1_000);
    expect(other.tokens).toBe(tokens);
  });
});
