import { expect, test } from 'vitest';
import { type FieldKind, type FormValue, formFault } from './call-form.ts';

const TEXT: FieldKind = { type: 'text', min: 2, max: 4 };
const CHOICES = [
  { value: 'a', title: 'A' },
  { value: 'b', title: 'B' },
];

test.each<[FieldKind, unknown, string | undefined]>([
  [TEXT, 'ab', undefined],
  [TEXT, 'a', 'too-short'],
  [TEXT, 'abcde', 'too-long'],
  [TEXT, '😀😀😀😀', undefined],
  [TEXT, 7, 'missing'],
  [{ type: 'text', max: 99, format: 'email' }, 'ada@example.com', undefined],
  [{ type: 'text', max: 99, format: 'email' }, 'ada', 'email'],
  [{ type: 'text', max: 99, format: 'uri' }, 'https://example.com', undefined],
  [{ type: 'text', max: 99, format: 'uri' }, 'example', 'uri'],
  [{ type: 'text', max: 99, format: 'date' }, '2026-02-28', undefined],
  [{ type: 'text', max: 99, format: 'date' }, '2026-02-30', 'date'],
  [{ type: 'text', max: 99, format: 'date' }, '28.2.2026', 'date'],
  [{ type: 'text', max: 99, format: 'date-time' }, '2026-02-28T10:00:00Z', undefined],
  [{ type: 'text', max: 99, format: 'date-time' }, '2026-02-28T10:00', 'date-time'],
  [{ type: 'number', isInteger: false, min: 0, max: 1 }, 0.5, undefined],
  [{ type: 'number', isInteger: false, min: 0, max: 1 }, -1, 'too-small'],
  [{ type: 'number', isInteger: false, min: 0, max: 1 }, 2, 'too-large'],
  [{ type: 'number', isInteger: true }, 0.5, 'not-integer'],
  [{ type: 'number', isInteger: true }, Number.NaN, 'not-number'],
  [{ type: 'number', isInteger: true }, '1', 'not-number'],
  [{ type: 'boolean' }, false, undefined],
  [{ type: 'boolean' }, 'yes', 'missing'],
  [{ type: 'choice', choices: CHOICES }, 'a', undefined],
  [{ type: 'choice', choices: CHOICES }, 'c', 'not-choice'],
  [{ type: 'choices', choices: CHOICES, min: 1, max: 1 }, ['b'], undefined],
  [{ type: 'choices', choices: CHOICES, min: 1, max: 1 }, [], 'too-few'],
  [{ type: 'choices', choices: CHOICES, min: 1, max: 1 }, ['a', 'b'], 'too-many'],
  [{ type: 'choices', choices: CHOICES }, ['a', 'a'], 'not-choice'],
  [{ type: 'choices', choices: CHOICES }, ['c'], 'not-choice'],
  [{ type: 'choices', choices: CHOICES }, 'a', 'not-choice'],
])('in a field of %j, %j is judged as it should be', (kind, value, code) => {
  const field = { name: 'a', label: 'A', isRequired: true, kind };
  expect(formFault(field, value as FormValue)?.code).toBe(code);
});

test('only what is not required may be left out', () => {
  const field = { name: 'a', label: 'A', isRequired: true, kind: TEXT };
  expect(formFault(field, undefined)).toEqual({ code: 'missing' });
  expect(formFault({ ...field, isRequired: false }, undefined)).toBeUndefined();
});
