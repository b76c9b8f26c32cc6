import { describe, expect, test } from 'vitest';
import type { AssistantMessage, CompactionPart, Message, StepPart, ToolCallPart } from '#lib/messages/message.ts';
import type { ToolResult } from '#lib/tools/core/tool-call.ts';
import { fromLines, fromOpenAiJsonl, ImportError, readLine, toOpenAiJsonl } from './openai-jsonl.ts';
import { toClaimLine } from './openai-lines.ts';

const LINES = `{"role":"system","content":"Be brief."}
{"role":"user","content":"Read /a"}
{"role":"assistant","content":"Reading.","reasoning_content":"I must read.","tool_calls":[{"id":"c1","type":"function","function":{"name":"read_file","arguments":"{\\"path\\":\\"/a\\"}"}}]}
{"role":"tool","tool_call_id":"c1","content":"alpha"}
{"role":"assistant","content":"It says alpha."}
{"role":"user","content":[{"type":"text","text":"And this?"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}]}
`;

const branchOf = (source: string): Message[] => fromOpenAiJsonl(source).nodes.map(({ message }) => message);

/** Returns the lines as other programs read them. Ids are new after every import, so their positions replace them. */
function withoutIds(given: string): string {
  const jsonl = given.replace(/[^\n]+/g, (line) => {
    const { roundtrip: _, ...plain } = JSON.parse(line);
    return JSON.stringify(plain);
  });
  const ids = [...new Set([...jsonl.matchAll(/"(?:id|tool_call_id)":"([^"]+)"/g)].map((match) => match[1] ?? ''))];
  return ids.reduce((text, id, index) => text.replaceAll(id, `id${index}`), jsonl);
}

describe('OpenAI JSON lines', () => {
  test('importing an exported conversation gives the same conversation', () => {
    const { systemPrompt } = fromOpenAiJsonl(LINES);
    expect(systemPrompt).toBe('Be brief.');
    const exported = toOpenAiJsonl(branchOf(LINES), systemPrompt ?? '');
    expect(withoutIds(exported)).toBe(withoutIds(LINES));
    expect(withoutIds(toOpenAiJsonl(branchOf(exported), 'Be brief.'))).toBe(withoutIds(LINES));
  });

  test('a turn is one message, however many steps it took', () => {
    expect(branchOf(LINES).map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  });

  test('[R1] every exported call has a result', () => {
    const [user] = branchOf('{"role":"user","content":"x"}');
    const pending: Message = {
      id: 'a',
      role: 'assistant',
      createdAt: 1,
      status: { type: 'stopped' },
      parts: [{ type: 'tool-call', toolCallId: 'c', toolName: 'f', inputState: 'incomplete', inputText: '{"a' }],
    };
    const lines = toOpenAiJsonl(user === undefined ? [] : [user, pending], '')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    expect(lines[1].tool_calls[0].function.arguments).toBe('{"a');
  });

  test.each([
    ['not json', 'Line 1 is not valid JSON.'],
    ['{"role":"user","content":"a"}\n{"role":"robot"}', 'Line 2'],
    ['{"role":"tool","tool_call_id":"x","content":"y"}', 'no earlier line contains that call'],
    ['\n\n', 'contains no messages'],
  ])('%j is refused with the line and the reason', (source, reason) => {
    expect(() => fromOpenAiJsonl(source)).toThrow(ImportError);
    expect(() => fromOpenAiJsonl(source)).toThrow(reason);
  });
});

describe('what that format cannot hold', () => {
  const settings = { systemPrompt: 'Be brief.', toolsets: ['files'], toolCalling: 'native' as const, budgetTokens: 9 };
  const step: StepPart = {
    type: 'step',
    model: 'm',
    provider: 'p',
    promptHash: 'h',
    settings: { ...settings, lastStep: false },
    finishReason: 'stop',
    usage: { inputTokens: 5 },
    notices: [{ code: 'length' }],
  };
  const call = (id: string, more: Partial<ToolCallPart>): ToolCallPart => ({
    type: 'tool-call',
    toolCallId: id,
    toolName: 'f',
    inputState: 'complete',
    input: { a: 1 },
    ...more,
  });
  const failed: ToolResult = { type: 'tool-error', toolCallId: 'c2', toolName: 'f', code: 'denied', message: 'No.' };
  const whole: Message[] = [
    {
      id: 'q',
      role: 'user',
      createdAt: 1,
      parts: [
        { type: 'text', text: 'Look' },
        { type: 'file', mediaType: 'text/plain', filename: 'a.txt', url: 'data:text/plain;base64,aGk=' },
        { type: 'file', mediaType: 'image/png', filename: 'b.png', url: 'data:image/png;base64,AAAA' },
      ],
    },
    {
      id: 'a',
      role: 'assistant',
      createdAt: 2,
      status: { type: 'done' },
      parts: [
        step,
        { type: 'reasoning', text: 'Hm', durationMs: 3, providerMetadata: { anthropic: { signature: 's' } } },
        { type: 'text', text: 'One. ' },
        { type: 'reasoning', text: '…' },
        { type: 'text', text: 'Two.', providerMetadata: { openai: { itemId: 'i' } } },
        call('c1', {
          origin: { type: 'shown', excerpt: 'y' },
          result: {
            type: 'tool-result',
            toolCallId: 'c1',
            toolName: 'f',
            durationMs: 4,
            output: { content: 'Hi', data: { n: 1 } },
            files: [{ path: '/a', hash: 'h' }],
          },
        }),
        call('c2', { result: failed }),
        call('c3', {
          inputState: 'incomplete',
          inputText: '{"a',
          input: undefined,
          result: { ...failed, toolCallId: 'c3' },
        }),
        step,
        { type: 'text', text: 'Done.' },
      ],
    },
  ];
  const linesOf = (jsonl: string) =>
    jsonl
      .trim()
      .split('\n')
      .map((line, index) => readLine(JSON.parse(line), index + 1));

  test('is read again, as the same conversation', () => {
    const { nodes, systemPrompt } = fromLines(linesOf(toOpenAiJsonl(whole, 'Be brief.')), { keepsIds: true });
    expect(systemPrompt).toBe('Be brief.');
    expect(nodes.map(({ message }) => message)).toEqual(whole);
  });

  test('is read by an import, too, but for ids and for what it cost elsewhere', () => {
    const [question, answer] = branchOf(toOpenAiJsonl(whole, 'Be brief.'));
    expect(question?.id).not.toBe('q');
    expect(question?.parts).toEqual(whole[0]?.parts);
    const first = answer?.parts[0];
    expect(first).toMatchObject({ type: 'step', model: 'm', settings: { systemPrompt: 'Be brief.' } });
    expect(first).not.toHaveProperty('usage');
    // Its prompt cannot be built again here, without the tools of the place that it comes from.
    expect(first).toHaveProperty('promptHash', '');
    const calls = answer?.parts.filter((part) => part.type === 'tool-call') ?? [];
    expect(calls.map((part) => part.type === 'tool-call' && part.result)).toMatchObject([
      { type: 'tool-result', output: { data: { n: 1 } }, files: [{ path: '/a', hash: 'h' }] },
      { type: 'tool-error', code: 'denied', message: 'No.' },
      { type: 'tool-error', code: 'denied' },
    ]);
    expect(calls.map((part) => part.type === 'tool-call' && part.toolCallId)).not.toContain('c1');
  });

  test('counts for less than what other programs changed in a line', () => {
    const changed = toOpenAiJsonl(whole, '')
      .replace('"content":"Done."', '"content":"Done, almost."')
      .replace('"content":"Hi"', '"content":"Ho"');
    const answer = fromLines(linesOf(changed), { keepsIds: true }).nodes[1]?.message;
    expect(answer?.parts.at(-1)).toMatchObject({ type: 'text', text: 'Done, almost.' });
    const result = answer?.parts.find((part) => part.type === 'tool-call');
    expect(result?.type === 'tool-call' && result.result).toMatchObject({
      type: 'tool-result',
      output: { content: 'Ho' },
    });
  });

  test('a call that was about to run reads as interrupted until its result follows', () => {
    const claim = `${JSON.stringify(toClaimLine({ toolCallId: 'c1', toolName: 'f' }, 'me'))}\n`;
    const lines = toOpenAiJsonl(whole, '').split('\n');
    const at = lines.findIndex((line) => line.includes('"role":"tool"'));
    const resultsOf = (text: string) =>
      fromLines(linesOf(text), { keepsIds: true }).nodes[1]?.message.parts.flatMap((part) =>
        part.type === 'tool-call' ? [part.result?.type] : [],
      );
    expect(resultsOf(lines.toSpliced(at, 1, claim.trim()).join('\n'))?.[0]).toBe('tool-error');
    expect(resultsOf(lines.toSpliced(at, 0, claim.trim()).join('\n'))?.[0]).toBe('tool-result');
  });

  test('a damaged field is left aside', () => {
    const damaged = toOpenAiJsonl(whole, '')
      .replaceAll('"type":"step"', '"type":"x"')
      .replaceAll('"parts":[', '"parts":[7,');
    expect(branchOf(damaged).map(({ role }) => role)).toEqual(['user', 'assistant']);
  });
});

describe('summaries in OpenAI JSON lines', () => {
  const sizes = { system: 1, tools: 1, protocol: 1, summary: 1, history: 1, files: 1, results: 1 };
  const compaction = (from: { messageId: string; part: number }, stubs: string[] = []): CompactionPart => ({
    type: 'compaction',
    id: 'x',
    stubs,
    roomTokens: 9,
    before: sizes,
    after: sizes,
    summary: {
      text: 'It went well.',
      from,
      messageChars: 9,
      saidTokens: 9,
      model: 'm',
      provider: 'p',
      usage: { inputTokens: 5 },
    },
  });
  /** The lines as a branch, with a compaction before the second step of the answer and one before a third. */
  const branch = (from: (question: Message, answer: Message) => { messageId: string; part: number }): Message[] => {
    const [question, answer, next] = branchOf(LINES) as [Message, AssistantMessage, Message];
    const call = answer.parts.find((part) => part.type === 'tool-call');
    const at = answer.parts.findLastIndex(({ type }) => type === 'step');
    const parts = answer.parts.toSpliced(at, 0, compaction(from(question, answer), [call?.toolCallId ?? '']));
    return [question, { ...answer, parts }, next];
  };
  const compactionsIn = (messages: readonly Message[]) =>
    messages.flatMap((message) =>
      message.role === 'assistant' ? message.parts.filter((part) => part.type === 'compaction') : [],
    );

  test('are there again after an import, with the ids that were given', () => {
    const own = branch(({ id }) => ({ messageId: id, part: 0 }));
    const again = branchOf(toOpenAiJsonl(own, ''));
    const [part] = compactionsIn(again);
    expect(part?.summary).toMatchObject({ text: 'It went well.', from: { messageId: again[0]?.id, part: 0 } });
    const call = (again[1] as AssistantMessage).parts.find((one) => one.type === 'tool-call');
    expect(part?.stubs).toEqual([call?.toolCallId]);
    expect(part?.id).not.toBe('x');
    // Its cost counts in the thread in which it was made.
    expect(part?.summary).not.toHaveProperty('usage');
  });

  test('keep everything from the same step, wherever its parts are', () => {
    const own = branch((_, answer) => ({ messageId: answer.id, part: answer.parts.length }));
    const answer = own[1] as AssistantMessage;
    const second = answer.parts.findLastIndex(({ type }) => type === 'step');
    const parts = answer.parts.map((part) =>
      part.type === 'compaction' ? compaction({ messageId: answer.id, part: second }) : part,
    );
    const again = branchOf(toOpenAiJsonl([own[0] as Message, { ...answer, parts }], ''))[1] as AssistantMessage;
    const from = compactionsIn([again])[0]?.summary?.from;
    expect(again.parts[from?.part ?? 0]?.type).toBe('step');
    expect(again.parts.slice(from?.part).some((part) => part.type === 'text' && part.text === 'It says alpha.')).toBe(
      true,
    );
    expect(again.parts.slice(from?.part).some((part) => part.type === 'tool-call')).toBe(false);
  });

  test('are kept if the step after them said nothing, or if the turn ended before it', () => {
    const [question, answer, next] = branchOf(LINES) as [Message, AssistantMessage, Message];
    const trailing = { ...answer, parts: [...answer.parts, compaction({ messageId: question.id, part: 0 })] };
    const later: AssistantMessage = {
      ...answer,
      id: 'later',
      parts: [...answer.parts.slice(0, 1), { type: 'text', text: 'Yes.' }],
    };
    const again = branchOf(toOpenAiJsonl([question, trailing, next, later], ''));
    expect(compactionsIn([again[1] as Message])).toEqual([]);
    expect(compactionsIn([again[3] as Message])).toMatchObject([{ summary: { from: { messageId: again[0]?.id } } }]);
  });

  test('count only the steps that are in the file', () => {
    const [question, answer] = branchOf(LINES) as [Message, AssistantMessage];
    const step = answer.parts[0] as AssistantMessage['parts'][number];
    const said = (text: string): AssistantMessage['parts'] => [step, { type: 'text', text }];
    // A step that said nothing, and then A, B, and C; everything from B on is kept.
    const parts = [step, ...said('A'), ...said('B'), compaction({ messageId: answer.id, part: 3 }), ...said('C')];
    const again = branchOf(toOpenAiJsonl([question, { ...answer, parts }], ''))[1] as AssistantMessage;
    const from = compactionsIn([again])[0]?.summary?.from.part ?? 0;
    expect(again.parts.slice(from).find((part) => part.type === 'text')).toMatchObject({ text: 'B' });
  });

  test('are left out if what they refer to is not in the file, or if they cannot be read', () => {
    expect(
      compactionsIn(
        branchOf(
          toOpenAiJsonl(
            branch(() => ({ messageId: 'gone', part: 0 })),
            '',
          ),
        ),
      ),
    ).toEqual([]);
    const line = '{"role":"assistant","content":"Hi","roundtrip":{"compactions":[{"type":"compaction"}]}}';
    expect(compactionsIn(branchOf(`{"role":"user","content":"x"}\n${line}`))).toEqual([]);
  });
});
