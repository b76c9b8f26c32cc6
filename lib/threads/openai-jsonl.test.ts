import { describe, expect, test } from 'vitest';
import type { AssistantMessage, CompactionPart, Message } from '#lib/messages/message.ts';
import { fromOpenAiJsonl, ImportError, toOpenAiJsonl } from './openai-jsonl.ts';

const LINES = `{"role":"system","content":"Be brief."}
{"role":"user","content":"Read /a"}
{"role":"assistant","content":"Reading.","reasoning_content":"I must read.","tool_calls":[{"id":"c1","type":"function","function":{"name":"read_file","arguments":"{\\"path\\":\\"/a\\"}"}}]}
{"role":"tool","tool_call_id":"c1","content":"alpha"}
{"role":"assistant","content":"It says alpha."}
{"role":"user","content":[{"type":"text","text":"And this?"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}]}
`;

const branchOf = (source: string): Message[] => fromOpenAiJsonl(source).nodes.map(({ message }) => message);

/** Ids are new after every import, so they are compared by position. */
function withoutIds(jsonl: string): string {
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

describe('summaries in OpenAI JSON lines', () => {
  const sizes = { system: 1, tools: 1, protocol: 1, summary: 1, history: 1, files: 1, results: 1 };
  const compaction = (from: { messageId: string; part: number }, stubs: string[] = []): CompactionPart => ({
    ...{ type: 'compaction', id: 'x', stubs, roomTokens: 9, before: sizes, after: sizes },
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
    // What it cost counts in the thread that it was made in.
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
