import { expect, test } from 'vitest';
import { roundedNumber, withExactNumbers } from './rounded-number.ts';

test.each<[string, string | undefined]>([
  ['{"id":12345678901234567890}', '12345678901234567890'],
  ['{"a":[1,{"id":-9007199254740993}]}', '-9007199254740993'],
  ['{"id":9007199254740992}', undefined],
  ['{"id":9007199254740993', '9007199254740993'],
  ['{"id":"12345678901234567890"}', undefined],
  ['{"text":"say \\"12345678901234567890\\" again"}', undefined],
  ['{"pi":3.14159265358979323846}', undefined],
  ['{"big":1e21,"more":1000000000000000000000}', undefined],
  ['{"text":"12345678901234567890', undefined],
  ['{}', undefined],
])('%s', (json, rounded) => {
  expect(roundedNumber(json)).toBe(rounded);
});

test('a number that is infinite to JavaScript is one', () => {
  expect(roundedNumber(`{"n":${'9'.repeat(400)}}`)).toHaveLength(400);
});

test.each([
  ['characters', 'x'.repeat(12_000_000)],
  ['escapes', '\\n'.repeat(6_000_000)],
])('a string of many %s is passed over', (_, text) => {
  expect(withExactNumbers(`{"text":"${text}","id":12345678901234567890}`).slice(-30)).toBe(
    `${text.slice(-1)}","id":"12345678901234567890"}`.slice(-30),
  );
});

test('a number of many digits is a string of them', () => {
  const digits = '9'.repeat(6_000_000);
  expect(withExactNumbers(`[${digits}]`) === `["${digits}"]`).toBe(true);
});

test('a long text is read in one go', () => {
  const code = JSON.stringify({ code: '1234567890123456 "x" \\ '.repeat(100_000) });
  expect(roundedNumber(code)).toBeUndefined();
});

test.each([
  ['{"id":12345678901234567890,"n":1}', '{"id":"12345678901234567890","n":1}'],
  ['[-9007199254740993,9007199254740992]', '["-9007199254740993",9007199254740992]'],
  ['{"a":"12345678901234567890"}', '{"a":"12345678901234567890"}'],
  ['{"a":"12345678901234567890\\', '{"a":"12345678901234567890\\'],
  ['{"a":12345678901234567890', '{"a":"12345678901234567890"'],
])('%s keeps its digits', (json, exact) => {
  expect(withExactNumbers(json)).toBe(exact);
});
