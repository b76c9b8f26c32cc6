import { expect, test } from 'vitest';
import type { RenderedValue } from '#lib/tools/capabilities/rendered-value.ts';
import { valueColor } from './value-color.ts';

test.each<[string, string]>([
  ...['1', '-0', '1.5', '1e+21', '12n', 'NaN', '-Infinity'].map((text): [string, string] => [text, 'number']),
  ...['true', 'null', 'undefined'].map((text): [string, string] => [text, 'keyword']),
  ['[Function run]', 'function'],
  ['/a b/gi', 'regexp'],
  ['[Circular]', ''],
  ['2026-01-01T00:00:00.000Z', ''],
  ['Symbol(1)', ''],
])('%s has the color %j', (text, color) => {
  const shown = color === '' ? '' : `text-(color:--syntax-${color})`;
  expect(valueColor({ type: 'text', text }, false)).toBe(shown);
});

test('a string has a color only inside of an object', () => {
  const value: RenderedValue = { type: 'string', text: '12', length: 2 };
  expect(valueColor(value, false)).toBe('');
  expect(valueColor(value, true)).toContain('--syntax-string');
});
