import { expect, test } from './lib/fixtures.ts';
import { evaluateAll } from './lib/sandbox.ts';

/** The inputs of one session, in order, and what the model gets for each; a pattern if only a part is fixed. */
const CASES: [code: string, result: string | RegExp][] = [
  ['1+1', '2'],
  // Declarations persist, and can be repeated.
  ['let a=1; const b=2', 'undefined\n[A declaration has no value. To get it, end the code with b.]'],
  ['a+b', '3'],
  ['const b=5; b', '5'],
  ['let name={x:1}; name', '{x: 1}'],
  ['name.x', '1'],
  ['const status=[1]; status', '[1]'],
  ['let top=5', /^failed: SyntaxError: Identifier 'top' has already been declared/],
  ['const {p,q:[r]}={p:1,q:[2]}; [p,r]', '[1, 2]'],
  ['p+r', '3'],
  ['let {x1=3,...rest}={y:1}; [x1,rest]', '[3, {y: 1}]'],
  ['let u;u', 'undefined'],
  ['let\n y2\n=\n3\n;\ny2', '3'],
  ['function f(){return 1}\nf()', '1'],
  ['f()', '1'],
  ['function f(){return 2}\nawait 0; f()', '2'],
  ['f()', '2'],
  ['let f=9; f', '9'],
  ["function f(){return 'again'}; f()", 'again'],
  ['var v1=1; await 0; v1', '1'],
  ['v1+1', '2'],
  ['let v1=7; v1', '7'],
  ['var v1=8; v1', '8'],
  ['for (var v1 of [1,2]); v1', '2'],
  ['window.counted = 0; var counted = 3; window.counted', '3'],
  ['class A{m(){return 3}}\nnew A().m()', '3'],
  ['class A{m(){return 4}}; await 0; new A().m()', '4'],
  ['class B extends A { #p=1; static s=2; get p(){return this.#p} }; [new B().p,B.s]', '[1, 2]'],
  ['const fn=()=>1; fn.name', 'fn'],
  // Completion values.
  ['5; let z=1', '5'],
  ['({a:1})', '{a: 1}'],
  ['{a:1, b:2}', '{a: 1, b: 2}'],
  ['{ let inner=1; inner }', '1'],
  ['for(let i=0;i<3;i++) i', '2'],
  ['switch(1){case 1: "x"}', 'x'],
  ['label: for(;;){ break label }', 'undefined'],
  ['outer: for (const x of [1,2]) { for (const y of [1]) { if (x===2) break outer; x+y } }', 'undefined'],
  ['if(1) var vv=4\nawait 0\nvv', '4'],
  ['"use strict"; let st=1; st', '1'],
  ['st', '1'],
  ['return 5', '5'],
  ['if (true) return 3; 4', '3'],
  ['#!/usr/bin/env node\n5', '5'],
  ['// only a comment', 'undefined'],
  ['""', ''],
  // Await.
  ['const w=await Promise.resolve(7); w*2', '14'],
  ['for(const x of [1,2]) await 0; "done"', 'done'],
  ['if(true){ await 0; 5 }else 6', '5'],
  ['try{ await Promise.reject(new Error("boo")) }catch(e){ e.message }', 'boo'],
  ['let a1=1,b1=await 2,c1;[a1,b1,c1]', '[1, 2, undefined]'],
  ['const {aa, bb} = await ({aa:1,bb:2}); aa+bb', '3'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code
  ['`a${await 1}b`', 'a1b'],
  ['let af=async()=>{await 1; return 9}; await af()', '9'],
  ['new Promise(r=>setTimeout(()=>r(3),20))', '3'],
  ['async function g2(){for await(const x of [1])return x} await g2()', '1'],
  ['a=1\nawait 0\n;[1,2].length', '2'],
  // Errors with their line.
  ['x = ', 'failed: SyntaxError: Unexpected token\n    at line 1, column 5: x ='],
  [
    'let ok = 1;\nlet 9bad = 2;',
    'failed: SyntaxError: Identifier directly after number\n    at line 2, column 6: let 9bad = 2;',
  ],
  ["import x from 'y'", /^failed: SyntaxError: 'import' and 'export'/],
  ['\n\nthrow new TypeError("t")', 'failed: TypeError: t\n    at line 3: throw new TypeError("t")'],
  [
    '\nlet zz=1;\nfoo.bar',
    'failed: ReferenceError: foo is not defined\n    at line 3: foo.bar\n[Define foo in the code: there is only what JavaScript and browsers have by themselves.]',
  ],
  [
    'await 0;\n\nundefinedFn()',
    'failed: ReferenceError: undefinedFn is not defined\n    at line 3: undefinedFn()\n[Define undefinedFn in the code: there is only what JavaScript and browsers have by themselves.]',
  ],
  ['function fails() {\n  return null.x;\n}\n1', '1'],
  ['fails()', /^failed: TypeError: .*\n {4}at line 2 of an earlier call: return null\.x;$/],
  ['throw 7', 'failed: Thrown: 7'],
  ['throw undefined', 'failed: Thrown: undefined'],
  ['Promise.reject({code: 1})', 'failed: Thrown: {code: 1}'],
  [
    'console.log("before"); throw new Error("after")',
    /^failed: Error: after\n {4}at line 1: .*\nPrinted so far:\nbefore$/,
  ],
  // Values, shown without calling their code.
  ['document.title="x"; document.createElement("div")', '<div></div>'],
  ['document.body.innerHTML="<p id=k>hi</p>"; k', '<p id="k">hi</p>'],
  ['new Map([[1,{a:2}]])', 'Map(1) {1 => {a: 2}}'],
  ['new Set([1])', 'Set(1) {1}'],
  ['new Uint8Array(3)', 'Uint8Array(3) [0, 0, 0]'],
  ['const cy={};cy.c=cy;cy', '{c: [Circular]}'],
  [
    'let touched=0; const shy={get g(){touched++; return 1}, toJSON(){touched++}, toString(){touched++; return ""}, get [Symbol.toStringTag](){touched++; return "x"}}; shy',
    /^\{g: \[Getter\], toJSON: \[Function toJSON\], toString: \[Function toString\]/,
  ],
  ['touched', '0'],
  ['new Proxy({}, {ownKeys(){ throw new Error("no") }})', '[unreadable]'],
  ['10n**20n', '100000000000000000000n'],
  [
    '[-0, NaN, null, undefined, Symbol("s"), /r/g, new Date(0), () => 1, class K {}]',
    '[-0, NaN, null, undefined, Symbol(s), /r/g, 1970-01-01T00:00:00.000Z, [Function anonymous], [Function K]]',
  ],
  ['[1,,3]', '[1, empty, 3]'],
  ['"line\\u202Eesrever\\u0007"', 'line\\u{202e}esrever\\u{7}'],
  ['Array.from({length: 1000}, (_, i) => i)', /99, … 900 more\]$/],
  ['"x".repeat(1e6)', /^x{20000}… \[cut at 20000 of 1000000 characters\]$/],
  ['const cvs=document.createElement("canvas"); cvs.width=4; cvs.height=2; cvs', '<canvas 4×2>'],
  // Console.
  ['console.log(1, {a:[1]}); console.warn("w"); console.table([1]); 2', '1 {a: [1]}\n[warn] w\n[1]\n=> 2'],
  ['for (let i=0;i<5000;i++) console.log("line")', /^(line\n){1000}\[warn\] \[more output was dropped\]$/],
  [
    'setTimeout(() => { throw new Error("late") }, 1); await new Promise(r => setTimeout(r, 30)); 1',
    /^\[error\] Uncaught Error: late\n {4}at line 1: .*\n=> 1$/,
  ],
  [
    'Promise.reject(new Error("nobody")); await new Promise(r => setTimeout(r, 30)); 1',
    /^\[error\] Uncaught Error: nobody\n/,
  ],
  // Browser features that need no network.
  ['await fetch("data:text/plain,hi").then(r=>r.text())', 'hi'],
  ['await import("data:text/javascript,export default 5").then(m=>m.default)', '5'],
  ['await new Promise(requestAnimationFrame) > 0', 'true'],
  ['[1,2,3].map(x=>x*2)', '[2, 4, 6]'],
];

test('code continues where earlier code of the session ended, as in a notebook', async ({ studio, bench }) => {
  // The browser also reports uncaught errors.
  studio.expectedProblems.push('late', 'nobody');
  await studio.open();
  const results = await evaluateAll(
    { bench, studio },
    CASES.map(([code]) => code),
  );
  const wrong = CASES.flatMap(([code, expected], index) => {
    const result = results[index] ?? '';
    const fits = typeof expected === 'string' ? result === expected : expected.test(result);
    return fits ? [] : [{ code, expected: String(expected), result: result.slice(0, 500) }];
  });
  expect(wrong).toEqual([]);
  expect(CASES.length).toBeGreaterThanOrEqual(50);
});
