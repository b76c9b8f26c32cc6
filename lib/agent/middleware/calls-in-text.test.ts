import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { wrapLanguageModel } from 'ai';
import { describe, expect, test } from 'vitest';
import { toolRegistry } from '#lib/tools/toolsets.ts';
import { collect, finish, scriptedModel } from '../test/scripted-model.ts';
import { callsInText } from './calls-in-text.ts';

const CALL = '```json\n{"name": "read_file", "arguments": {"path": "/a"}}\n```';

const text = (whole: string, id = '0'): LanguageModelV4StreamPart[] => [
  { type: 'text-start', id },
  ...Array.from(whole, (delta): LanguageModelV4StreamPart => ({ type: 'text-delta', id, delta })),
  { type: 'text-end', id },
];

/** Reads the parts that arrive, and joins the deltas of a block. */
async function arrives(parts: readonly LanguageModelV4StreamPart[], options: Partial<LanguageModelV4CallOptions> = {}) {
  let next = 0;
  const middleware = callsInText({ tools: toolRegistry.list(), createId: () => `id-${++next}` });
  const model = wrapLanguageModel({ model: scriptedModel(parts).model, middleware });
  const read: string[] = [];
  for (const part of await collect(model, { prompt: [], ...options })) {
    if (part.type === 'text-delta') {
      const last = read.at(-1);
      if (last?.startsWith('text: ')) read[read.length - 1] = last + part.delta;
      else read.push(`text: ${part.delta}`);
    } else if (part.type === 'tool-call') read.push(`call: ${part.toolCallId} ${part.toolName} ${part.input}`);
    else if (part.type === 'finish')
      read.push(`finish: ${part.finishReason.unified} ${JSON.stringify(part.providerMetadata?.studio ?? null)}`);
    else read.push(part.type);
  }
  return read;
}

const NATIVE: LanguageModelV4StreamPart[] = [
  { type: 'tool-input-start', id: 'n', toolName: 'read_file' },
  { type: 'tool-input-end', id: 'n' },
  { type: 'tool-call', toolCallId: 'n', toolName: 'read_file', input: '{"path":"/b"}' },
];

const FOUND = ['tool-input-start', 'tool-input-delta', 'tool-input-end', 'call: id-1 read_file {"path":"/a"}'];

test('a reply that ends in a call is text and a call', async () => {
  expect(await arrives([...text(`I look.\n\n${CALL}\n`), finish()])).toEqual([
    'text-start',
    'text: I look.\n\n',
    'text-end',
    ...FOUND,
    'finish: tool-calls {"callsInText":true}',
  ]);
});

test('a reply that is a call leaves no empty text behind', async () => {
  expect(await arrives([...text(CALL), finish()])).toEqual([...FOUND, 'finish: tool-calls {"callsInText":true}']);
});

test('behind words, a call that changes something may be an example', async () => {
  const write = CALL.replace('read_file', 'delete_path');
  const notes = async (whole: string) => (await arrives([...text(whole), finish()])).at(-1) ?? '';
  expect(await notes(`Never let an agent send this:\n${write}`)).toContain(
    '"doubtfulCalls":[{"index":0,"excerpt":"```json',
  );
  expect(await notes(`Never send this: ${write.slice(8, -4)}`)).toContain('"doubtfulCalls":[{"index":0');
  expect(await notes(`\n\n${write}`)).toBe('finish: tool-calls {"callsInText":true}');
});

test('what was held back is shown if the stream breaks', async () => {
  const begun = 'Here it is:\n\n<tool_call>{"name":"write_file","arguments":{"path":"/a","content":"one';
  for (const end of [[], [{ type: 'error', error: new Error('gone') } as const]])
    expect(await arrives([...text(begun).slice(0, -1), ...end])).toEqual([
      'text-start',
      `text: ${begun}`,
      ...end.map(({ type }) => type),
    ]);
});

describe('a reply stays as it is', () => {
  test.each([
    ['with an invented result after the call', `${CALL}\nResult: one`],
    ['with an invented conversation after the call', `${CALL}\n\nUser: Thanks!\nYou: Any time.`],
    ['with a result in another fence after the call', `${CALL}\n\`\`\`tool_output\none\n\`\`\``],
    ['with text after the call', `${CALL}\nThat reads the file.`],
    ['with a call of an unknown tool', '<tool_call>{"name": "make_coffee", "arguments": {"strength": 3}}</tool_call>'],
    ['with reasoning in it', `<think>Hm.</think>${CALL}`],
    ['without a call', 'Nothing to do: a < b, and {"a": 1}.'],
    ['with a quoted call', 'Write `{"name": "read_file", "arguments": {"path": "/a"}}` for that.'],
  ])('%s', async (_, whole) => {
    expect(await arrives([...text(whole), finish()])).toEqual([
      'text-start',
      `text: ${whole}`,
      'text-end',
      'finish: stop null',
    ]);
  });

  test('if it was cut off', async () => {
    expect(await arrives([...text(CALL), finish('length')])).toEqual([
      'text-start',
      `text: ${CALL}`,
      'text-end',
      'finish: length null',
    ]);
  });

  test('with native calls, and with several texts', async () => {
    const native = ['tool-input-start', 'tool-input-end', 'call: n read_file {"path":"/b"}', 'finish: tool-calls null'];
    expect(await arrives([...text(CALL), ...NATIVE, finish('tool-calls')])).toEqual([
      'text-start',
      `text: ${CALL}`,
      'text-end',
      ...native,
    ]);
    expect(await arrives([...text(CALL), ...text('Done.', '1'), finish()])).toEqual([
      'text-start',
      `text: ${CALL}`,
      'text-end',
      'text-start',
      'text: Done.',
      'text-end',
      'finish: stop null',
    ]);
  });

  test('with a text that is still empty when a native call begins, and ends after it', async () => {
    const start = { type: 'text-start', id: '0' } as const;
    const end = { type: 'text-end', id: '0' } as const;
    expect(await arrives([start, ...NATIVE, end, finish('tool-calls')])).toEqual([
      'text-start',
      'tool-input-start',
      'tool-input-end',
      'call: n read_file {"path":"/b"}',
      'text-end',
      'finish: tool-calls null',
    ]);
  });

  test('if no calls are allowed', async () => {
    expect(await arrives([...text(CALL), finish()], { toolChoice: { type: 'none' } })).toContain(`text: ${CALL}`);
  });
});

test('text is passed on as it arrives, up to where a call seems to begin', async () => {
  const middleware = callsInText({ tools: toolRegistry.list(), createId: () => 'id' });
  const model = wrapLanguageModel({ model: scriptedModel([...text('One two. Three'), finish()]).model, middleware });
  const deltas = (await collect(model, { prompt: [] })).filter(({ type }) => type === 'text-delta');
  expect(deltas.length).toBeGreaterThan(5);
});
