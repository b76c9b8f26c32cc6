// More than 400 lines: one reducer and every kind of chunk.
import { describe, expect, test } from 'vitest';
import { applyChunk, endUnfinished, pendingCalls } from './apply-chunk.ts';
import type { StudioChunk } from './chunk.ts';
import { type AssistantMessage, assistantMessageSchema, type PromptSettings, type ToolCallPart } from './message.ts';

const EMPTY: AssistantMessage = {
  id: 'turn',
  role: 'assistant',
  createdAt: 1,
  parts: [],
  status: { type: 'running', runId: 'run-1' },
};

const SETTINGS: PromptSettings = {
  systemPrompt: '',
  toolsets: ['files'],
  toolCalling: 'native',
  budgetTokens: 8_000,
  lastStep: false,
};

const START: StudioChunk = { type: 'start', messageId: 'turn', messageMetadata: { runId: 'run-1' } };
const STEP: StudioChunk = {
  type: 'data-step',
  data: { model: 'm', provider: 'p', promptHash: 'h', settings: SETTINGS },
};
const FINISH: StudioChunk = { type: 'finish', messageMetadata: { revision: 'rev-1' } };

const stepEnd = (finishReason = 'stop'): StudioChunk => ({
  type: 'data-step-end',
  data: { finishReason, usage: { inputTokens: 3, outputTokens: 2 }, durationMs: 5, notices: [] },
});

const textOf = (id: string, ...deltas: string[]): StudioChunk[] => [
  { type: 'text-start', id },
  ...deltas.map((delta): StudioChunk => ({ type: 'text-delta', id, delta })),
  { type: 'text-end', id },
];

const callOf = (toolCallId: string, input: unknown, toolName = 'read_file'): StudioChunk[] => [
  { type: 'tool-input-start', toolCallId, toolName },
  { type: 'tool-input-delta', toolCallId, inputTextDelta: JSON.stringify(input) },
  { type: 'tool-input-available', toolCallId, toolName, input },
];

const applyAll = (chunks: readonly StudioChunk[], message = EMPTY, now?: number): AssistantMessage =>
  chunks.reduce((turn, chunk) => applyChunk(turn, chunk, now), message);

const callsIn = (message: AssistantMessage): ToolCallPart[] =>
  message.parts.filter((part) => part.type === 'tool-call');

const textIn = (message: AssistantMessage): string[] =>
  message.parts.flatMap((part) => (part.type === 'text' || part.type === 'reasoning' ? [part.text] : []));

describe('text and reasoning', () => {
  test('grow delta by delta and are closed at the end', () => {
    const open = applyAll([STEP, ...textOf('t', 'Hel', 'lo').slice(0, -1)]);
    expect(open.parts.at(-1)).toEqual({ type: 'text', text: 'Hello', openId: 't' });
    expect(applyChunk(open, { type: 'text-end', id: 't' }).parts.at(-1)).toEqual({ type: 'text', text: 'Hello' });
  });

  test('blocks that are open at the same time each get their own deltas', () => {
    const turn = applyAll([
      { type: 'reasoning-start', id: 'r' },
      { type: 'text-start', id: 't' },
      { type: 'reasoning-delta', id: 'r', delta: 'think' },
      { type: 'text-delta', id: 't', delta: 'say' },
      { type: 'reasoning-delta', id: 'r', delta: 'ing' },
    ]);
    expect(textIn(turn)).toEqual(['thinking', 'say']);
  });

  test('a block whose id recurs in a later step is a new one', () => {
    const turn = applyAll([STEP, ...textOf('0', 'first'), stepEnd('tool-calls'), STEP, ...textOf('0', 'second')]);
    expect(textIn(turn)).toEqual(['first', 'second']);
  });

  test('reasoning is timed from its start to its end', () => {
    let turn = applyChunk(EMPTY, { type: 'reasoning-start', id: 'r' }, 1_000);
    turn = applyChunk(turn, { type: 'reasoning-delta', id: 'r', delta: 'hm' }, 1_400);
    expect(turn.parts).toEqual([{ type: 'reasoning', text: 'hm', openId: 'r', startedAt: 1_000 }]);
    turn = applyChunk(turn, { type: 'reasoning-end', id: 'r' }, 3_500);
    expect(turn.parts).toEqual([{ type: 'reasoning', text: 'hm', durationMs: 2_500 }]);
  });

  test.each<[string, StudioChunk]>([
    ['the step', stepEnd()],
    ['Stop', { type: 'abort' }],
    ['a problem', { type: 'data-problem', data: { code: 'x', detail: 'y' } }],
  ])('reasoning that %s ends is timed until then', (_, end) => {
    const open = applyAll([STEP, { type: 'reasoning-start', id: 'r' }], EMPTY, 1_000);
    expect(applyChunk(open, end, 1_250).parts.at(-1)).toEqual({ type: 'reasoning', text: '', durationMs: 250 });
  });

  test('[R17] provider metadata is kept unchanged, the latest for each part', () => {
    const providerMetadata = { anthropic: { signature: 'abc', nested: [1, { lc: 1 }] } };
    const turn = applyAll([
      { type: 'reasoning-start', id: 'r', providerMetadata: { anthropic: { signature: '' } } },
      { type: 'reasoning-delta', id: 'r', delta: 'hm' },
      { type: 'reasoning-end', id: 'r', providerMetadata },
      { type: 'tool-input-start', toolCallId: 'c', toolName: 'f' },
      { type: 'tool-input-available', toolCallId: 'c', toolName: 'f', input: {}, providerMetadata },
    ]);
    expect(turn.parts).toMatchObject([{ providerMetadata }, { providerMetadata }]);
  });

  test('a delta for a block that is not open changes nothing', () => {
    const turn = applyAll(textOf('t', 'done'));
    expect(applyChunk(turn, { type: 'text-delta', id: 't', delta: 'late' })).toBe(turn);
    expect(applyChunk(turn, { type: 'reasoning-end', id: 'nobody' })).toBe(turn);
  });
});

describe('calls', () => {
  test('show their arguments while they are written, and have them as input when complete', () => {
    const turn = applyAll([
      { type: 'tool-input-start', toolCallId: 'c', toolName: 'read_file' },
      { type: 'tool-input-delta', toolCallId: 'c', inputTextDelta: '{"path"' },
      { type: 'tool-input-delta', toolCallId: 'c', inputTextDelta: ':"/a"}' },
    ]);
    const part = { type: 'tool-call', toolCallId: 'c', toolName: 'read_file' };
    expect(turn.parts).toEqual([{ ...part, inputState: 'streaming', inputText: '{"path":"/a"}' }]);
    const chunk = { toolCallId: 'c', toolName: 'read_file', input: { path: '/a' } };
    expect(applyChunk(turn, { type: 'tool-input-available', ...chunk }).parts).toEqual([
      { ...part, inputState: 'complete', input: { path: '/a' } },
    ]);
  });

  test('that arrive complete, without a start chunk, are added too', () => {
    const turn = applyChunk(EMPTY, { type: 'tool-input-available', toolCallId: 'c', toolName: 'f', input: { a: 1 } });
    expect(turn.parts).toEqual([
      { type: 'tool-call', toolCallId: 'c', toolName: 'f', inputState: 'complete', input: { a: 1 } },
    ]);
  });

  test('that are written concurrently each get their own arguments, in the order they began', () => {
    const turn = applyAll([
      { type: 'tool-input-start', toolCallId: 'a', toolName: 'f' },
      { type: 'tool-input-start', toolCallId: 'b', toolName: 'g' },
      { type: 'tool-input-delta', toolCallId: 'a', inputTextDelta: '1' },
      { type: 'tool-input-delta', toolCallId: 'b', inputTextDelta: '2' },
      { type: 'tool-input-delta', toolCallId: 'a', inputTextDelta: '3' },
    ]);
    expect(callsIn(turn).map(({ toolName, inputText }) => [toolName, inputText])).toEqual([
      ['f', '13'],
      ['g', '2'],
    ]);
  });

  test('whose arguments are not a JSON object are invalid and keep their text', () => {
    const error = { toolCallId: 'c', toolName: 'f', errorText: 'no JSON' };
    const streamed = applyAll([
      { type: 'tool-input-start', toolCallId: 'c', toolName: 'f' },
      { type: 'tool-input-delta', toolCallId: 'c', inputTextDelta: '{path:' },
      { type: 'tool-input-error', ...error, input: '{path:' },
    ]);
    expect(callsIn(streamed)).toMatchObject([{ inputState: 'invalid', inputText: '{path:' }]);
    const whole = applyChunk(EMPTY, { type: 'tool-input-error', ...error, input: 'nonsense' });
    expect(callsIn(whole)).toMatchObject([{ inputState: 'invalid', inputText: 'nonsense' }]);
    const number = applyChunk(EMPTY, { type: 'tool-input-error', ...error, input: 7 });
    expect(callsIn(number)).toMatchObject([{ inputState: 'invalid', inputText: '7' }]);
  });

  test('[R1] that the server ends itself have their one result and are no longer pending', () => {
    const turn = applyAll([
      STEP,
      ...callOf('c', {}),
      { type: 'tool-output-error', toolCallId: 'c', errorText: 'Out of steps.' },
    ]);
    expect(callsIn(turn)[0]?.result).toEqual({
      type: 'tool-error',
      toolCallId: 'c',
      toolName: 'read_file',
      code: 'aborted',
      message: 'Out of steps.',
    });
    expect(pendingCalls(turn)).toEqual([]);
  });

  test.each(['__proto__', 'constructor'])('[R2] ids and names such as %j are data', (id) => {
    const turn = applyAll(callOf(id, { [id]: 1 }, id));
    expect(callsIn(turn)).toMatchObject([{ toolCallId: id, toolName: id }]);
    expect(applyChunk(turn, { type: 'tool-input-delta', toolCallId: 'toString', inputTextDelta: 'x' })).toBe(turn);
  });
});

describe('[R6] what was cut off', () => {
  const OPEN: StudioChunk[] = [
    STEP,
    { type: 'tool-input-start', toolCallId: 'c', toolName: 'write_file' },
    { type: 'tool-input-delta', toolCallId: 'c', inputTextDelta: '{"path":"/a","con' },
  ];

  test.each<[string, StudioChunk]>([
    ['the step ends', stepEnd('stop')],
    ['the step hits the length limit', stepEnd('length')],
    ['the user stops it', { type: 'abort' }],
    ['the stream breaks', { type: 'data-problem', data: { code: 'stream-broken', detail: 'It broke.' } }],
  ])('a call that is still being written when %s is incomplete, with what arrived', (_, end) => {
    expect(callsIn(applyAll([...OPEN, end]))).toMatchObject([
      { inputState: 'incomplete', inputText: '{"path":"/a","con' },
    ]);
  });

  test('if a step hits the length limit, its last call is incomplete even if it was closed; the others run', () => {
    const turn = applyAll([STEP, ...callOf('a', { n: 1 }), ...callOf('b', { n: 2 }), stepEnd('length')]);
    expect(callsIn(turn).map(({ inputState }) => inputState)).toEqual(['complete', 'incomplete']);
    expect(callsIn(turn)[1]?.inputText).toBe('{"n":2}');
  });

  test('a closed call before text runs, although the step hit the length limit', () => {
    const turn = applyAll([STEP, ...callOf('a', {}), ...textOf('t', 'and th'), stepEnd('length')]);
    expect(callsIn(turn)[0]?.inputState).toBe('complete');
  });

  test('a closed last call runs when the step ended for any other reason', () => {
    for (const reason of ['tool-calls', 'stop', 'unknown']) {
      expect(callsIn(applyAll([STEP, ...callOf('a', {}), stepEnd(reason)]))[0]?.inputState).toBe('complete');
    }
  });

  test('the calls of earlier steps stay unchanged', () => {
    const turn = applyAll([
      STEP,
      ...callOf('a', {}),
      stepEnd('tool-calls'),
      STEP,
      ...textOf('t', 'cut'),
      stepEnd('length'),
    ]);
    expect(callsIn(turn)[0]?.inputState).toBe('complete');
  });

  test('open text and reasoning are closed and kept', () => {
    const turn = applyAll([
      STEP,
      { type: 'reasoning-start', id: 'r' },
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'half a sen' },
      { type: 'abort' },
    ]);
    expect(textIn(turn)).toEqual(['', 'half a sen']);
    expect(turn.parts.every((part) => !('openId' in part))).toBe(true);
  });
});

describe('steps', () => {
  test('record their settings, and at the end the finish reason, usage and notices', () => {
    const notices = [{ code: 'length' as const }];
    const turn = applyAll([
      STEP,
      ...textOf('t', 'x'),
      { type: 'data-step-end', data: { finishReason: 'length', usage: { outputTokens: 9 }, durationMs: 70, notices } },
    ]);
    expect(turn.parts[0]).toMatchObject({
      type: 'step',
      model: 'm',
      provider: 'p',
      promptHash: 'h',
      settings: SETTINGS,
      finishReason: 'length',
      usage: { outputTokens: 9 },
      durationMs: 70,
      notices,
    });
  });

  test('[R9] name the run that wrote them, so that rejoining it does not write them twice', () => {
    const again: StudioChunk = { type: 'start', messageMetadata: { runId: 'run-2' } };
    const turn = applyAll([START, STEP, stepEnd('tool-calls'), FINISH, again, STEP, stepEnd()]);
    expect(turn.parts).toMatchObject([{ runId: 'run-1' }, { runId: 'run-2' }]);
    expect(assistantMessageSchema.parse(turn)).toEqual(turn);
  });

  test('only the current one ends', () => {
    const turn = applyAll([STEP, stepEnd('tool-calls'), STEP, stepEnd('stop')]);
    expect(turn.parts).toMatchObject([{ finishReason: 'tool-calls' }, { finishReason: 'stop' }]);
  });

  test('[R15] a retried step leaves nothing of its first attempt, and earlier steps stay', () => {
    const before = applyAll([STEP, ...callOf('a', {}), stepEnd('tool-calls')]);
    const tried = applyAll([STEP, ...textOf('t', 'half'), ...callOf('b', {})], before);
    const reset = applyChunk(tried, { type: 'reset-step' });
    expect(reset.parts).toEqual(before.parts);
    expect(textIn(applyAll([STEP, ...textOf('t', 'whole')], reset))).toEqual(['whole']);
  });

  test('a reset before any step changes no part', () => {
    expect(applyChunk(EMPTY, { type: 'reset-step' }).parts).toEqual([]);
  });
});

describe('how a run ends', () => {
  test('`start` sets the run that writes, whatever the status was', () => {
    const stopped: AssistantMessage = { ...EMPTY, status: { type: 'stopped' } };
    expect(applyChunk(stopped, START).status).toEqual({ type: 'running', runId: 'run-1' });
    expect(applyChunk(stopped, { type: 'start' })).toBe(stopped);
  });

  test('[R11] `finish` settles a turn without pending calls, and names the revision', () => {
    const turn = applyAll([START, STEP, ...textOf('t', 'x'), stepEnd(), FINISH]);
    expect(turn).toMatchObject({ status: { type: 'done' }, revision: 'rev-1' });
  });

  test('[R11] `finish` leaves a turn with pending calls waiting, and names the revision', () => {
    const turn = applyAll([START, STEP, ...callOf('a', {}), ...callOf('b', {}), stepEnd('tool-calls'), FINISH]);
    expect(turn).toMatchObject({ status: { type: 'waiting' }, revision: 'rev-1' });
    expect(pendingCalls(turn).map(({ toolCallId }) => toolCallId)).toEqual(['a', 'b']);
  });

  test('[R6] a call that was cut off is pending like any other: it still gets its result', () => {
    const turn = applyAll([
      START,
      STEP,
      { type: 'tool-input-start', toolCallId: 'c', toolName: 'f' },
      stepEnd('length'),
      FINISH,
    ]);
    expect(turn.status.type).toBe('waiting');
    expect(pendingCalls(turn)).toMatchObject([{ toolCallId: 'c', inputState: 'incomplete' }]);
  });

  test('[R10] `abort` stops the turn; a `finish` after it does not make it done', () => {
    const turn = applyAll([START, STEP, ...textOf('t', 'half'), { type: 'abort' }]);
    expect(turn.status).toEqual({ type: 'stopped' });
    expect(textIn(turn)).toEqual(['half']);
    expect(applyChunk(turn, FINISH)).toBe(turn);
  });

  test('[R15] a problem fails the turn, and what arrived is kept', () => {
    const problem = { code: 'stream-broken', detail: 'The stream ended.' };
    const turn = applyAll([START, STEP, ...textOf('t', 'half'), { type: 'data-problem', data: problem }]);
    expect(turn.status).toEqual({ type: 'failed', problem });
    expect(textIn(turn)).toEqual(['half']);
    expect(applyAll([{ type: 'error', errorText: 'The stream ended.' }, FINISH], turn)).toBe(turn);
  });

  test('chunks that do not affect the message leave it unchanged', () => {
    for (const chunk of [{ type: 'start-step' }, { type: 'finish-step' }] satisfies StudioChunk[]) {
      expect(applyChunk(EMPTY, chunk)).toBe(EMPTY);
    }
  });
});

describe('identity', () => {
  const chunks: StudioChunk[] = [
    START,
    STEP,
    { type: 'reasoning-start', id: 'r' },
    { type: 'reasoning-delta', id: 'r', delta: 'hm' },
    { type: 'reasoning-end', id: 'r' },
    ...textOf('t', 'Let', ' me'),
    ...callOf('a', { n: 1 }),
    ...callOf('b', { n: 2 }),
    stepEnd('tool-calls'),
    FINISH,
    START,
    STEP,
    ...textOf('t', 'Done'),
    stepEnd(),
    FINISH,
  ];

  test('each chunk replaces at most the one part it affects, so that views do not render the others again', () => {
    let turn = EMPTY;
    for (const chunk of chunks) {
      const next = applyChunk(turn, chunk);
      const replaced = turn.parts.filter((part, index) => next.parts[index] !== part);
      expect(replaced.length, chunk.type).toBeLessThanOrEqual(1);
      turn = next;
    }
    expect(textIn(turn)).toEqual(['hm', 'Let me', 'Done']);
  });

  test('a message that was returned never changes', () => {
    const turns = chunks.map((_, index) => applyAll(chunks.slice(0, index), EMPTY, 1));
    const copies = turns.map((turn) => structuredClone(turn));
    for (const [index, turn] of turns.entries()) {
      const chunk = chunks[index];
      if (chunk !== undefined) applyChunk(turn, chunk, 1);
      expect(turn).toEqual(copies[index]);
    }
  });

  test('ending unfinished parts keeps every finished part', () => {
    const turn = applyAll([STEP, ...textOf('a', 'x'), ...callOf('c', {}), { type: 'text-start', id: 'b' }]);
    const ended = endUnfinished(turn);
    expect(ended.parts.map((part, index) => part === turn.parts[index])).toEqual([true, true, true, false]);
  });
});

describe('[R8] data that looks like something else', () => {
  const LOOKALIKE = {
    lc: 1,
    type: 'constructor',
    id: ['langchain_core', 'messages', 'HumanMessage'],
    kwargs: { a: 1 },
  };

  test('stays data as the input of a call and in its result, through further chunks and through storage', () => {
    let turn = applyAll([START, STEP, ...callOf('c', LOOKALIKE), stepEnd('tool-calls'), FINISH]);
    const [step, call] = turn.parts;
    if (step === undefined || call?.type !== 'tool-call') throw new Error('The turn has no call.');
    const result = {
      type: 'tool-result' as const,
      toolCallId: 'c',
      toolName: 'read_file',
      output: { content: JSON.stringify(LOOKALIKE), data: LOOKALIKE },
    };
    turn = applyAll([START, STEP, ...textOf('t', 'x'), stepEnd(), FINISH], {
      ...turn,
      parts: [step, { ...call, result }],
    });
    const restored = assistantMessageSchema.parse(JSON.parse(JSON.stringify(turn)));
    expect(restored).toEqual(turn);
    expect(callsIn(restored)[0]?.input).toEqual(LOOKALIKE);
    expect(callsIn(restored)[0]?.result).toEqual(result);
  });
});
