import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { REPL_CASES } from '#lib/sandbox/test/repl-cases.ts';
import type { CallTool } from '#lib/tools/core/tool.ts';
import { OpenedSandbox } from './test/opened-sandbox.ts';

const NEW = '[A new session began with this call: nothing from earlier calls is available.]';
const IN_PROCESS = '[This ran in a separate process without a browser: there is no document and no window.]';
const NEXT = `2\n${NEW}\n${IN_PROCESS}`;

let opened: OpenedSandbox;

beforeEach(() => {
  opened = new OpenedSandbox();
});
afterEach(() => opened.sandbox.close());

const run: OpenedSandbox['run'] = (...given) => opened.run(...given);

/** Resolves when the code that is running has printed something. */
const hasPrinted = () =>
  vi.waitFor(() => expect(opened.sandbox.record.getEntries().at(-1)).toMatchObject({ type: 'printed' }), 4_000);

async function runAll(pieces: readonly string[]): Promise<string[]> {
  const results: string[] = [];
  for (const code of pieces) results.push(await run(code));
  return results;
}

describe('code in a process', () => {
  test('continues where earlier code of the session ended, as in a browser', async () => {
    await run('0');
    const cases = REPL_CASES.filter(([, , needs]) => needs === undefined);
    const results = await runAll(cases.map(([code]) => code));
    const wrong = cases.flatMap(([code, expected], index) => {
      const result = results[index] ?? '';
      const fits = typeof expected === 'string' ? result === expected : expected.test(result);
      return fits ? [] : [{ code, expected: String(expected), result: result.slice(0, 500) }];
    });
    expect(wrong).toEqual([]);
    expect(cases.length).toBeGreaterThanOrEqual(80);
    expect(opened.processes).toHaveLength(1);
  });

  test('says in the first result of each session, and only there, that there is no document', async () => {
    expect(await runAll(['1 + 1', '1 + 1'])).toEqual([`2\n${IN_PROCESS}`, '2']);
    opened.processes[0]?.kill('SIGKILL');
    await opened.ended(0);
    expect(await runAll(['1 + 1', '1 + 1'])).toEqual([NEXT, '2']);
  });

  test('works on the workspace’s files as tools do', async () => {
    await opened.files.transaction({ type: 'person' }, async (tx) => {
      tx.writeFile('/notes/a.txt', new TextEncoder().encode('one 🙂'));
    });
    await run('0');
    expect(
      await runAll([
        'await vfs.readFile("/notes/a.txt")',
        'await vfs.writeFile("/notes/b.txt", (await vfs.readFile("/notes/a.txt")).toUpperCase())',
        'await vfs.list("/notes")',
        'await vfs.readFile("/none")',
        'await vfs.writeFile("/../x", "out")',
        'await vfs.writeFile("/large.txt", "x".repeat(1_000_001))',
        'await vfs.writeFile("/large.txt", "\\n".repeat(1_000_000))',
        '(await vfs.readFile("/large.txt")).length',
      ]),
    ).toEqual([
      'one 🙂',
      'undefined',
      '[{name: "a.txt", type: "file", size: 8}, {name: "b.txt", type: "file", size: 8}]',
      expect.stringMatching(/^failed: Error: .*\/none/),
      expect.stringMatching(/^failed: Error: .*above the workspace root/),
      expect.stringMatching(/^failed: RangeError: At most 1000000 characters/),
      'undefined',
      '1000000',
    ]);
  });

  test('that asks the user does not lose the time until the answer', async () => {
    const callTool: CallTool = async (toolName, _input, onWait) => {
      onWait?.(true);
      await new Promise((resolve) => setTimeout(resolve, 400));
      onWait?.(false);
      return { toolCallId: 'call/1', toolName, type: 'tool-result', output: { content: 'written' } };
    };
    await run('0');
    expect(await run('await vfs.writeFile("/a", "b"); 1', { timeout: 0.3, callTool })).toBe('1');
  });

  test('shows the line of an error in a function of an earlier call', async () => {
    expect((await runAll(['0', 'function f(x) {\n  return x.y.z;\n}', 'f({})']))[2]).toMatch(
      /^failed: TypeError: .*\n {4}at line 2 of an earlier call: return x\.y\.z;$/,
    );
  });

  test('keeps what a timer prints for the call that is running then', async () => {
    await run('let ticks = 0; const timer = setInterval(() => console.log("tick", ++ticks), 5)');
    const result = await run(
      'const before = ticks; while (ticks < before + 3) await new Promise((resolve) => setTimeout(resolve, 1)); clearInterval(timer); before',
    );
    // It may have ticked before this call began.
    const before = Number(/\d+$/.exec(result)?.[0]);
    expect(result).toContain(`tick ${before + 3}`);
  });

  test('runs one piece after the other', async () => {
    const results = await Promise.all([
      run('let order = ["first"]; await new Promise((resolve) => setTimeout(resolve, 50)); order.push("end"); 0'),
      run('order.push("second"); order'),
    ]);
    expect(results[1]).toBe('["first", "end", "second"]');
  });
});

describe('code that does not end', () => {
  test.each([
    ['a loop', 'console.log("so far"); for (;;);'],
    ['a promise', 'console.log("so far"); await new Promise(() => {})'],
    [
      'promises',
      'console.log("so far"); (function next() { Promise.resolve().then(next) })(); await new Promise(() => {})',
    ],
    ['a pattern', 'console.log("so far"); /^(a+)+$/.test("a".repeat(40) + "b")'],
  ])(
    '%s is killed at the time limit, with what it has printed, and the next call starts a new session',
    async (_, code) => {
      await run('let kept = 1');
      const result = await run(code, { timeout: 0.2 });
      expect(result).toMatch(/^timed-out: The code ran longer than 0\.2 seconds and was stopped\./);
      expect(result).toMatch(
        /The session has ended, and everything declared in it is gone\.\nPrinted so far:\nso far$/,
      );
      expect(await opened.ended(0)).toBe('SIGKILL');
      expect(await run('typeof kept')).toBe(`undefined\n${NEW}\n${IN_PROCESS}`);
    },
  );

  test('ends when the user stops it', async () => {
    await run('0');
    const stop = new AbortController();
    const stopped = run('console.log("started"); for (;;);', { abortSignal: stop.signal });
    await hasPrinted();
    stop.abort();
    expect(await stopped).toBe('aborted: Stopped by the user while it was running.\nPrinted so far:\nstarted');
    expect(await opened.ended(0)).toBe('SIGKILL');
    expect(await run('1 + 1')).toBe(NEXT);
  });

  test('that prints without end is stopped with a bounded result', async () => {
    const result = await run('for (;;) console.log("x".repeat(1000))', { timeout: 0.5 });
    expect(result).toMatch(/^timed-out:/);
    expect(result).toContain('[more output was dropped]');
    expect(result.length).toBeLessThan(250_000);
  });
});

describe('code that needs too much', () => {
  test('memory ends the session with the reason, and the next call starts a new one', async () => {
    const result = await run('const list = []; for (;;) list.push(new Array(1e4).fill(list.length))', { timeout: 30 });
    expect(result).toBe(
      'failed: The code used too much memory. The session has ended, and everything declared in it is gone.',
    );
    expect(await run('1 + 1')).toBe(NEXT);
  }, 40_000);

  test.each([
    [
      'output of 100 MB',
      'console.log("x".repeat(1e8)); "x".repeat(1e8)',
      /^x{20000}… \[cut at 20000 of 100000000 characters\]\n=> x/,
    ],
    [
      'a deep value',
      'const deep = {}; let at = deep; for (let i = 0; i < 1e5; i++) at = at.next = {}; deep',
      /^\{next: \{next: /,
    ],
    ['a wide value', 'Array.from({ length: 1e5 }, () => ({ a: "x".repeat(1e3) }))', /^\[\{a: "x/],
    ['recursion', '(function f() { f() })()', /^failed: RangeError: Maximum call stack size exceeded/],
    [
      'errors without end',
      'globalThis.timer = setInterval(() => { throw new Error("late") }, 0); await new Promise((resolve) => setTimeout(resolve, 100)); 1',
      /^\[error\] Uncaught Error: late\n {4}at line 1: /,
    ],
  ])('%s leaves the session as it was', async (_, code, expected) => {
    await run('let kept = 1');
    const result = await run(code);
    expect(result).toMatch(expected);
    expect(result.length).toBeLessThan(250_000);
    expect(await run('clearInterval(globalThis.timer); kept')).toMatch(/(^|=> )1$/);
  });
});

describe('a process that ends', () => {
  test('during an evaluation fails it with the reason', async () => {
    await run('0');
    const running = run('console.log("started"); await new Promise(() => {})');
    await hasPrinted();
    opened.processes[0]?.kill('SIGTERM');
    expect(await running).toBe(
      'failed: The process that ran the code ended unexpectedly (SIGTERM). It may have used too much memory. The session has ended, and everything declared in it is gone.\nPrinted so far:\nstarted',
    );
    expect(await run('1 + 1')).toBe(NEXT);
  });
});

describe('a sandbox that is closed', () => {
  test('ends its process and the code in it, and starts no other', async () => {
    await run('0');
    const running = run('console.log("started"); for (;;);');
    const waiting = run('1');
    await hasPrinted();
    opened.sandbox.close();
    expect(await running).toMatch(/^aborted: The session was reset while the code was running\./);
    expect(await waiting).toBe('aborted: The sandbox was closed.');
    expect(await run('1')).toBe('aborted: The sandbox was closed.');
    expect(await opened.ended(0)).toBe('SIGKILL');
    expect(opened.processes).toHaveLength(1);
  });
});
