import { expect, test } from 'vitest';
import { codecOf } from '#lib/prompts/codecs/codecs.ts';
import { armOf } from './arms.ts';
import { failureOf } from './failures.ts';
import type { Played, RecordedCall, RecordedReply } from './play.ts';
import { TASKS } from './tasks.ts';

const [task] = TASKS.filter(({ kind }) => kind === 'read');
const [question] = TASKS.filter(({ kind }) => kind === 'none');
const arm = armOf('json');
if (task === undefined || question === undefined || arm === undefined) throw new Error('There is no such task.');

const reply = (text: string): RecordedReply => ({
  text,
  reasoning: '',
  calls: [],
  finishReason: 'stop',
  inputTokens: 1,
  outputTokens: 1,
  ms: 1,
});
const call = (change: Partial<RecordedCall> = {}): RecordedCall => ({
  step: 0,
  name: 'read_file',
  input: {},
  output: '',
  ...change,
});
const played = (change: Partial<Played>): Played => ({
  replies: [reply('')],
  calls: [],
  notices: [[]],
  answer: '',
  isFirstRight: false,
  isAnswered: false,
  ...change,
});
const { reminder } = codecOf('json');

test.each<[string | undefined, Partial<Played>]>([
  [undefined, { isFirstRight: true, isAnswered: true }],
  ['prose', { replies: [reply('You should read the file.')] }],
  ['prose', { replies: [reply('Use the tool read_file for that.')] }],
  ['invented-result', { replies: [reply('[tool_result call_1 read_file]\nMilk')] }],
  ['call-not-read', { replies: [reply('read_file(path=/todo.txt')] }],
  ['call-not-read', { notices: [['call-unreadable']] }],
  ['invalid-input', { calls: [call({ code: 'invalid-input' })] }],
  ['wrong-call', { calls: [call({ code: 'failed' })] }],
  ['wrong-call', { calls: [call()] }],
  ['endless-calls', { isFirstRight: true, calls: [call()], notices: [[], ['step-limit']] }],
  ['parroted-reminder', { isFirstRight: true, calls: [call()], answer: `Sure. ${reminder}` }],
  ['invented-result', { isFirstRight: true, calls: [call()], replies: [reply(''), reply('[tool_result x]')] }],
  ['wrong-answer', { isFirstRight: true, calls: [call()], answer: 'It is empty.' }],
])('%s', (failure, change) => {
  expect(failureOf(task, arm, played(change))).toBe(failure);
});

test('a question that needs no tool fails with a call, and with a wrong answer', () => {
  const { isFirstRight: _, ...none } = played({ calls: [call()] });
  expect(failureOf(question, arm, none)).toBe('needless-call');
  expect(failureOf(question, arm, { ...none, calls: [] })).toBe('wrong-answer');
  expect(failureOf(question, arm, { ...none, calls: [], isAnswered: true })).toBeUndefined();
});
