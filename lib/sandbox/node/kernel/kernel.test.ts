import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { OpenedSandbox } from '../test/opened-sandbox.ts';

let opened: OpenedSandbox;

async function open(): Promise<void> {
  opened = new OpenedSandbox();
  await opened.run('0');
}

const close = (): void => opened.sandbox.close();

const run: OpenedSandbox['run'] = (...given) => opened.run(...given);

describe('what code finds', () => {
  beforeAll(open);
  afterAll(close);

  test.each(['process', 'global', 'require', 'module', 'setImmediate', 'localStorage', 'document', 'window'])(
    'no %s',
    async (name) => {
      expect(await run(`typeof ${name}`)).toBe('undefined');
      expect(await run(`Function('return typeof ${name}')()`)).toBe('undefined');
    },
  );

  test.each([
    'import("node:fs")',
    'import("fs")',
    'import("./stdio.ts")',
    'import("https://elsewhere.example/x.js")',
    'Function("return import(\'node:fs\')")()',
    '(0, eval)("import(\'node:fs\')")',
    'import("data:text/javascript,import \'node:fs\'")',
  ])('no modules: %s', async (code) => {
    expect(await run(code)).toMatch(
      /^failed: TypeError: Failed to fetch dynamically imported module: \S+\. There are no/,
    );
  });

  test('no streams behind the console, whose other methods print nothing', async () => {
    expect(await run('[typeof console._stdout, typeof console.Console]')).toBe('["undefined", "undefined"]');
    expect(await run('console.clear(); console.countReset("x"); console.dirxml("x"); console.timeLog("x"); 1')).toBe(
      '1',
    );
  });

  test.each([
    [
      '\nawait fetch("https://elsewhere.example/x")',
      'TypeError: Failed to fetch: There is no network here.',
      'https://elsewhere.example/x',
    ],
    [
      '\nawait fetch(new URL("https://elsewhere.example/y"))',
      'TypeError: Failed to fetch: There is no network here.',
      'https://elsewhere.example/y',
    ],
    [
      '\nawait fetch(new Request("https://elsewhere.example/z"))',
      'TypeError: Failed to fetch: There is no network here.',
      'https://elsewhere.example/z',
    ],
    [
      '\nnew WebSocket("wss://elsewhere.example")',
      "SecurityError: Failed to construct 'WebSocket': there is no network here.",
      'wss://elsewhere.example',
    ],
    [
      '\nnew EventSource("https://elsewhere.example/e")',
      "SecurityError: Failed to construct 'EventSource': there is no network here.",
      'https://elsewhere.example/e',
    ],
    [
      '\nnew XMLHttpRequest()',
      "SecurityError: Failed to construct 'XMLHttpRequest': there is no network here.",
      'XMLHttpRequest',
    ],
  ])('no network: %s', async (code, message, target) => {
    expect(await run(code)).toBe(`failed: ${message}\n    at line 2: ${code.trim()}`);
    expect(opened.sandbox.record.getEntries()).toContainEqual(
      expect.objectContaining({ refusal: { run: expect.any(Number), directive: 'connect-src', target, line: 2 } }),
    );
  });

  test.each([
    ['text of data', 'await (await fetch("data:text/plain,hi")).text()', 'hi'],
    ['text of a blob', 'await (await fetch(URL.createObjectURL(new Blob(["hi"])))).text()', 'hi'],
    [
      'compression',
      'const zipped = new Blob(["abc"]).stream().pipeThrough(new CompressionStream("gzip")); await new Response(zipped.pipeThrough(new DecompressionStream("gzip"))).text()',
      'abc',
    ],
    [
      'forms',
      'const form = new FormData(); form.append("a", "b"); (await new Response(form).formData()).get("a")',
      'b',
    ],
    ['digests', '(await crypto.subtle.digest("SHA-256", new Uint8Array(2))).byteLength', '32'],
    [
      'messages',
      'const { port1, port2 } = new MessageChannel(); await new Promise((resolve) => { port2.onmessage = resolve; port1.postMessage(5) }).then(({ data }) => { port1.close(); return data })',
      '5',
    ],
    ['signals', 'await new Promise((resolve) => { AbortSignal.timeout(5).onabort = () => resolve("fired") })', 'fired'],
    ['clones', 'structuredClone(new Map([[1, new Date(0)]]))', 'Map(1) {1 => 1970-01-01T00:00:00.000Z}'],
    ['errors of the platform', 'structuredClone(() => {})', /^failed: DataCloneError: /],
    ['itself', 'self === globalThis', 'true'],
  ])('what browsers have without a window: %s', async (_, code, expected) => {
    const result = await run(code);
    if (typeof expected === 'string') expect(result).toBe(expected);
    else expect(result).toMatch(expected);
  });

  test.each([
    ['typeof setTimeout(() => {}, 0)', 'number'],
    ['typeof setInterval.call(null, () => {}, 1e6)', 'number'],
    [
      'let late = 0; clearTimeout(setTimeout(() => late++, 1)); await new Promise((done) => setTimeout(done, 20)); late',
      '0',
    ],
    ['await new Promise((done) => setTimeout((...given) => done(given), 1, "a", 2))', '["a", 2]'],
    ['let ran = 0; setTimeout("ran++", 1); await new Promise((done) => setTimeout(done, 20)); ran', '1'],
    ['await new Promise((done) => setTimeout(function () { done(this === globalThis) }))', 'true'],
    ['setTimeout.name', 'setTimeout'],
  ])('timers as in browsers: %s', async (code, expected) => {
    expect(await run(code)).toBe(expected);
  });
});

/** Code that breaks what the kernel and Node build on. */
const TAMPERING: [string, string][] = [
  ['the iterator of arrays', 'Array.prototype[Symbol.iterator] = null'],
  [
    'the methods of arrays',
    'for (const name of Object.getOwnPropertyNames(Array.prototype)) try { Array.prototype[name] = null } catch {}',
  ],
  [
    'the methods of texts and patterns',
    'for (const name of ["slice", "indexOf", "split", "startsWith"]) String.prototype[name] = () => "OUT"; RegExp.prototype.exec = () => null',
  ],
  ['JSON', 'JSON.stringify = () => \'{"type":"outcome","run":1}\'; JSON.parse = () => ({}); 0'],
  ['promises', 'Promise.prototype.then = Promise.withResolvers = Promise.resolve = null'],
  ['call and apply', 'Function.prototype.call = Function.prototype.apply = Function.prototype.bind = null'],
  ['maps', 'Map.prototype.get = Map.prototype.set = Set.prototype.has = () => { throw 1 }'],
  ['Reflect and Object', 'Reflect.apply = Object.getOwnPropertyDescriptor = Object.defineProperty = null'],
  ['bytes', 'TextEncoder.prototype.encode = TextDecoder.prototype.decode = globalThis.Uint8Array = null'],
  [
    'globals',
    'globalThis.String = globalThis.Promise = globalThis.Error = globalThis.eval = globalThis.setTimeout = null',
  ],
  [
    'frozen prototypes',
    'Object.freeze(Object.prototype); Object.freeze(Array.prototype); Object.freeze(Promise.prototype)',
  ],
  ['stacks', 'Error.prepareStackTrace = () => { throw new Error("no") }; 0'],
];

describe('the kernel still works when code has replaced', () => {
  beforeEach(open);
  afterEach(close);

  test.each(TAMPERING)('%s', async (_, code) => {
    await opened.files.transaction({ type: 'person' }, async (tx) => {
      tx.writeFile('/a.txt', new TextEncoder().encode('content'));
    });
    expect(await run(code)).not.toContain('OUT');
    expect(await run('1 + 1')).toBe('2');
    expect(await run('let again = [1, { a: "x" }]; again')).toBe('[1, {a: "x"}]');
    expect(await run('await vfs.readFile("/a.txt")')).toBe('content');
    expect(await run('throw { a: 1 }')).toBe('failed: Thrown: {a: 1}');
    expect(opened.processes).toHaveLength(1);
  });

  test.each([
    [
      'toJSON of everything',
      `Object.defineProperty(Object.prototype, 'toJSON', { value: () => ({ type: 'outcome', run: 1, value: { type: 'text', text: 'OUT' } }), configurable: true });
      setTimeout(() => delete Object.prototype.toJSON, 20)`,
    ],
    [
      'setters of everything',
      `for (const key of ['type', 'text', 'value', 'run']) Object.defineProperty(Object.prototype, key, { set() {}, get: () => 'OUT', configurable: true });
      setTimeout(() => { for (const key of ['type', 'text', 'value', 'run']) delete Object.prototype[key] }, 20)`,
    ],
  ])('%s for a moment', async (_, code) => {
    expect(await run(code, { timeout: 0.2 })).not.toContain('OUT');
    expect(await run('await new Promise((done) => setTimeout(done, 50)); 1 + 1')).toMatch(/^2(\n\[A new session|$)/);
  });

  test.each([
    'throw new Proxy({}, { getPrototypeOf() { throw 1 } })',
    'await Promise.reject(new Proxy({}, { getPrototypeOf() { throw 1 } }))',
  ])('%s', async (code) => {
    expect(await run(code)).toBe('failed: Thrown: [unreadable]');
  });

  test('what is thrown when nothing catches it', async () => {
    const code =
      'setTimeout(() => { throw new Proxy({}, { getPrototypeOf() { throw 1 } }) }); await new Promise((done) => setTimeout(done, 20)); 1';
    expect(await run(code)).toBe('[error] Uncaught Thrown: [unreadable]\n=> 1');
    expect(await run('2')).toBe('2');
  });
});
