import { expect, test } from 'vitest';
import { modelTexts } from '#components/i18n/model-texts.ts';
import { FINDINGS, REASONS } from '#lib/wire/examination.ts';

test('everything that an examination can find and recommend has words', () => {
  const { findings, reasons } = modelTexts.use;
  expect(Object.keys(findings)).toEqual(Object.keys(FINDINGS));
  for (const [check, codes] of Object.entries(FINDINGS))
    expect(Object.keys(findings[check] ?? {}).sort(), check).toEqual([...codes].sort());
  expect(Object.keys(reasons).sort()).toEqual([...REASONS].sort());
});
