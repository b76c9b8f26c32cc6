import { describe, expect, test } from 'vitest';
import type { Message } from '#lib/messages/message.ts';
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
