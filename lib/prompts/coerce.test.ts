import { expect, test } from 'vitest';
import { coerce, parseLoosely } from './coerce.ts';

test('an integer that would be rounded keeps its digits', () => {
  const schema = { type: 'object', properties: { id: { type: 'string' }, count: { type: 'integer' } } };
  const parsed = parseLoosely(
    '{"id":12345678901234567890,"count":12345678901234567891,"other":12345678901234567892,"n":5}',
  );
  expect(JSON.stringify(coerce(parsed, schema, schema))).toBe(
    '{"id":"12345678901234567890","count":12345678901234567891,"other":"12345678901234567892","n":5}',
  );
});
