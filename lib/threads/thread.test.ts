import { describe, expect, test } from 'vitest';
import { threadOf } from './test/store-contract.ts';
import { completeThread, threadSchema, titleFrom } from './thread.ts';

test('times that no date has, from a file or stored before, become times that one has', () => {
  const impossible = threadOf('t', { createdAt: 1e300, updatedAt: -1e300 });
  const times = { createdAt: 8.64e15, updatedAt: 0 };
  expect(threadSchema.parse({ ...impossible, pinnedAt: -1 })).toEqual({ ...impossible, ...times, pinnedAt: 0 });
  expect(completeThread(impossible)).toEqual({ ...impossible, ...times });
  expect(completeThread({ ...impossible, createdAt: Number.NaN }).createdAt).toBe(0);
});

describe('titleFrom', () => {
  test.each([
    ['What is this?', 'What is this?'],
    ['\n\n  First line  \nsecond line', 'First line'],
    ['# A heading', 'A heading'],
    ['- [ ] a task', '[ ] a task'],
    ['> **bold** quote', 'bold** quote'],
    ['---\n\ntext after a rule', 'text after a rule'],
    ['', ''],
    [' \n\t\n', ''],
    ['# \n- \n>', ''],
  ])('turns %j into %j: the first words, without leading Markdown characters', (text, title) => {
    expect(titleFrom(text)).toBe(title);
  });

  test('keeps text of up to sixty characters, and cuts longer text between words', () => {
    const whole = 'x'.repeat(60);
    expect(titleFrom(whole)).toBe(whole);
    const words = 'one two three four five six seven eight nine ten eleven twelve thirteen';
    expect(titleFrom(words)).toBe('one two three four five six seven eight nine ten eleven…');
  });

  test('cuts text without a suitable space at sixty characters', () => {
    expect(titleFrom('x'.repeat(61))).toBe(`${'x'.repeat(60)}…`);
    expect(titleFrom(`short ${'x'.repeat(80)}`)).toBe(`short ${'x'.repeat(54)}…`);
    expect(titleFrom('字'.repeat(80))).toBe(`${'字'.repeat(60)}…`);
  });

  test('never splits a character', () => {
    const title = titleFrom('🙂'.repeat(80));
    expect([...title]).toHaveLength(61);
    expect(title.isWellFormed()).toBe(true);
  });
});
