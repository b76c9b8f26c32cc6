import { expect, test } from 'vitest';
import { modelTexts } from '#components/i18n/model-texts.ts';
import { describeUseValue } from './describe-use.ts';

test.each([
  ['toolCalling', 'native', 'Native'],
  ['codec', 'object', 'JSON object'],
  ['codec', 'of-another-version', 'of-another-version'],
  ['codec', 'constructor', 'constructor'],
  ['codec', '__proto__', '__proto__'],
  ['compact', true, 'Brief'],
  ['contextSize', 128_000, '128,000'],
] as const)('the value of %s, %s, is “%s”', (setting, value, text) => {
  expect(describeUseValue(modelTexts, 'en', setting, value)).toBe(text);
});
