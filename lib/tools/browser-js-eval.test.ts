import { describe, expect, test } from 'vitest';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import { browserJsEval, JS_EVAL_TIMEOUT_MS } from './browser-js-eval.ts';
import { testCapabilities } from './test/run-tool.ts';
import { type JavaScriptEvaluator, type JavaScriptOutcome, ToolFailure, type ToolOutput } from './tool.ts';

function run(input: unknown, evaluator: JavaScriptEvaluator, abortSignal = new AbortController().signal) {
  return browserJsEval.execute(browserJsEval.inputSchema.parse(input), {
    ...testCapabilities(new MemoryFileSystem(), { evaluator }),
    toolCallId: 'call',
    abortSignal,
  });
}

const outcomeOf = (outcome: JavaScriptOutcome): Promise<ToolOutput> =>
  run({ code: 'code' }, { evaluate: async () => outcome });

describe('browser_js_eval', () => {
  test('hands the code on as it is, with the time limit and the signal that stops it', async () => {
    const code = ' const a = `x`;\n"</script>${" ';
    const { signal } = new AbortController();
    const given: unknown[] = [];
    const evaluate: JavaScriptEvaluator['evaluate'] = async (...all) => {
      given.push(...all);
      return { value: '1', console: [] };
    };
    await run({ code }, { evaluate }, signal);
    expect(given).toEqual([code, { abortSignal: signal, timeoutMs: JS_EVAL_TIMEOUT_MS }]);
  });

  test.each<[string, JavaScriptOutcome, string]>([
    ['a value', { value: '42', console: [] }, '42'],
    ['no value', { console: [] }, 'undefined'],
    [
      'a value and lines',
      {
        value: '3',
        console: [
          { level: 'log', text: 'one' },
          { level: 'log', text: 'two\nlines' },
        ],
      },
      'one\ntwo\nlines\n=> 3',
    ],
    [
      'levels other than log',
      {
        value: '1',
        console: [
          { level: 'error', text: 'bad' },
          { level: 'warn', text: 'hm' },
        ],
      },
      '[error] bad\n[warn] hm\n=> 1',
    ],
    ['lines without a value', { console: [{ level: 'log', text: 'only' }] }, 'only'],
    ['lines and undefined', { value: 'undefined', console: [{ level: 'log', text: 'only' }] }, 'only'],
    ['an empty text', { value: '""', console: [] }, '""'],
  ])('the model reads %s as it would in a console', async (_, outcome, content) => {
    expect((await outcomeOf(outcome)).content).toBe(content);
  });

  test('[R8] the outcome goes on as data, for the card, in its own structure', async () => {
    const outcome: JavaScriptOutcome = { value: '{"lc":1}', console: [{ level: 'info', text: '<b>' }] };
    expect((await outcomeOf(outcome)).data).toEqual(outcome);
  });

  test('an exception or a time-out of the code comes out as the evaluator says it', async () => {
    const failure = new ToolFailure('timed-out', 'It ran too long.');
    await expect(run({ code: 'for(;;);' }, { evaluate: () => Promise.reject(failure) })).rejects.toBe(failure);
  });

  test.each([{}, { code: '' }, { code: 7 }])('[R5] %j is not accepted as input', (input) => {
    expect(browserJsEval.inputSchema.safeParse(input).success).toBe(false);
  });

  test('[R5] is an execution, so that it asks unless the person said otherwise', () => {
    expect(browserJsEval.effect).toBe('execute');
  });
});
