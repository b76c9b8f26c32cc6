import { afterEach, expect, test } from 'vitest';
import { CodeCompiler } from './code-compiler.ts';

const compiler = new CodeCompiler();
const never = new AbortController().signal;

afterEach(() => compiler.end());

/** Takes about a minute to parse. */
const SLOW = `/${Array.from({ length: 140_000 }, () => '(?<a>)').join('|')}/`;

test('compiles in a thread what the same compiler compiles elsewhere', async () => {
  expect(await compiler.compile('let a = 1; b', new Set(['b']), never)).toMatchObject({ lexical: ['a'] });
  expect(await compiler.compile('let = ', new Set(), never)).toMatchObject({ problem: { line: 1 } });
});

test('code that takes too long to parse can be stopped, and the next code is compiled', async () => {
  const stop = new AbortController();
  const compiling = compiler.compile(SLOW, new Set(), stop.signal);
  stop.abort(new Error('stopped'));
  await expect(compiling).rejects.toThrow();
  expect(await compiler.compile('1', new Set(), never)).toMatchObject({ code: '1' });
});

test('code that takes too long to parse is invalid, and the next code is compiled', async () => {
  const hasty = new CodeCompiler(2_000);
  expect(await hasty.compile(SLOW, new Set(), never)).toEqual({
    problem: { message: 'The code takes more than 2 seconds to parse', line: 1, column: 1 },
  });
  expect(await hasty.compile('1', new Set(), never)).toMatchObject({ code: '1' });
  hasty.end();
});
