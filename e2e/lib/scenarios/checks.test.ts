import { describe, expect, test } from 'vitest';
import type { AssistantMessage, AssistantPart } from '#lib/messages/message.ts';
import type { ToolErrorCode } from '#lib/tools/core/tool-call.ts';
import { checkScenario, type FailureKind, failureKindOf, textOf } from './checks.ts';
import { type CallExpectation, parseScenario, type Scenario } from './scenario.ts';

const SCENARIO = parseScenario(
  `
title: A scenario
variants:
  - language: en
    prompts: [Do it.]
expect: {}
`,
  'scenario.yaml',
);

const STEP: AssistantPart = {
  type: 'step',
  model: 'm',
  provider: 'p',
  promptHash: '',
  settings: { systemPrompt: '', toolsets: [], toolCalling: 'native', budgetTokens: 1, lastStep: false },
  notices: [],
};

const text = (content: string): AssistantPart => ({ type: 'text', text: content });

/** A call with the given outcome: success, an error with that code, or no result. */
function call(
  toolName: string,
  input: unknown,
  outcome: ToolErrorCode | 'success' | 'pending' = 'success',
): AssistantPart {
  const base = { toolCallId: toolName, toolName };
  const part: AssistantPart = { type: 'tool-call', ...base, inputState: 'complete', input };
  if (outcome === 'pending') return part;
  if (outcome === 'success') return { ...part, result: { type: 'tool-result', ...base, output: { content: '' } } };
  return { ...part, result: { type: 'tool-error', ...base, code: outcome, message: '' } };
}

const turn = (parts: AssistantPart[], status: AssistantMessage['status'] = { type: 'done' }): AssistantMessage => ({
  id: 'turn',
  role: 'assistant',
  createdAt: 1,
  parts,
  status,
});

interface Check {
  expects?: Partial<Scenario['expect']>;
  prompts?: string[];
  answer?: RegExp[];
  turns?: AssistantMessage[];
  files?: Record<string, string>;
}

function check({ expects = {}, prompts = ['Do it.'], answer = [], turns = [turn([])], files = {} }: Check): string[] {
  const scenario: Scenario = { ...SCENARIO, expect: { ...SCENARIO.expect, ...expects } };
  return checkScenario(scenario, { language: 'en', prompts, answer }, { turns, files: new Map(Object.entries(files)) });
}

const expected = (
  tool: string,
  input: Record<string, RegExp> = {},
  outcome: CallExpectation['outcome'] = 'success',
) => ({
  tool,
  input,
  outcome,
});

describe('turns', () => {
  test('a turn that is done passes', () => {
    expect(check({})).toEqual([]);
  });

  test('a failed turn is reported with its problem', () => {
    const failed = turn([], { type: 'failed', problem: { code: 'stream-broken', detail: 'It broke.' } });
    expect(check({ turns: [failed] })).toEqual(['a turn failed: stream-broken: It broke.']);
  });

  test.each<AssistantMessage['status']>([{ type: 'stopped' }, { type: 'waiting' }, { type: 'running', runId: 'r' }])(
    'a turn that is $type is not done',
    (status) => expect(check({ turns: [turn([], status)] })).toEqual([`a turn is ${status.type}`]),
  );

  test('a turn that is not the last counts too', () => {
    const turns = [turn([], { type: 'stopped' }), turn([])];
    expect(check({ prompts: ['a', 'b'], turns })).toEqual(['a turn is stopped']);
  });

  test('prompts without an answer, and answers without a prompt, are reported', () => {
    expect(check({ prompts: ['a', 'b'] })).toEqual(['expected answers to 2 prompts, but got 1']);
    expect(check({ turns: [] })).toEqual(['expected answers to 1 prompts, but got 0']);
    expect(check({ prompts: ['a', 'b'], turns: [turn([]), turn([])] })).toEqual([]);
  });
});

describe('calls in sequence', () => {
  const turns = [
    turn([
      STEP,
      call('list_directory', { path: '/src' }),
      call('read_file', { path: '/src/a.ts' }),
      call('write_file', { path: '/src/a.ts', content: 'New' }),
    ]),
  ];

  test('pass in order, with others between them', () => {
    const calls = [expected('list_directory'), expected('write_file', { path: /a\.ts$/, content: /^new$/i })];
    expect(check({ expects: { calls }, turns })).toEqual([]);
  });

  test('fail in another order, with the missing call and the actual ones', () => {
    const calls = [expected('write_file'), expected('list_directory')];
    expect(check({ expects: { calls }, turns })).toEqual([
      'no call of list_directory with outcome success, in this order; the calls were: list_directory (success), read_file (success), write_file (success)',
    ]);
  });

  test('one call is not counted twice', () => {
    const calls = [expected('read_file'), expected('read_file')];
    expect(check({ expects: { calls }, turns })).toHaveLength(1);
  });

  test('fail if there were none', () => {
    expect(check({ expects: { calls: [expected('read_file')] } })).toEqual([
      'no call of read_file with outcome success, in this order; the calls were: none',
    ]);
  });

  test('may be spread over several turns', () => {
    const two = [turn([call('read_file', {})]), turn([call('write_file', {})])];
    const calls = [expected('read_file'), expected('write_file')];
    expect(check({ expects: { calls }, prompts: ['a', 'b'], turns: two })).toEqual([]);
  });
});

describe('calls as a set', () => {
  const order = 'set' as const;
  const turns = [turn([call('read_file', { path: '/b' }), call('read_file', { path: '/a' })])];

  test('pass in any order', () => {
    const calls = [expected('read_file', { path: /a/ }), expected('read_file', { path: /b/ })];
    expect(check({ expects: { order, calls }, turns })).toEqual([]);
  });

  test('fail one by one, and one call is not counted twice', () => {
    const calls = [expected('read_file', { path: /a/ }), expected('read_file', { path: /a/ }), expected('write_file')];
    const failures = check({ expects: { order, calls }, turns });
    expect(failures).toHaveLength(2);
    expect(failures[1]).toContain('no call of write_file with outcome success, in any order');
  });

  test('pass if each matches some call, although an expectation that matches any call comes first', () => {
    const calls = [expected('read_file'), expected('read_file', { path: /b/ })];
    expect(check({ expects: { order, calls }, turns })).toEqual([]);
  });
});

describe('what matches a call', () => {
  const fits = (expectation: CallExpectation, ...parts: AssistantPart[]): boolean =>
    check({ expects: { calls: [expectation] }, turns: [turn(parts)] }).length === 0;

  test('its whole name, not just the beginning', () => {
    expect(fits(expected('read'), call('read_file', {}))).toBe(false);
  });

  test.each<ToolErrorCode>(['denied', 'invalid-input', 'interrupted', 'failed'])('its outcome: %s', (outcome) => {
    expect(fits(expected('f', {}, outcome), call('f', {}, outcome))).toBe(true);
    expect(fits(expected('f', {}, outcome), call('f', {}))).toBe(false);
    expect(fits(expected('f'), call('f', {}, outcome))).toBe(false);
  });

  test('a call without a result is neither a success nor an error', () => {
    expect(fits(expected('f'), call('f', {}, 'pending'))).toBe(false);
    expect(fits(expected('f', {}, 'failed'), call('f', {}, 'pending'))).toBe(false);
  });

  test('arguments that are not text as JSON, missing ones as null', () => {
    const part = call('f', { n: 7, list: ['a'], nothing: null });
    expect(fits(expected('f', { n: /^7$/, list: /\["a"\]/, nothing: /^null$/, missing: /^null$/ }), part)).toBe(true);
    expect(fits(expected('f', { n: /^8$/ }), part)).toBe(false);
  });

  test('a built-in property name is an argument only if the call has it', () => {
    expect(fits(expected('f', { constructor: /function|Object/ }), call('f', {}))).toBe(false);
  });

  test('a call whose arguments are not an object has none', () => {
    for (const input of ['text', null, undefined]) {
      expect(fits(expected('f'), call('f', input))).toBe(true);
      expect(fits(expected('f', { path: /^text|\/$/ }), call('f', input))).toBe(false);
    }
  });
});

describe('files', () => {
  const files = { '/a.txt': 'Alpha and omega', '/b.txt': 'beta' };

  test('pass if they match and do not match as they should', () => {
    const wanted = { '/a.txt': { matches: [/alpha/i, /omega$/], notMatches: [/beta/] } };
    expect(check({ expects: { files: wanted }, files })).toEqual([]);
  });

  test('fail with each pattern that does not hold', () => {
    const wanted = { '/a.txt': { matches: [/alpha/, /omega/], notMatches: [/Alpha/] } };
    expect(check({ expects: { files: wanted }, files })).toEqual([
      '/a.txt does not match /alpha/',
      '/a.txt matches /Alpha/, but should not',
    ]);
  });

  test('that are missing fail with a list of the existing ones', () => {
    const wanted = { '/c.txt': { matches: [/x/], notMatches: [] } };
    expect(check({ expects: { files: wanted }, files })).toEqual([
      '/c.txt does not exist; the files are: /a.txt, /b.txt',
    ]);
  });

  test('that should be absent pass if they are, and fail if they exist, even if empty', () => {
    const wanted = { '/b.txt': 'absent' as const };
    expect(check({ expects: { files: wanted } })).toEqual([]);
    expect(check({ expects: { files: wanted }, files: { '/b.txt': '' } })).toEqual(['/b.txt exists, but should not']);
  });
});

describe('the answer', () => {
  test('is the text of the last turn', () => {
    const turns = [turn([text('first')]), turn([STEP, text('The second'), STEP, text('answer.')])];
    expect(check({ prompts: ['a', 'b'], turns, answer: [/second\s+answer/] })).toEqual([]);
    expect(check({ prompts: ['a', 'b'], turns, answer: [/first/] })).toEqual([
      'the answer does not match /first/: "\\nThe second\\n\\nanswer."',
    ]);
  });

  test('does not include thoughts or calls', () => {
    const parts: AssistantPart[] = [{ type: 'reasoning', text: 'secret' }, call('f', { a: 'secret' })];
    expect(check({ turns: [turn(parts)], answer: [/secret/] })).toHaveLength(1);
  });

  test('is quoted only in part if it is long', () => {
    const [failure] = check({ turns: [turn([text('x'.repeat(10_000))])], answer: [/y/] });
    expect(failure?.length).toBeLessThan(400);
  });

  test('is empty without a turn', () => {
    expect(textOf(undefined)).toBe('');
  });
});

describe('steps', () => {
  const turns = [turn([STEP, text('a'), STEP]), turn([STEP])];

  test('of all turns together must not exceed the limit', () => {
    expect(check({ prompts: ['a', 'b'], expects: { maxSteps: 3 }, turns })).toEqual([]);
    expect(check({ prompts: ['a', 'b'], expects: { maxSteps: 2 }, turns })).toEqual([
      '3 steps were taken, at most 2 are allowed',
    ]);
  });
});

test('all failed expectations are reported, not only the first', () => {
  const failures = check({
    expects: { calls: [expected('f')], files: { '/a': { matches: [/x/], notMatches: [] } } },
    answer: [/y/],
    turns: [turn([], { type: 'stopped' })],
  });
  expect(failures).toHaveLength(4);
});

describe('the kind of a failure is what went wrong first', () => {
  const doneTurn = (...calls: [tool: string, code?: 'invalid-input'][]): AssistantMessage => ({
    id: 'a',
    role: 'assistant',
    createdAt: 0,
    status: { type: 'done' },
    parts: calls.map(([toolName, code], index) => ({
      type: 'tool-call',
      toolCallId: `${index}`,
      toolName,
      inputState: 'complete',
      input: {},
      result:
        code === undefined
          ? { type: 'tool-result', toolCallId: `${index}`, toolName, output: { content: '' } }
          : { type: 'tool-error', toolCallId: `${index}`, toolName, code, message: '' },
    })),
  });
  const missing = 'no call of write_file with outcome success, in this order; the calls were: none';

  test.each<[FailureKind | undefined, string[], AssistantMessage[]]>([
    [undefined, [], [doneTurn()]],
    ['studio', ['the studio could not be used: gone'], []],
    ['turn', ['a turn is stopped', missing], [{ ...doneTurn(), status: { type: 'stopped' } }]],
    ['prose', [missing, '/a does not exist; the files are: '], [doneTurn()]],
    ['invalid-call', [missing], [doneTurn(['write_file', 'invalid-input'])]],
    ['call', [missing], [doneTurn(['read_file'])]],
    ['file', ['/a does not exist; the files are: '], [doneTurn(['write_file'])]],
    ['answer', ['the answer does not match /x/: ""'], [doneTurn(['write_file'])]],
    ['steps', ['9 steps were taken, at most 6 are allowed'], [doneTurn(['write_file'])]],
  ])('%s', (kind, failures, turns) => {
    expect(failureKindOf(failures, turns)).toBe(kind);
  });
});
