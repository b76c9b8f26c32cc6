import { transform } from 'esbuild-wasm';
import { expect, test } from 'vitest';
import { PageCompiler } from './page-compiler.ts';

const compiler = new PageCompiler();

async function stripped(...lines: readonly string[]): Promise<string[]> {
  const outcome = await compiler.stripTypes(lines.join('\n'));
  if (outcome.type === 'failed') throw new Error(outcome.problems[0]?.message);
  return outcome.code.split('\n');
}

test('statements stay on their lines when types and comments are removed', async () => {
  const code = await stripped(
    '// Adds.',
    'interface Point {',
    '  x: number;',
    '}',
    '',
    'const point: Point = { x: 7 };',
    'type Name = string;',
    'function twice(n: number): number {',
    '  // As it is.',
    '  return n * 2;',
    '}',
    '',
    'missing(twice(point.x));',
  );
  expect(code[5]).toMatch(/^const point = \{ x: 7 \};/);
  expect(code[7]).toMatch(/^function twice\(n\)/);
  expect(code[9]).toMatch(/^\s*return n \* 2;/);
  expect(code[12]).toMatch(/^missing\(/);
});

test('what was on one line is on one line again, as far as it can be', async () => {
  const code = await stripped('const f = (n: number) => { if (n > 1) { return n; } return 0; };', 'a.b();', 'c.d();');
  expect(code.findIndex((line) => line.includes('a.b()'))).toBeLessThanOrEqual(4);
  expect(code.findIndex((line) => line.includes('c.d()'))).toBeLessThanOrEqual(4);
});

test('template strings of several lines keep their text', async () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code
  const source = 'type A = 1;\n\n\nconst a = `one\n\n  two ${1 +\n 1}\n// three\n`; const b: A = 1;\n\n\n[a, b]';
  const { code } = await transform(source, { loader: 'ts', target: 'esnext' });
  const run = (text: string): unknown => new Function(`${text.replace('[a, b]', 'return [a, b]')}`)();
  const kept = (await stripped(source)).join('\n');
  expect(run(kept)).toEqual(run(code));
  expect(run(kept)).toEqual(['one\n\n  two 2\n// three\n', 1]);
});

test('comments that are kept elsewhere do not hide code', async () => {
  const code = await stripped('//! A license', 'const a: number = 1; /*! Another', 'one */ const b = 2;', 'a + b;');
  expect(new Function(code.join('\n').replace('a + b', 'return a + b'))()).toBe(3);
});
