import { REPL_CASES } from '#lib/sandbox/test/repl-cases.ts';
import { expect, test } from './lib/fixtures.ts';
import { evaluateAll } from './lib/sandbox.ts';

test('code continues where earlier code of the session ended, as in a notebook', async ({ studio, bench }) => {
  // The browser also reports uncaught errors.
  studio.expectedProblems.push('late', 'nobody');
  await studio.open();
  const results = await evaluateAll(
    { bench, studio },
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
