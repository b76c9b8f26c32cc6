import { describe, expect, test } from 'vitest';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import type { ConsoleLine, JavaScriptOutcome } from '../capabilities/rendered-value.ts';
import type { JavaScriptEvaluator } from '../capabilities/sandbox.ts';
import type { CallTool } from '../core/tool.ts';
import { ToolFailure, type ToolOutput } from '../core/tool-call.ts';
import { NOTHING_KNOWN } from '../execution/known-files.ts';
import { testCapabilities } from '../test/run-tool.ts';
import { browserJsEval, JS_EVAL_TIMEOUT_MS, NEW_SESSION, processJsEval } from './browser-js-eval.ts';

const noTool: CallTool = () => Promise.reject(new Error('no other tool'));

function run(
  input: unknown,
  evaluator: JavaScriptEvaluator,
  abortSignal = new AbortController().signal,
  callTool: CallTool = noTool,
  hasRunBefore = true,
  tool = browserJsEval,
) {
  const parsed = tool.parse(input);
  if (!parsed.success) throw new Error(JSON.stringify(parsed.issues));
  return tool.execute(parsed.data, {
    ...testCapabilities(new MemoryFileSystem(), { sandbox: evaluator }),
    toolCallId: 'call',
    author: { type: 'call', toolCallId: 'call' },
    abortSignal,
    known: NOTHING_KNOWN,
    earlierResults: () => [],
    report: () => undefined,
    offered: () => [],
    hasRunBefore: () => hasRunBefore,
    callTool,
  });
}

const outcomeOf = (outcome: JavaScriptOutcome): Promise<ToolOutput> =>
  run({ code: 'code' }, { evaluate: async () => outcome });

describe('browser_js_eval', () => {
  test('passes on the code unchanged, with the time limit and the abort signal', async () => {
    const code = ' const a = `x`;\n"</script>${" ';
    const { signal } = new AbortController();
    const given: unknown[] = [];
    const evaluate: JavaScriptEvaluator['evaluate'] = async (...all) => {
      given.push(...all);
      return { console: [] };
    };
    await run({ code }, { evaluate }, signal);
    expect(given).toEqual([
      code,
      { abortSignal: signal, timeoutMs: JS_EVAL_TIMEOUT_MS, files: expect.anything(), fetch: expect.any(Function) },
    ]);
  });

  const number = (value: number) => ({ type: 'text', text: String(value) }) as const;
  const string = (text: string) => ({ type: 'string', text, length: text.length }) as const;
  const line = (level: ConsoleLine['level'], ...texts: string[]) => ({ level, values: texts.map(string) });

  test.each<[string, JavaScriptOutcome, string]>([
    ['a value', { value: number(42), console: [] }, '42'],
    ['no value', { console: [] }, 'undefined'],
    [
      'a value and console lines',
      { value: number(3), console: [line('log', 'one'), line('log', 'two\nlines', 'more')] },
      'one\ntwo\nlines more\n=> 3',
    ],
    [
      'levels other than log',
      { value: number(1), console: [line('error', 'bad'), line('warn', 'hm')] },
      '[error] bad\n[warn] hm\n=> 1',
    ],
    ['console lines without a value', { console: [line('log', 'only')] }, 'only'],
    [
      'console lines and undefined',
      { value: { type: 'text', text: 'undefined' }, console: [line('log', 'only')] },
      'only',
    ],
    ['an empty text', { value: string(''), console: [] }, ''],
    [
      'the first value of a session',
      { value: number(1), console: [], isNewSession: true },
      '1\n[A new session began with this call: nothing from earlier calls is available.]',
    ],
  ])('the model reads %s as it would in a console', async (_, outcome, content) => {
    expect((await outcomeOf(outcome)).content).toBe(content);
  });

  test('[R8] the outcome is passed on as structured data for the card', async () => {
    const outcome: JavaScriptOutcome = { value: string('{"lc":1}'), console: [line('info', '<b>')] };
    expect((await outcomeOf(outcome)).data).toEqual(outcome);
  });

  test('the model may set the time limit, within bounds', async () => {
    const given: number[] = [];
    const evaluate: JavaScriptEvaluator['evaluate'] = async (_code, { timeoutMs }) => {
      given.push(timeoutMs);
      return { console: [] };
    };
    await run({ code: '1', timeout: 0.5 }, { evaluate });
    await run({ code: '1', timeout: 120 }, { evaluate });
    expect(given).toEqual([500, 120_000]);
    expect(browserJsEval.parse({ code: '1', timeout: 100_000 })).toMatchObject({ data: { timeout: 120 } });
    expect(browserJsEval.parse({ code: '1', timeout: 0 })).toMatchObject({ data: { timeout: 0.1 } });
  });

  test('an exception or a timeout of the code is passed on from the evaluator', async () => {
    const failure = new ToolFailure('timed-out', 'It ran too long.');
    await expect(run({ code: 'for(;;);' }, { evaluate: () => Promise.reject(failure) })).rejects.toBe(failure);
  });

  test.each([{}, { code: '' }, { code: 7 }])('[R5] %j is not accepted as input', (input) => {
    expect(browserJsEval.parse(input).success).toBe(false);
  });

  test('[R5] is an execution, so it asks unless the user has set otherwise', () => {
    expect(browserJsEval.effect).toBe('execute');
  });

  test('a new session is not mentioned in the first call of a conversation, which cannot miss anything', async () => {
    const first = (evaluate: JavaScriptEvaluator['evaluate']) =>
      run({ code: 'code' }, { evaluate }, new AbortController().signal, noTool, false);
    const value = await first(async () => ({ value: number(1), console: [], isNewSession: true }));
    expect(value).toMatchObject({ content: '1', data: { isNewSession: true } });
    const failure = new ToolFailure('failed', `Error: no\n${NEW_SESSION}`);
    await expect(first(() => Promise.reject(failure))).rejects.toMatchObject({ code: 'failed', message: 'Error: no' });
  });

  const messageFor = async (message: string): Promise<string> => {
    const evaluate = () => Promise.reject(new ToolFailure('failed', message));
    const failure = await run({ code: 'code' }, { evaluate }).catch((error: unknown) => error);
    return failure instanceof ToolFailure && failure.code === 'failed' ? failure.message : '';
  };

  test.each([
    ['ReferenceError: isPrime is not defined\n    at line 2: isPrime(i)', 'isPrime'],
    ["ReferenceError: Can't find variable: isPrime", 'isPrime'],
    ['printed\nReferenceError: größe is not defined', 'größe'],
  ])('%s: the model is told to define it', async (message, name) => {
    expect(await messageFor(message)).toBe(
      `${message}\n[Define ${name} in the code: the only built-ins are those of JavaScript and browsers.]`,
    );
  });

  test.each([
    'TypeError: x is not a function',
    "ReferenceError: Cannot access 'x' before initialization",
    'Error: the column a b is not defined',
  ])('%s is passed on as it is', async (message) => {
    expect(await messageFor(message)).toBe(message);
  });

  test('long code without a value is looked at in linear time', async () => {
    for (const code of [`1;${'\n'.repeat(300_000)}void 0`, `${'var x=1;'.repeat(40_000)}\nvoid 0`])
      expect(await run({ code }, { evaluate: async () => ({ console: [] }) })).toMatchObject({ content: 'undefined' });
  });

  test.each<[string, JavaScriptOutcome, string]>([
    [
      'const a = 1;\nconst days = a / 2;',
      { console: [] },
      'undefined\n[A declaration has no value. To get it, end the code with days.]',
    ],
    [
      'let größe = [1, 2]; ',
      { console: [] },
      'undefined\n[A declaration has no value. To get it, end the code with größe.]',
    ],
    ['let a=1; const b=2', { console: [] }, 'undefined\n[A declaration has no value. To get it, end the code with b.]'],
    ['const days = 1; days', { console: [], value: number(1) }, '1'],
    ['const days = 1; console.log(days); const x = 1', { console: [line('log', '1')] }, '1'],
    ['letter = 1; await go()', { console: [] }, 'undefined'],
  ])('%s: a declaration at the end is pointed out if there is nothing else', async (code, outcome, text) => {
    expect(await run({ code }, { evaluate: async () => outcome })).toMatchObject({ content: text });
  });
});

describe('browser_js_eval on a host without a browser', () => {
  const inProcess = (evaluate: JavaScriptEvaluator['evaluate'], hasRunBefore = true): Promise<ToolOutput> =>
    run({ code: 'code' }, { evaluate }, new AbortController().signal, noTool, hasRunBefore, processJsEval);
  const IN_PROCESS = '[This ran in a separate process without a browser: there is no document and no window.]';
  const value = { type: 'text', text: '1' } as const;

  test('is the same tool, which promises no DOM', () => {
    const { description, ...same } = processJsEval;
    const { description: inBrowser, ...expected } = browserJsEval;
    expect(JSON.stringify(same)).toBe(JSON.stringify(expected));
    expect(description).toContain('There is no DOM (no document, no window), no network');
    expect(description).not.toMatch(/browser window|There is a DOM/);
    expect(inBrowser).toContain(
      'It runs in a sandboxed browser window of its own. Top-level await works. Declarations persist for later calls in this conversation and may be redeclared; the result says when a new session began. There is a DOM (document, canvas), but no network, storage, dialogs or modules by URL. await vfs.readFile(path)',
    );
  });

  test.each<[string, JavaScriptOutcome, boolean, string]>([
    ['first', { value, console: [], isNewSession: true, place: 'process' }, false, `1\n${IN_PROCESS}`],
    [
      'first of a later session',
      { value, console: [], isNewSession: true, place: 'process' },
      true,
      `1\n${NEW_SESSION}\n${IN_PROCESS}`,
    ],
    ['second', { value, console: [], place: 'process' }, true, '1'],
  ])('the %s result of a session says where the code ran, or not', async (_, outcome, hasRunBefore, content) => {
    expect(await inProcess(async () => outcome, hasRunBefore)).toMatchObject({ content, data: outcome });
  });

  test('a name that is not defined is not promised by a browser', async () => {
    const failure = new ToolFailure('failed', 'ReferenceError: document is not defined\n    at line 1: document');
    await expect(inProcess(() => Promise.reject(failure))).rejects.toMatchObject({
      message: `${failure.message}\n[Define document in the code: the only built-ins are those of JavaScript, without a document, a window, or modules of Node.js.]`,
    });
  });
});

test('code in a worker of the browser says so in each result', async () => {
  const { content } = await outcomeOf({ value: { type: 'text', text: '1' }, console: [], hasNoDom: true });
  expect(content).toBe('1\n[This browser runs the code in a worker: there is no document and no window.]');
});
