import { expect, test } from 'vitest';
import { ROOT } from '#scripts/lib/run.ts';
import { FAULTS, findOnce } from '#scripts/planted-faults/faults.ts';

test('each fault can still be planted: its texts are in the sources once', () => {
  const missing = FAULTS.flatMap(({ commit, edits }) =>
    edits.flatMap(({ find }) => {
      try {
        findOnce(ROOT, find);
        return [];
      } catch {
        return [`${commit}: ${find}`];
      }
    }),
  );
  expect(missing, 'change the texts in scripts/planted-faults/faults.json with the sources').toEqual([]);
});
