import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { parseYamlFile } from './yaml-file.ts';

const read = (source: string) => parseYamlFile(source, 'a.yaml', z.unknown(), {}).value;

describe('a hostile file is refused with its place, at once', () => {
  test.each([
    ['? '.repeat(400), 'a.yaml:1: a key must be a text, not a list or a mapping'],
    ['[? '.repeat(300) + ']'.repeat(300), 'a.yaml:1: a key must be a text, not a list or a mapping'],
    ['one: 1\n? [a, b]\n: 2\n', 'a.yaml:2: a key must be a text, not a list or a mapping'],
    ['['.repeat(20_000), 'a.yaml:1: is nested too deeply'],
    ['- '.repeat(20_000), 'a.yaml:1: is nested too deeply'],
  ])('%#', (source, message) => {
    const startedAt = performance.now();
    expect(() => read(source)).toThrow(message);
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });
});

test('names that objects have by themselves are names', () => {
  const value = read('__proto__: { isAdmin: true }\nconstructor: 1\n') as object;
  expect(Object.keys(value)).toEqual(['__proto__', 'constructor']);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(({} as { isAdmin?: unknown }).isAdmin).toBeUndefined();
});
