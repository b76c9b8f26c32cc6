import { expect, expectTypeOf, test } from 'vitest';
import { defined } from './defined.ts';

test('properties that are undefined are left out, and no others', () => {
  const given: { name: string; title: string | undefined; count?: number | undefined; isOn: boolean | undefined } = {
    name: 'a',
    title: undefined,
    isOn: false,
  };
  const kept = defined(given);
  expect(kept).toEqual({ name: 'a', isOn: false });
  expect(Object.keys(kept)).toEqual(['name', 'isOn']);
  expect(defined({ zero: 0, empty: '', nothing: null })).toEqual({ zero: 0, empty: '', nothing: null });
  expectTypeOf(kept).branded.toEqualTypeOf<{ name: string; title?: string; count?: number; isOn?: boolean }>();
});
