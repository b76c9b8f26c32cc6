import { expect } from 'vitest';
import { evaluateAll } from '#components/test/evaluate-all.ts';
import { test } from '#components/test/studio-test.ts';
import { REPL_CASES } from '#lib/sandbox/test/repl-cases.ts';

test('code continues where earlier code of the session ended, as in a notebook', { timeout: 60_000 }, async ({
  studio,
}) => {
  await studio.open();
  const results = await evaluateAll(
    studio,
    REPL_CASES.map(([code]) => code),
  );
  const wrong = REPL_CASES.flatMap(([code, expected], index) => {
    const result = results[index] ?? '';
    const fits = typeof expected === 'string' ? result === expected : expected.test(result);
    return fits ? [] : [{ code, expected: String(expected), result: result.slice(0, 500) }];
  });
  expect(wrong).toEqual([]);
  expect(REPL_CASES.length).toBeGreaterThanOrEqual(50);
});
