// More than 400 lines: one graph and every way in which a run of it can end.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildTurn, emptyTurn, finishedStep, resultOf, userMessage } from '#lib/agent/test/messages.ts';
import type { StudioChunk } from '#lib/messages/chunk.ts';
import type { AssistantMessage, Message, StepPart, ToolCallPart } from '#lib/messages/message.ts';
import type { ToolCall, ToolResult } from '#lib/tools/core/tool-call.ts';
import type { ToolHost } from '#lib/tools/execution/host.ts';
import { prepareCall } from '#lib/tools/execution/prepare-call.ts';
import { DEFAULT_TOOLSETS, isToolsetOn } from '#lib/tools/toolset-names.ts';
import { toolRegistry } from '#lib/tools/toolsets.ts';
import { describeModelError } from '#models/problems.ts';
import { startLocalServer } from '#server/test/local-server.ts';
import type { RunContext } from './state.ts';
import { type GraphRun, testContext } from './test/fixtures.ts';
import { type ChatBody, ModelServer } from './test/model-server.ts';
import { openThread } from './test/open-thread.ts';

let model: ModelServer;

beforeAll(async () => {
  model = await ModelServer.start();
});

afterEach(() => {
  model.reset();
});

afterAll(() => model.stop());

const prompted = (context: RunContext): RunContext => ({ ...context, toolCalling: 'prompted' });
const withModel = (context: RunContext, overrides: Partial<RunContext['model']>): RunContext => ({
  ...context,
  model: { ...context.model, ...overrides },
});

const callsOf = (turn: AssistantMessage): ToolCallPart[] => turn.parts.filter((part) => part.type === 'tool-call');
const stepsOf = (turn: AssistantMessage): StepPart[] => turn.parts.filter((part) => part.type === 'step');
const noticesOf = ({ chunks }: GraphRun) =>
  chunks.flatMap((chunk) => (chunk.type === 'data-step-end' ? chunk.data.notices : []));
const typesOf = ({ chunks }: GraphRun) => chunks.map(({ type }) => type);
const problemOf = ({ error }: GraphRun) => (error === undefined ? undefined : describeModelError(error).code);
const systemOf = (body: ChatBody | undefined): string =>
  body?.messages.map(({ role, content }) => (role === 'system' ? content : '')).join('') ?? '';

/** The names of the tools that the threads of these tests offer. */
const OFFERED = toolRegistry
  .list()
  .flatMap(({ name, toolset }) => (isToolsetOn(toolset, DEFAULT_TOOLSETS) ? [name] : []));
const READ = { name: 'read_file', arguments: '{"path":"/src/a.ts"}' };
const LIST = { name: 'list_directory', arguments: '{"path":"/src"}' };

/** The content of the chunks, regardless of how they were split and of their ids. */
function meaningOf(chunks: readonly StudioChunk[]) {
  const turn = buildTurn(emptyTurn('turn'), chunks);
  return turn.parts.map((part) => {
    switch (part.type) {
      case 'step':
        return { type: part.type, finishReason: part.finishReason, usage: part.usage, notices: part.notices };
      case 'tool-call':
        return { type: part.type, name: part.toolName, state: part.inputState, input: part.input };
      case 'compaction':
        return { type: part.type };
      default:
        return { type: part.type, text: part.text.trimEnd() };
    }
  });
}

/** The arguments' text of each call, as streamed before the call was complete. */
function streamedInputs(chunks: readonly StudioChunk[]): string[] {
  const inputs = new Map<string, string>();
  for (const chunk of chunks) {
    if (chunk.type === 'tool-input-start') inputs.set(chunk.toolCallId, '');
    if (chunk.type === 'tool-input-delta')
      inputs.set(chunk.toolCallId, (inputs.get(chunk.toolCallId) ?? '') + chunk.inputTextDelta);
  }
  return [...inputs.values()];
}

describe('the same stream for every provider and mode', () => {
  const reply = { reasoning: 'I must look.', text: 'Looking.', calls: [READ, LIST] };
  beforeEach(() => {
    model.count = () => 5_000;
  });

  test('a prompted model streams the same as one with native tools', async () => {
    model.reply(reply, reply);
    const native = await openThread(testContext(model.url)).ask(userMessage('Look'));
    const written = await openThread(prompted(testContext(model.url))).ask(userMessage('Look'));
    expect(meaningOf(native.chunks)).toEqual([
      {
        type: 'step',
        finishReason: 'tool-calls',
        usage: { inputTokens: 5_000, outputTokens: 20 },
        notices: [],
      },
      { type: 'reasoning', text: 'I must look.' },
      { type: 'text', text: 'Looking.' },
      { type: 'tool-call', name: 'read_file', state: 'complete', input: { path: '/src/a.ts' } },
      { type: 'tool-call', name: 'list_directory', state: 'complete', input: { path: '/src' } },
    ]);
    expect(meaningOf(written.chunks)).toEqual(meaningOf(native.chunks));
    expect(streamedInputs(native.chunks)).toEqual([READ.arguments, LIST.arguments]);
    expect(streamedInputs(written.chunks)).toEqual([READ.arguments, LIST.arguments]);
    const [nativeRequest, promptedRequest] = model.requests;
    expect(nativeRequest?.tools).toHaveLength(OFFERED.length);
    expect(promptedRequest?.tools).toBeUndefined();
    expect(systemOf(promptedRequest)).toContain('### read_file');
  });

  test('an endpoint that cannot stream gives the same result', async () => {
    model.reply(reply, reply, reply);
    const streamed = await openThread(testContext(model.url)).ask(userMessage('Look'));
    const whole = testContext(model.url, { env: { AGENT_STREAM: 'false' } });
    expect(meaningOf((await openThread(whole).ask(userMessage('Look'))).chunks)).toEqual(meaningOf(streamed.chunks));
    const writtenWhole = await openThread(prompted(whole)).ask(userMessage('Look'));
    expect(meaningOf(writtenWhole.chunks)).toEqual(meaningOf(streamed.chunks));
    expect(model.requests.map(({ stream }) => stream ?? false)).toEqual([true, false, false]);
  });

  test('reasoning in the text is reasoning in both modes', async () => {
    const thinking = { text: '<think>I must look.</think>Looking.', calls: [READ] };
    model.reply(thinking, thinking);
    const native = await openThread(testContext(model.url)).ask(userMessage('Look'));
    const written = await openThread(prompted(testContext(model.url))).ask(userMessage('Look'));
    const texts = meaningOf(native.chunks).slice(1, 3);
    expect(texts).toEqual([
      { type: 'reasoning', text: 'I must look.' },
      { type: 'text', text: 'Looking.' },
    ]);
    expect(meaningOf(written.chunks)).toEqual(meaningOf(native.chunks));
  });

  test('the checkpoint matches what was streamed', async () => {
    const thread = openThread(testContext(model.url));
    model.reply({ text: 'Looking.', calls: [READ] }, { text: 'Done.' });
    const asked = await thread.ask(userMessage('Look'));
    expect(await thread.turn()).toEqual(buildTurn(emptyTurn('turn'), asked.chunks));
    const before = await thread.turn();
    const answered = await thread.answerAll('ok');
    const { status } = await thread.turn();
    expect(status).not.toEqual(before.status);
    const withResult = {
      ...before,
      // The page has stored the turn with its new run before.
      status,
      parts: before.parts.map((part) =>
        part.type === 'tool-call' ? { ...part, result: resultOf(part.toolCallId, part.toolName, 'ok') } : part,
      ),
    };
    expect(await thread.turn()).toEqual(buildTurn(withResult, answered.chunks));
  });

  test('[R1] a prompted model gets its calls and results back in its own format', async () => {
    const thread = openThread(prompted(testContext(model.url)));
    model.reply({ text: 'Looking.', calls: [READ] }, { text: 'Done.' });
    await thread.ask(userMessage('Look'));
    await thread.answerAll('export {}');
    const messages = model.requests[1]?.messages ?? [];
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(messages[2]?.content).toContain('"name":"read_file","arguments":"{\\"path\\":\\"/src/a.ts\\"}"');
    expect(messages[0]?.content).toMatch(/To call a tool, .*plain text\.$/);
    // With nothing behind it that a weak model could repeat.
    expect(messages[3]?.content).toMatch(/^\[tool_result (\S+) read_file\]\nexport \{\}\n\[\/tool_result \1\]$/);
  });
});

describe('[R2] call ids', () => {
  test.each(['native', 'prompted'] as const)(
    'a model that repeats call_0 gets fresh ids in one step and across steps, %s',
    async (mode) => {
      const context = { ...testContext(model.url), toolCalling: mode };
      const thread = openThread(context);
      const repeated = { calls: [READ, LIST, READ].map((call) => ({ ...call, id: 'call_0' })) };
      model.reply(repeated, repeated, { text: 'Done.' });
      const first = await thread.ask(userMessage('Look'));
      const second = await thread.answerAll('ok');
      await thread.answerAll('ok');
      const calls = callsOf(await thread.turn());
      expect(calls.map(({ toolName }) => toolName)).toEqual([
        'read_file',
        'list_directory',
        'read_file',
        'read_file',
        'list_directory',
        'read_file',
      ]);
      expect(calls.every(({ inputState, result }) => inputState === 'complete' && result?.type === 'tool-result')).toBe(
        true,
      );
      const ids = calls.map(({ toolCallId }) => toolCallId);
      expect(new Set(ids).size).toBe(6);
      expect(ids).not.toContain('call_0');
      // The id is fresh from the first chunk on: no part refers to a call by the model's id.
      const named = [...first.chunks, ...second.chunks].flatMap((chunk) =>
        'toolCallId' in chunk ? [chunk.toolCallId] : [],
      );
      expect(new Set(named)).toEqual(new Set(ids));
      for (const { messages } of model.requests) {
        const made = messages.flatMap(({ tool_calls: toolCalls }) => (toolCalls ?? []).map(({ id }) => id));
        const answered = messages.flatMap(({ tool_call_id: id }) => id ?? []);
        expect(new Set(made).size).toBe(made.length);
        expect(answered).toEqual(made);
      }
    },
  );

  test('the provider’s own id stays in its metadata and goes back to it', async () => {
    const thread = openThread(testContext(model.url));
    model.reply({ calls: [{ ...READ, id: 'chatcmpl-tool-7' }] }, { text: 'Done.' });
    await thread.ask(userMessage('Look'));
    const [call] = callsOf(await thread.turn());
    expect(call?.toolCallId).not.toContain('chatcmpl');
    expect(call?.providerMetadata?.roundtrip?.callId).toBe('chatcmpl-tool-7');
    await thread.answerAll('ok');
    const [, , assistant, result] = model.requests[1]?.messages ?? [];
    expect(assistant?.tool_calls?.[0]?.id).toBe('chatcmpl-tool-7');
    expect(result?.tool_call_id).toBe('chatcmpl-tool-7');
  });

  test('an id shared by two steps is restored once; the other call keeps its fresh id, so results stay with their calls', async () => {
    const thread = openThread(testContext(model.url));
    const repeated = { calls: [{ ...READ, id: 'call_0' }] };
    model.reply(repeated, repeated, { text: 'Done.' });
    await thread.ask(userMessage('Look'));
    await thread.answerAll('one');
    await thread.answerAll('two');
    const messages = model.requests[2]?.messages ?? [];
    const made = messages.flatMap(({ tool_calls: toolCalls }) => (toolCalls ?? []).map(({ id }) => id));
    expect(made[0]).toBe('call_0');
    expect(made[1]).toBe(callsOf(await thread.turn())[1]?.toolCallId);
    expect(messages.flatMap(({ role, content }) => (role === 'tool' ? [content] : []))).toEqual(['one', 'two']);
  });
});

describe('[R3] [R6] calls at the end of a step', () => {
  test.each(['native', 'prompted'] as const)(
    'a step cut off for length: complete calls run, the last call is incomplete, %s',
    async (mode) => {
      const thread = openThread({ ...testContext(model.url), toolCalling: mode });
      model.reply({
        calls: [READ, { name: 'write_file', arguments: '{"path":"/b","content":"half of' }],
        finishReason: 'length',
      });
      const run = await thread.ask(userMessage('Write'));
      const calls = callsOf(await thread.turn());
      expect(calls.map(({ toolName, inputState }) => [toolName, inputState])).toEqual([
        ['read_file', 'complete'],
        ['write_file', 'incomplete'],
      ]);
      expect(calls[1]?.inputText).toBe('{"path":"/b","content":"half of');
      expect(calls[1]?.input).toBeUndefined();
      expect(noticesOf(run)).toEqual([{ code: 'length' }]);
      // Both wait for the browser, where every call gets its one result.
      expect(await thread.pendingCallIds()).toEqual(calls.map(({ toolCallId }) => toolCallId));
    },
  );

  test('arguments that happen to be complete when the step is cut off are still not trusted', async () => {
    const thread = openThread(testContext(model.url));
    model.reply({ calls: [{ name: 'write_file', arguments: '{"path":"/b","content":""}' }], finishReason: 'length' });
    await thread.ask(userMessage('Write'));
    expect(callsOf(await thread.turn())).toMatchObject([
      { inputState: 'incomplete', inputText: '{"path":"/b","content":""}' },
    ]);
  });

  test('text cut off for length is an answer, and the user is told', async () => {
    const thread = openThread(testContext(model.url));
    model.reply({ text: 'Once upon', finishReason: 'length' });
    const run = await thread.ask(userMessage('Tell'));
    expect(run.error).toBeUndefined();
    expect(noticesOf(run)).toEqual([{ code: 'length' }]);
    expect(await thread.pendingCallIds()).toEqual([]);
  });

  test('arguments that are not JSON wait for their result like any other call', async () => {
    const thread = openThread(testContext(model.url));
    model.reply({ calls: [{ name: 'read_file', arguments: '{"path":' }] }, { text: 'Sorry.' });
    await thread.ask(userMessage('Read'));
    const [call] = callsOf(await thread.turn());
    expect(call).toMatchObject({ inputState: 'invalid', inputText: '{"path":' });
    expect(await thread.pendingCallIds()).toEqual([call?.toolCallId]);
    expect((await thread.answerAll('invalid')).error).toBeUndefined();
  });

  test.each(['native', 'prompted'])(
    'a call with a number that would change is not run, and says which (%s)',
    async (mode) => {
      const context = testContext(model.url);
      const long = { name: 'read_file', arguments: '{"path":"/a","offset":12345678901234567890}' };
      model.reply({ calls: [long, READ] });
      const thread = openThread(mode === 'prompted' ? prompted(context) : context);
      await thread.ask(userMessage('Look'));
      const [call, other] = callsOf(await thread.turn());
      expect(call).toMatchObject({ inputState: 'invalid', inputText: expect.stringContaining('12345678901234567890') });
      expect(other?.inputState).toBe('complete');
      const { result } = prepareCall(call as ToolCall, toolRegistry as unknown as ToolHost) as { result: ToolResult };
      expect(result).toMatchObject({ code: 'invalid-input', message: expect.stringContaining('12345678901234567890') });
    },
  );

  test.each(['no_such_tool', 'constructor', '__proto__', 'toString'])(
    '[R8] a call to %s is a call like any other, which the executor rejects',
    async (name) => {
      const thread = openThread(testContext(model.url));
      model.reply({ calls: [{ name, arguments: '{"a":1}' }] }, { text: 'Sorry.' });
      await thread.ask(userMessage('Do'));
      expect(callsOf(await thread.turn())).toMatchObject([{ toolName: name, inputState: 'complete', input: { a: 1 } }]);
      expect((await thread.answerAll('no such tool')).error).toBeUndefined();
      expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: 'tool', content: 'no such tool' });
    },
  );
});

describe('how tools are described to a prompted model', () => {
  const protocolOf = async (overrides: Partial<RunContext['model']>) => {
    const thread = openThread(prompted(withModel(testContext(model.url), overrides)));
    model.reply({ text: 'Hi.' });
    await thread.ask(userMessage('Hi'));
    const [step] = stepsOf(await thread.turn());
    return { protocol: step?.settings.protocol, system: systemOf(model.requests.at(-1)) };
  };

  test('in full and with examples, unless its context is small', async () => {
    const large = await protocolOf({ contextSize: 64_000 });
    expect(large.protocol).toEqual({ codec: 'json', examples: true, compact: false });
    expect(large.system).toContain('Arguments (JSON Schema)');
    const small = await protocolOf({ contextSize: 4_000 });
    expect(small.protocol).toEqual({ codec: 'json', examples: false, compact: true });
    expect(small.system).toContain('write_file({ path: string, content: string })');
    expect(small.system.length).toBeLessThan(0.5 * large.system.length);
  });

  test('as objects and in brief, with examples, where the kind of endpoint suggests small models', async () => {
    const { protocol, system } = await protocolOf({ contextSize: 64_000, protocol: {} });
    expect(protocol).toEqual({ codec: 'object', examples: true, compact: true });
    expect(system).toContain('reply with one JSON object in a fence');
    expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain('Which files are in the folder /docs?');
  });

  test('as configured', async () => {
    const { protocol, system } = await protocolOf({
      contextSize: 8_000,
      protocol: { codec: 'delimited', examples: true, compact: false },
    });
    expect(protocol).toEqual({ codec: 'delimited', examples: true, compact: false });
    expect(system).toContain('@@call example_weather');
  });
});

describe('tools that would take more than a quarter of the window even in brief', () => {
  const MAIN = ['browser_js_eval', 'list_directory', 'read_file', 'write_file', 'search_text'];
  const LEFT_OUT = OFFERED.filter((name) => !MAIN.includes(name));
  const described = (body: ChatBody | undefined): string[] =>
    OFFERED.filter((name) => JSON.stringify(body).includes(name));

  test.each(['native', 'prompted'] as const)(
    'only the main ones are described, and the user is told once, %s',
    async (mode) => {
      const context = { ...withModel(testContext(model.url), { contextSize: 4_000, protocol: {} }), toolCalling: mode };
      const thread = openThread(context);
      model.reply({ calls: [READ] }, { text: 'It says ok.' }, { text: 'Yes.' });
      expect(noticesOf(await thread.ask(userMessage('Look')))).toEqual([
        { code: 'tools-left-out', toolNames: LEFT_OUT, contextTokens: 4_000 },
      ]);
      expect(described(model.requests[0])).toEqual(MAIN);
      expect(noticesOf(await thread.answerAll('ok'))).toEqual([]);
      const before: Message = { ...(await thread.turn()), id: 'before', status: { type: 'done' } };
      expect(noticesOf(await thread.ask(userMessage('Look'), before, userMessage('Sure?')))).toEqual([]);
      expect(described(model.requests[2])).toEqual(MAIN);
    },
  );

  test('all of them are described if the person turns off a group that is not needed', async () => {
    const context = withModel(testContext(model.url), { contextSize: 7_500, protocol: {} });
    model.reply({ text: 'Hi.' }, { text: 'Hi.' });
    const both = openThread(prompted(context));
    expect(noticesOf(await both.ask(userMessage('Hi')))).toMatchObject([{ code: 'tools-left-out' }]);
    const one = openThread({ ...prompted(context), toolsets: ['files'] });
    expect(noticesOf(await one.ask(userMessage('Hi')))).toEqual([]);
    expect(described(model.requests[1])).toContain('execute_bash');
  });

  test('all of them are described where the configuration asks for full descriptions', async () => {
    const protocol = { codec: 'object', compact: false };
    const thread = openThread(prompted(withModel(testContext(model.url), { contextSize: 8_000, protocol })));
    model.reply({ text: 'Hi.' });
    expect(noticesOf(await thread.ask(userMessage('Hi')))).toEqual([]);
    expect(described(model.requests[0])).toContain('execute_bash');
  });
});

test('a message that is longer than the window is a problem before anything is sent, and the thread goes on', async () => {
  const context = withModel(testContext(model.url, { toolsets: [] }), { contextSize: 1_024 });
  const long = userMessage('word '.repeat(1_000));
  const run = await openThread(context).ask(long);
  expect(problemOf(run)).toBe('question-too-long');
  expect((run.error as Error).message).toMatch(/The message takes about 1,?\d{3} tokens\. The context of 1,024 tokens/);
  expect(model.requests).toHaveLength(0);
  model.reply({ text: 'Hi.' });
  const next = await openThread(context).ask(
    long,
    { ...emptyTurn('failed'), status: { type: 'done' } },
    userMessage('Hi'),
  );
  expect(next.error).toBeUndefined();
  expect(JSON.stringify(model.requests)).not.toContain('word word');
});

test('a window that the tools fill is a problem before anything is sent', async () => {
  const thread = openThread(prompted(withModel(testContext(model.url), { contextSize: 1_024, protocol: {} })));
  const run = await thread.ask(userMessage('Look'));
  expect(problemOf(run)).toBe('context-too-small');
  expect(run.error).toMatchObject({
    problem: {
      toolsets: [
        { name: 'files', tokens: expect.any(Number) },
        { name: 'browser', tokens: expect.any(Number) },
      ],
    },
  });
  expect(model.requests).toHaveLength(0);
  model.reply({ text: 'Hi.' });
  const bare = openThread(withModel(testContext(model.url, { toolsets: [] }), { contextSize: 1_024 }));
  expect(problemOf(await bare.ask(userMessage('Hi')))).toBeUndefined();
});

describe('a model that only writes prose', () => {
  const asked = async (...questions: string[]): Promise<GraphRun[]> => {
    const runs: GraphRun[] = [];
    const history: Message[] = [];
    for (const [index, question] of questions.entries()) {
      const thread = openThread(testContext(model.url));
      model.reply({ text: 'It says hello.' });
      runs.push(await thread.ask(...history, userMessage(question)));
      const turn: Message = { ...(await thread.turn()), id: `turn-${index}`, status: { type: 'done' } };
      history.push(userMessage(question), turn);
    }
    return runs;
  };
  const codesOf = (runs: readonly GraphRun[]) => runs.map((run) => noticesOf(run).map(({ code }) => code));

  test('is reported after three questions about files, once', async () => {
    const runs = await asked('What is in /a.txt?', 'And /b.txt?', '读一下 /笔记.txt', 'List /src');
    expect(codesOf(runs)).toEqual([[], [], ['prose-only'], []]);
  });

  test('is not reported if the questions are not about files', async () => {
    expect(codesOf(await asked('What is in /a.txt?', 'Thanks and/or hi', 'What is in /b.txt?', 'And /c?'))).toEqual([
      [],
      [],
      [],
      [],
    ]);
  });
});

test('a call that a small model makes before the result it needs waits for it, and the user is told', async () => {
  const thread = openThread(prompted(withModel(testContext(model.url), { protocol: {} })));
  const fence = (name: string, input: object) => `\`\`\`json\n${JSON.stringify({ name, arguments: input })}\n\`\`\``;
  const write = fence('write_file', { path: '/b', content: 'guessed' });
  model.reply({ text: `${fence('read_file', { path: '/a' })}\n${write}` }, { text: 'It says ok.' });
  const run = await thread.ask(userMessage('Copy /a to /b'));
  expect(noticesOf(run)).toEqual([{ code: 'call-postponed', toolName: 'write_file' }]);
  expect(callsOf(await thread.turn())).toMatchObject([{ toolName: 'read_file' }]);
  await thread.answerAll('ok');
  expect(JSON.stringify(model.requests[1]?.messages)).not.toContain('guessed');
});

describe('a call that could not be read', () => {
  const unreadable = { text: 'Reading.\n\n{"name": "read_file", "arguments": /src/a.ts}' };
  const isCorrection = (body: ChatBody | undefined): boolean =>
    String(body?.messages.at(-1)?.content).startsWith('[call_error read_file]');

  test('is requested again, in its format, within the turn', async () => {
    const thread = openThread(prompted(testContext(model.url)));
    model.reply(unreadable, { calls: [READ] }, { text: 'Done.' });
    const run = await thread.ask(userMessage('Look'));
    expect(noticesOf(run)).toEqual([{ code: 'call-unreadable', toolName: 'read_file', askedAgain: true }]);
    expect(meaningOf(run.chunks).map(({ type }) => type)).toEqual(['step', 'text', 'step', 'tool-call']);
    const [, second] = model.requests;
    expect(second?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(second?.messages[2]?.content).toBe(unreadable.text);
    expect(isCorrection(second)).toBe(true);
    expect(second?.messages[3]?.content).toContain(
      '{"tool_calls":[{"id":"call_1","type":"function","function":{"name":"read_file"',
    );
    await thread.answerAll('ok');
    const [, , third] = model.requests;
    expect(third?.messages.slice(0, 4)).toEqual(second?.messages);
    expect(problemOf(run)).toBeUndefined();
  });

  test('is also requested again if it ended after its name', async () => {
    const thread = openThread(prompted(testContext(model.url)));
    model.reply({ text: '<tool_call>read_file' }, { calls: [READ] });
    const run = await thread.ask(userMessage('Look'));
    expect(noticesOf(run)).toEqual([{ code: 'call-unreadable', toolName: 'read_file', askedAgain: true }]);
    expect(callsOf(await thread.turn())).toHaveLength(1);
    expect(JSON.stringify(model.requests[1]?.messages.at(-1)?.content)).toContain('[call_error read_file]');
  });

  test('is requested again at most twice, and the user is told', async () => {
    const thread = openThread(prompted(testContext(model.url)));
    model.reply(unreadable, unreadable, unreadable, { text: 'never asked' });
    const run = await thread.ask(userMessage('Look'));
    expect(noticesOf(run).map((notice) => notice.code === 'call-unreadable' && notice.askedAgain)).toEqual([
      true,
      true,
      false,
    ]);
    expect(model.requests).toHaveLength(3);
    expect(await thread.pendingCallIds()).toEqual([]);
  });

  test('is requested again after a call in between could be read', async () => {
    const thread = openThread(prompted(testContext(model.url)));
    model.reply(unreadable, unreadable, { calls: [READ] }, unreadable, { text: 'Done.' });
    await thread.ask(userMessage('Look'));
    await thread.answerAll('ok');
    expect(model.requests).toHaveLength(5);
  });

  test('is not requested again with native tools, if the reply was cut off, or in the last step', async () => {
    model.reply(unreadable);
    expect(noticesOf(await openThread(testContext(model.url)).ask(userMessage('Look')))).toEqual([]);
    model.reply({ ...unreadable, finishReason: 'length' });
    const cut = await openThread(prompted(testContext(model.url))).ask(userMessage('Look'));
    expect(noticesOf(cut)).toEqual([{ code: 'length' }]);
    model.reply(unreadable);
    const last = prompted(testContext(model.url, { env: { AGENT_MAX_STEPS: '1' } }));
    expect(noticesOf(await openThread(last).ask(userMessage('Look')))).toEqual([
      { code: 'call-unreadable', toolName: 'read_file', askedAgain: false },
      { code: 'step-limit', steps: 1 },
    ]);
    expect(model.requests).toHaveLength(3);
  });
});

describe('[R14] the last step', () => {
  test.each(['native', 'prompted'] as const)(
    'is told to answer without tools; calls made anyway get their result, %s',
    async (mode) => {
      const thread = openThread({ ...testContext(model.url, { env: { AGENT_MAX_STEPS: '2' } }), toolCalling: mode });
      model.reply({ calls: [READ] }, { text: 'I would still look.', calls: [LIST] });
      expect(noticesOf(await thread.ask(userMessage('Look')))).toEqual([]);
      const last = await thread.answerAll('ok');
      const [first, second] = model.requests;
      // The beginning of the prompt, which providers keep in their caches, stays the same.
      expect(second?.messages.slice(0, first?.messages.length)).toEqual(first?.messages);
      expect(JSON.stringify(first)).not.toContain('Do not call any more tools.');
      expect(JSON.stringify(second?.messages.at(-1))).toContain(
        'ok\\n\\n[Note: You have used all the steps of this turn.',
      );
      if (mode === 'native') expect([first?.tool_choice, second?.tool_choice]).toEqual(['auto', 'none']);
      expect(noticesOf(last)).toEqual([{ code: 'step-limit', steps: 2 }]);
      expect(last.error).toBeUndefined();
      expect(await thread.pendingCallIds()).toEqual([]);
      const turn = await thread.turn();
      expect(turn.parts.at(-2)).toMatchObject({ type: 'text' });
      expect(callsOf(turn)[1]?.result).toMatchObject({ type: 'tool-error', code: 'aborted' });
      expect(buildTurn(emptyTurn('turn'), last.chunks).parts.at(-1)).toMatchObject({ result: { code: 'aborted' } });
    },
  );

  test.each([
    ['native', 3],
    ['prompted', 2],
  ] as const)('comes when a model repeats itself, %s: after the same calls %i times', async (mode, times) => {
    const thread = openThread({ ...testContext(model.url), toolCalling: mode });
    model.reply(...Array.from({ length: times }, () => ({ calls: [READ] })), { text: 'It says ok.', calls: [READ] });
    await thread.ask(userMessage('Look'));
    for (let step = 1; step < times; step++) expect(noticesOf(await thread.answerAll('ok'))).toEqual([]);
    const last = await thread.answerAll('ok');
    expect(noticesOf(last)).toEqual([{ code: 'repeated-calls', toolName: 'read_file' }]);
    expect(JSON.stringify(model.requests.at(-1)?.messages.at(-1))).toContain('You keep making the same calls');
    expect(await thread.pendingCallIds()).toEqual([]);
    expect(callsOf(await thread.turn()).at(-1)?.result).toMatchObject({ type: 'tool-error', code: 'aborted' });
    expect(model.requests).toHaveLength(times + 1);
  });

  test('is counted from the message itself, so a lost state cannot reset it', async () => {
    const thread = openThread(testContext(model.url, { env: { AGENT_MAX_STEPS: '3' } }));
    const turn: AssistantMessage = {
      ...emptyTurn('turn'),
      parts: [finishedStep('local'), { type: 'text', text: 'a' }, finishedStep('local'), { type: 'text', text: 'b' }],
    };
    model.reply({ text: 'c' });
    const run = await thread.retry([userMessage('Go'), turn]);
    expect(noticesOf(run)).toEqual([{ code: 'step-limit', steps: 3 }]);
  });
});

describe('[R15] steps that fail', () => {
  test('an empty reply is retried once, and the first try leaves nothing behind', async () => {
    const thread = openThread(testContext(model.url));
    model.reply({ text: ' \n' }, { text: 'Here.' });
    const run = await thread.ask(userMessage('Hi'));
    expect(run.error).toBeUndefined();
    expect(typesOf(run).filter((type) => type === 'reset-step')).toHaveLength(1);
    const turn = await thread.turn();
    expect(turn.parts.map(({ type }) => type)).toEqual(['step', 'text']);
    expect(buildTurn(emptyTurn('turn'), run.chunks)).toEqual(turn);
  });

  test('reasoning without an answer is also an empty reply', async () => {
    const thread = openThread(testContext(model.url));
    model.reply({ reasoning: 'Hm.' }, { text: 'Here.' });
    expect((await thread.ask(userMessage('Hi'))).error).toBeUndefined();
    expect(model.requests).toHaveLength(2);
  });

  test('thoughts that come without an answer twice are the answer, marked', async () => {
    const thread = openThread(testContext(model.url));
    model.reply({ reasoning: 'Hm.' }, { reasoning: 'It is 42.' });
    expect((await thread.ask(userMessage('Hi'))).error).toBeUndefined();
    expect((await thread.turn()).parts).toMatchObject([
      { type: 'step', notices: [{ code: 'thought-as-answer' }] },
      { type: 'reasoning', text: 'It is 42.' },
      { type: 'text', text: 'It is 42.' },
    ]);
  });

  test('a second empty reply is a problem, and there is no third try', async () => {
    const thread = openThread(testContext(model.url));
    model.reply({ text: '' }, { text: '' }, { text: 'too late' });
    const run = await thread.ask(userMessage('Hi'));
    expect(problemOf(run)).toBe('empty-reply');
    expect(model.requests).toHaveLength(2);
    expect((await thread.turn()).parts).toEqual([]);
  });

  test.each(['native', 'prompted'] as const)(
    'an endless reply is aborted, with a problem that says so, %s',
    async (mode) => {
      const context = { ...testContext(model.url, { env: { REPLY_MAX_CHARS: '100' } }), toolCalling: mode };
      const endless = {
        text: 'x'.repeat(80),
        calls: [{ name: 'write_file', arguments: `{"path":"${'y'.repeat(10_000)}"}` }],
      };
      model.reply({ ...endless, hold: { after: 1_000, until: new Promise(() => undefined) } });
      const run = await openThread(context).ask(userMessage('Go on'));
      expect(describeModelError(run.error)).toEqual({
        code: 'reply-too-long',
        detail: 'The reply is longer than the 100 characters that REPLY_MAX_CHARS allows.',
      });
      await expect.poll(() => model.leftEarly).toBe(1);
    },
  );

  test('a broken stream leaves nothing incomplete in the checkpoint, and what was streamed stays with the browser', async () => {
    const thread = openThread(testContext(model.url));
    model.reply({ text: 'Looking.', calls: [READ] }, { text: 'I have found that the file', breakAfter: 15 });
    await thread.ask(userMessage('Look'));
    const waiting = await thread.turn();
    const run = await thread.answerAll('ok');
    expect(problemOf(run)).toBe('stream-broken');
    expect(buildTurn(emptyTurn('turn'), run.chunks).parts).toMatchObject([
      { type: 'step' },
      { type: 'text', text: 'I have found th' },
    ]);
    const turn = await thread.turn();
    expect(stepsOf(turn)).toHaveLength(1);
    expect(callsOf(turn).map(({ result }) => result?.type)).toEqual(['tool-result']);
    expect(turn.parts).toHaveLength(waiting.parts.length);
    expect(await thread.pendingCallIds()).toEqual([]);
  });

  describe('a reply of which only the beginning arrives', () => {
    const message = { id: 'm', type: 'message', role: 'assistant', model: 'c', content: [], stop_reason: null };
    const begun = {
      anthropic: [
        { type: 'message_start', message: { ...message, usage: { input_tokens: 1, output_tokens: 1 } } },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Half of' } },
      ],
      google: [{ candidates: [{ content: { parts: [{ text: 'Half of' }], role: 'model' }, index: 0 }] }],
      local: [{ choices: [{ index: 0, delta: { content: 'Half of' } }] }],
    };
    const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };

    test.each<[keyof typeof begun, string, object[]]>([
      ['anthropic', 'stream-broken', []],
      ['anthropic', 'endpoint-error', [overloaded]],
      ['google', 'stream-broken', []],
      ['google', 'endpoint-error', [{ error: { code: 503, message: 'Overloaded', status: 'UNAVAILABLE' } }]],
      ['google', 'rate-limited', [{ error: { code: 429, message: 'Quota exceeded', status: 'RESOURCE_EXHAUSTED' } }]],
      ['local', 'stream-broken', []],
      ['local', 'endpoint-error', [{ error: { message: 'CUDA out of memory', type: 'server_error' } }]],
      ['local', 'context-too-long', [{ error: { message: 'the request exceeds the available context size' } }]],
    ])('of %s is a problem: %s', async (provider, code, end) => {
      const events: { type?: string }[] = [...begun[provider], ...end];
      const written = (event: { type?: string }) =>
        `${event.type === undefined ? '' : `event: ${event.type}\n`}data: ${JSON.stringify(event)}\n\n`;
      const server = await startLocalServer((_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(events.map(written).join(''));
      });
      const context = withModel(testContext(server.url), { provider, baseURL: server.url });
      expect(problemOf(await openThread(context).ask(userMessage('Say it')))).toBe(code);
      await server.stop();
    });
  });

  test('a step that breaks off within a call leaves no call to run', async () => {
    const thread = openThread(testContext(model.url));
    model.reply({ calls: [READ, { name: 'write_file', arguments: '{"path":"/b","content":"long"}' }], breakAfter: 40 });
    expect(problemOf(await thread.ask(userMessage('Write')))).toBe('stream-broken');
    expect((await thread.turn()).parts).toEqual([]);
    expect(await thread.pendingCallIds()).toEqual([]);
  });

  test('[R12] Retry continues after the last finished step', async () => {
    const thread = openThread(testContext(model.url));
    model.reply({ text: 'Looking.', calls: [READ] }, { text: 'I have', breakAfter: 5 }, { text: 'Found it.' });
    const user = userMessage('Look');
    await thread.ask(user);
    await thread.answerAll('ok');
    const run = await thread.retry([user, await thread.turn()]);
    expect(run.error).toBeUndefined();
    expect((await thread.turn()).parts.map(({ type }) => type)).toEqual(['step', 'text', 'tool-call', 'step', 'text']);
    expect(model.requests).toHaveLength(3);
  });

  test('an endpoint that fails briefly is retried as often as configured', async () => {
    const busy = { error: { status: 503, message: 'busy', headers: { 'retry-after-ms': '1' } } };
    model.reply(busy, { text: 'Here.' }, busy, busy);
    const context = testContext(model.url, { env: { AGENT_MAX_RETRIES: '1' } });
    expect((await openThread(context).ask(userMessage('Hi'))).error).toBeUndefined();
    expect(problemOf(await openThread(context).ask(userMessage('Hi')))).toBe('endpoint-error');
    expect(model.requests).toHaveLength(4);
  });
});

test('a call’s origin is known before its step counts as finished', async () => {
  const input = { path: '/src', recursive: true };
  const text = `<tool_call>{"name":"delete_path","arguments":${JSON.stringify(input)}}</tool_call>`;
  const thread = openThread(testContext(model.url));
  model.reply({ calls: [{ name: 'delete_path', arguments: JSON.stringify(input) }] });
  const run = await thread.ask(userMessage(`What does this do? ${text}`));
  const types = typesOf(run);
  expect(types.indexOf('data-call-origin')).toBeGreaterThan(-1);
  expect(types.indexOf('data-call-origin')).toBeLessThan(types.indexOf('data-step-end'));
});

test.each([
  ['429, as the endpoint asks', 429, { 'retry-after': '0.02' }, 'rate-limited', 20],
  ['503, in milliseconds', 503, { 'retry-after-ms': '15' }, 'endpoint-error', 15],
])('a retry is announced before it happens: %s', async (_, status, headers, code, delayMs) => {
  model.reply({ error: { status, message: 'busy', headers } }, { text: 'Here.' });
  const thread = openThread(testContext(model.url, { env: { AGENT_MAX_RETRIES: '1' } }));
  const run = await thread.ask(userMessage('Hi'));
  const retries = run.chunks.filter(({ type }) => type === 'data-retry');
  expect(retries).toEqual([{ type: 'data-retry', data: { code, delayMs } }]);
  expect(typesOf(run).indexOf('data-retry')).toBeLessThan(typesOf(run).indexOf('data-step'));
  expect(typesOf(run)).not.toContain('reset-step');
  expect((await thread.turn()).status).toEqual({ type: 'running', runId: 'run' });
});

test('a failure that is not retried announces nothing, and keeps the steps before it', async () => {
  const thread = openThread(testContext(model.url, { env: { AGENT_MAX_RETRIES: '1' } }));
  const busy = { error: { status: 429, message: 'busy', headers: { 'retry-after-ms': '1' } } };
  model.reply({ text: 'Looking.', calls: [READ] }, busy, busy);
  await thread.ask(userMessage('Look'));
  const run = await thread.answerAll('ok');
  expect(typesOf(run).filter((type) => type === 'data-retry')).toHaveLength(1);
  expect(typesOf(run)).not.toContain('reset-step');
  expect(problemOf(run)).toBe('rate-limited');
});

describe('a model that refuses tools', () => {
  const refusal = { error: { status: 400, message: 'registry.ollama.ai/library/x:latest does not support tools' } };

  test('gets them through the prompt, is remembered, and the user is told', async () => {
    const context = testContext(model.url);
    const thread = openThread(context);
    model.reply(refusal, { text: 'Looking.', calls: [READ] }, { text: 'Done.' });
    const run = await thread.ask(userMessage('Look'));
    expect(run.error).toBeUndefined();
    expect(noticesOf(run)).toEqual([{ code: 'tools-refused', model: 'local/scripted' }]);
    expect(callsOf(await thread.turn())).toMatchObject([{ toolName: 'read_file', inputState: 'complete' }]);
    expect(stepsOf(await thread.turn())[0]?.settings.toolCalling).toBe('prompted');
    expect(context.registry.effectiveToolCalling(context.model)).toBe('prompted');
    // Nothing had been streamed, so nothing needs to be undone.
    expect(typesOf(run)).not.toContain('reset-step');
  });

  test('is not second-guessed if the user requires native tools', async () => {
    const context = withModel(testContext(model.url), { toolCalling: 'native' });
    model.reply(refusal);
    expect(problemOf(await openThread(context).ask(userMessage('Look')))).toBe('tools-refused');
    expect(model.requests).toHaveLength(1);
  });

  test('and refuses even prompted ones is a problem, not a loop', async () => {
    model.reply(refusal, refusal, refusal);
    expect(problemOf(await openThread(testContext(model.url)).ask(userMessage('Look')))).toBe('tools-refused');
    expect(model.requests).toHaveLength(2);
  });
});

describe('a model that writes native calls as text', () => {
  const inText = (path: string) => ({ text: `I look.\n\n{"name": "read_file", "arguments": {"path": "${path}"}}` });

  test('calls what it wrote; after two of three steps its tools are prompted, and the user is told', async () => {
    const context = testContext(model.url);
    const thread = openThread(context);
    model.reply(inText('/a'), inText('/b'), { text: 'Done.' });
    expect(noticesOf(await thread.ask(userMessage('Look')))).toEqual([
      { code: 'calls-in-text', model: 'local/scripted', isGivenUp: false },
    ]);
    await thread.answerAll('ok');
    const last = await thread.answerAll('ok');
    expect(noticesOf(last)).toEqual([{ code: 'calls-in-text', model: 'local/scripted', isGivenUp: true }]);
    const turn = await thread.turn();
    expect(callsOf(turn)).toMatchObject([{ input: { path: '/a' } }, { input: { path: '/b' } }]);
    expect(turn.parts.filter(({ type }) => type === 'text')).toMatchObject([
      { text: 'I look.\n\n' },
      { text: 'I look.\n\n' },
      { text: 'Done.' },
    ]);
    expect(stepsOf(turn).map(({ settings }) => settings.toolCalling)).toEqual(['native', 'native', 'prompted']);
    expect(context.registry.effectiveToolCalling(context.model)).toBe('prompted');
  });

  test('keeps native tools if the user requires them', async () => {
    const context = withModel(testContext(model.url), { toolCalling: 'native' });
    const thread = openThread(context);
    model.reply(inText('/a'), inText('/b'), { text: 'Done.' });
    await thread.ask(userMessage('Look'));
    await thread.answerAll('ok');
    await thread.answerAll('ok');
    expect(stepsOf(await thread.turn()).map(({ settings }) => settings.toolCalling)).toEqual([
      'native',
      'native',
      'native',
    ]);
  });
});

describe('[R16] a context that is too long for the provider', () => {
  const tooLong = { error: { status: 400, message: 'This model’s maximum context length is 1024 tokens.' } };
  const history = (): Message[] => [
    ...[1, 2, 3].flatMap((turn): Message[] => [
      userMessage(`question ${turn}`),
      {
        ...emptyTurn(),
        status: { type: 'done' },
        parts: [finishedStep('local'), { type: 'text', text: 'x'.repeat(1_000) }],
      },
    ]),
    userMessage('newest'),
  ];
  const small = () => withModel(testContext(model.url, { toolsets: [] }), { contextSize: 2_000 });

  test('is trimmed to the window that the provider names, which is remembered', async () => {
    model.reply(tooLong, { text: 'Here.' });
    const run = await openThread(small()).ask(...history());
    expect(run.error).toBeUndefined();
    expect(JSON.stringify(model.requests[1])).not.toContain('question 1');
    expect(noticesOf(run)).toEqual([
      { code: 'window-learned', model: 'local/scripted', window: 1_024, claimed: 2_000, sent: expect.any(Number) },
      { code: 'history-trimmed', messages: 2, tokens: expect.any(Number) },
    ]);
  });

  test('is trimmed further and retried', async () => {
    model.reply({ error: { status: 400, message: 'The prompt is too long.' } }, { text: 'Here.' });
    const run = await openThread(small()).ask(...history());
    expect(run.error).toBeUndefined();
    const questions = model.requests.map(({ messages }) =>
      messages.flatMap(({ role, content }) => (role === 'user' ? [content] : [])),
    );
    expect(questions).toEqual([
      ['question 1', 'question 2', 'question 3', 'newest'],
      ['question 3', 'newest'],
    ]);
    expect(noticesOf(run)).toEqual([{ code: 'history-trimmed', messages: 4, tokens: expect.any(Number) }]);
  });

  test('is reported once for the same part of the history', async () => {
    const long = history().map((message) => ({
      ...message,
      parts: message.parts.map((part) => (part.type === 'text' ? { ...part, text: 'x'.repeat(2_000) } : part)),
    })) as Message[];
    model.reply({ text: 'Here.' }, { text: 'Here again.' });
    const [notice] = noticesOf(await openThread(small()).ask(...long));
    expect(notice).toMatchObject({ code: 'history-trimmed' });
    const told = long.map((message, index) =>
      index === long.length - 2 && message.role === 'assistant'
        ? {
            ...message,
            parts: message.parts.map((part) => ({ ...part, ...(part.type === 'step' && { notices: [notice] }) })),
          }
        : message,
    ) as Message[];
    expect(noticesOf(await openThread(small()).ask(...told))).toEqual([]);
  });

  test.each([
    ['without tools', () => small(), tooLong],
    // A window that is not named is not learned, so only the budget gets smaller than what the tools take.
    [
      'with tools that take most of the prompt',
      () => withModel(testContext(model.url), { contextSize: 64_000 }),
      { error: { status: 400, message: 'The prompt is too long: it exceeds the maximum context length.' } },
    ],
  ])('is retried once, then the user is told, %s', async (_, context, refusal) => {
    model.reply(refusal, refusal, { text: 'too late' });
    expect(problemOf(await openThread(context()).ask(...history()))).toBe('context-too-long');
    expect(model.requests).toHaveLength(2);
  });
});

describe('[R17] reasoning parts', () => {
  const thinking = { reasoning: 'The secret is 42.', calls: [READ] };
  const thoughtsIn = (body: ChatBody | undefined) =>
    (body?.messages ?? []).flatMap(({ reasoning_content: thought }) => thought ?? []);

  test('go back to their provider within the turn, but not in the next one', async () => {
    const thread = openThread(testContext(model.url));
    model.reply(thinking, { text: 'Done.' }, { text: 'Hello.' });
    const user = userMessage('Look');
    await thread.ask(user);
    await thread.answerAll('ok');
    expect(thoughtsIn(model.requests[1])).toEqual(['The secret is 42.']);
    await thread.ask(user, { ...(await thread.turn()), id: 'before', status: { type: 'done' } }, userMessage('Hi'));
    expect(thoughtsIn(model.requests[2])).toEqual([]);
  });

  describe('if their server refuses earlier turns without them', () => {
    const REFUSED = {
      error: { status: 400, message: 'The `reasoning_content` in the thinking mode must be passed back to the API.' },
    };
    const user = userMessage('Look');
    const ended = (turn: AssistantMessage): AssistantMessage => ({ ...turn, id: 'before', status: { type: 'done' } });

    test('go back in all turns, after one refusal, and in threads that were stored since', async () => {
      const thread = openThread(testContext(model.url));
      model.reply(thinking, { text: 'Done.' }, REFUSED, { text: 'Hello.' }, { text: 'Again.' });
      await thread.ask(user);
      await thread.answerAll('ok');
      const before = ended(await thread.turn());
      const run = await thread.ask(user, before, userMessage('Hi'));
      expect(run.error).toBeUndefined();
      // The answer that had no thoughts has a space in their place.
      expect(thoughtsIn(model.requests[2])).toEqual([]);
      expect(thoughtsIn(model.requests[3])).toEqual(['The secret is 42.', ' ']);
      const stored = JSON.parse(JSON.stringify([user, before, userMessage('Hi'), ended(await thread.turn())]));
      await openThread(testContext(model.url)).ask(...stored, userMessage('And now?'));
      expect(model.requests).toHaveLength(5);
      expect(thoughtsIn(model.requests[4])).toEqual(['The secret is 42.', ' ', ' ']);
    });

    test('steps of another model have a space in their place', async () => {
      const thread = openThread(testContext(model.url));
      model.reply(thinking, REFUSED, { text: 'Done.' });
      await thread.ask(user);
      const other = withModel(testContext(model.url), { provider: 'deepseek', id: 'deepseek/scripted' });
      expect((await thread.answerAll('ok', other)).error).toBeUndefined();
      expect(thoughtsIn(model.requests[2])).toEqual([' ']);
      expect(stepsOf(await thread.turn()).map(({ settings }) => settings.wantsReasoning)).toEqual([undefined, true]);
    });

    test('are not sent a third time', async () => {
      const thread = openThread(testContext(model.url));
      model.reply(thinking, REFUSED, REFUSED, { text: 'too late' });
      await thread.ask(user);
      const run = await thread.answerAll('ok');
      expect(problemOf(run)).toBe('endpoint-error');
      expect(model.requests).toHaveLength(3);
    });
  });

  test('do not go to another provider, and neither does the first one’s id', async () => {
    const thread = openThread(testContext(model.url));
    model.reply({ ...thinking, calls: [{ ...READ, id: 'first-provider-id' }] }, { text: 'Done.' });
    await thread.ask(userMessage('Look'));
    const other = withModel(testContext(model.url), { provider: 'deepseek', id: 'deepseek/scripted' });
    expect((await thread.answerAll('ok', other)).error).toBeUndefined();
    expect(thoughtsIn(model.requests[1])).toEqual([]);
    expect(JSON.stringify(model.requests[1])).not.toContain('first-provider-id');
    expect(stepsOf(await thread.turn()).map(({ provider }) => provider)).toEqual(['local', 'deepseek']);
  });
});

test('[R18] the key goes to the endpoint and nowhere else', async () => {
  const key = 'sk-test-0123456789abcdef';
  const thread = openThread(testContext(model.url, { apiKey: key }));
  model.reply({ text: 'Hello.' });
  const run = await thread.ask(userMessage('Hi'));
  expect(model.authorizations).toEqual([`Bearer ${key}`]);
  expect(JSON.stringify([model.requests, run.chunks, await thread.turn()])).not.toContain(key);
});
