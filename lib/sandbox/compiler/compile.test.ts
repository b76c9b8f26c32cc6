import { createContext, runInContext, Script } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { compile } from './compile.ts';

/** Evaluates code sequentially in one realm, as the sandbox's kernel does. */
function notebook() {
  const context = createContext({ setTimeout });
  const evaluate = runInContext('(0, eval)', context) as (code: string) => unknown;
  const declared = new Set<string>();
  return async (source: string): Promise<unknown> => {
    const compiled = compile(source, declared);
    if ('problem' in compiled) throw new SyntaxError(compiled.problem.message);
    for (const name of compiled.lexical) {
      if (!declared.has(name)) new Script(`let ${name};`).runInContext(context);
      declared.add(name);
    }
    if (compiled.variables.length > 0) evaluate(`var ${compiled.variables.join()};`);
    return await evaluate(compiled.code);
  };
}

/** The browser tests cover real sessions; these are the cases that are easily broken by a change here. */
describe('a session’s code', () => {
  test.each<[string, string[], unknown]>([
    [
      'a function that replaces a binding and calls itself',
      ['let f = 1', 'function f(n){ return n < 2 ? 1 : n * f(n - 1) }', 'f(4)'],
      24,
    ],
    ['a function used before its declaration, with await', ['await 0; g(); function g(){ return 1 }'], 1],
    ['var in a loop head, with an existing binding', ['let i = 9', 'for (var i = 0; i < 3; i++); i'], 3],
    ['var with a pattern, with an existing binding', ['let a = 9', 'var {a, b} = {a: 1, b: 2}; a + b'], 3],
    ['var in a block, with await', ['{ var x = 1; await 0 } x', 'x'], 1],
    ['several declarations without a semicolon', ['let a = 1\nlet b = a\nconst [c] = [b]\nc'], 1],
    ['a comment after a declaration', ['let a = 1 // one\na'], 1],
    ['comments within a declaration', ['let /* name */ a /* is */ = /* one */ 1; a'], 1],
    ['a class that refers to itself', ['class A { static make() { return new A() } }', 'A.make() instanceof A'], true],
    ['await in an extends clause', ['class A extends (await Object) {}; typeof A'], 'function'],
    ['await in a function is not top-level await', ['const f = async () => await 1; typeof f'], 'function'],
    ['return in a function is not a top-level return', ['(() => { return 2 })()'], 2],
    ['an expression in parentheses keeps its value', ['await 0; (1, 2)'], 2],
    ['an object after a declaration', ['let a = 1; ({ a })'], { a: 1 }],
    ['destructuring with defaults and rest', ['let { a = 1, ...rest } = { b: 2 }; [a, rest]'], [1, { b: 2 }]],
    ['strict code keeps its functions', ['"use strict"; function s(){ return this === undefined }', 's()'], true],
    ['try and finally', ['await 0; try { 1 } finally { }'], 1],
    ['a label around a loop with await', ['out: for (const x of [1, 2]) { await 0; if (x === 2) break out; x }'], 0],
    ['await in the value of a declaration, twice', ['let a = await 1, b = await (a + 1); b'], 2],
    ['an assignment to an undeclared variable', ['free = 1', 'free'], 1],
  ])('%s', async (_, pieces, expected) => {
    const run = notebook();
    let value: unknown;
    for (const piece of pieces) value = await run(piece);
    expect(JSON.stringify(value)).toBe(JSON.stringify(expected));
  });

  test.each([
    'let a = 1;\nlet b =\n2;\n\nb',
    'await 0;\nconst {\n a,\n b\n} = {};\nfunction f() {\n}\na',
    '"use strict";\n\nvar x = 1\n;x',
    'class A {\n}\n\nnew A()',
  ])('line numbers do not change: %j', (source) => {
    const compiled = compile(source, new Set());
    if ('problem' in compiled) throw new Error(compiled.problem.message);
    const last = source.split('\n').length - 1;
    const line = compiled.code.split('\n')[last];
    expect(line).toContain(source.split('\n')[last]?.replace(/^;/, ''));
  });

  test('reports a syntax error with its position, and never fails otherwise', () => {
    expect(compile('a\n  b c', new Set())).toEqual({ problem: { message: 'Unexpected token', line: 2, column: 5 } });
    expect(compile('('.repeat(1e5), new Set())).toHaveProperty('problem');
    expect(compile('', new Set())).toEqual({ code: '', lexical: [], variables: [] });
  });
});
