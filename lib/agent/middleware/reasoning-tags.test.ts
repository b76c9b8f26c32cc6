import { wrapLanguageModel } from 'ai';
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test';
import { describe, expect, test } from 'vitest';
import { reasoningTags } from './reasoning-tags.ts';

/** Separates a text that arrives in pieces of `size` characters into the answer and the reasoning. */
async function separated(text: string, { size = 3, startsInReasoning = false, hasCall = false } = {}) {
  const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  );
  const provider = new MockLanguageModelV4({
    doStream: async () => ({
      stream: simulateReadableStream({
        initialDelayInMs: null,
        chunkDelayInMs: null,
        chunks: [
          { type: 'text-start', id: 't' } as const,
          ...pieces.map((delta) => ({ type: 'text-delta', id: 't', delta }) as const),
          { type: 'text-end', id: 't' } as const,
          ...(hasCall ? [{ type: 'tool-call', toolCallId: 'a', toolName: 'read_file', input: '{}' } as const] : []),
          {
            type: 'finish',
            finishReason: { unified: 'stop', raw: 'stop' },
            usage: {
              inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
              outputTokens: { total: 1, text: 1, reasoning: 0 },
            },
          } as const,
        ],
      }),
    }),
  });
  const model = wrapLanguageModel({ model: provider, middleware: reasoningTags({ tag: 'think', startsInReasoning }) });
  const { stream } = await model.doStream({ prompt: [] });
  const said = { text: '', reasoning: '', isMarked: false, parts: [] as string[] };
  const open = new Set<string>();
  for await (const part of stream) {
    if (part.type === 'text-delta') said.text += part.delta;
    if (part.type === 'text-end' && part.providerMetadata?.roundtrip?.becomesReasoning === true) {
      said.reasoning += said.text;
      said.text = '';
    }
    if (part.type === 'finish' && part.providerMetadata?.studio?.thoughtIsAnswer === true) said.isMarked = true;
    if (part.type === 'reasoning-delta') said.reasoning += part.delta;
    if (part.type === 'text-start' || part.type === 'reasoning-start') {
      open.add(part.id);
      said.parts.push(part.type);
    }
    if (part.type === 'text-delta' || part.type === 'reasoning-delta') expect(open.has(part.id)).toBe(true);
    if (part.type === 'text-end' || part.type === 'reasoning-end') expect(open.delete(part.id)).toBe(true);
    if (part.type === 'finish') expect(open.size).toBe(0);
  }
  return said;
}

describe.each([1, 2, 3, 7, 1_000])('in pieces of %i characters', (size) => {
  test.each<[string, string, { text: string; reasoning: string }]>([
    ['a thought, and an answer', '<think>Hm.</think>\n\nYes.', { text: 'Yes.', reasoning: 'Hm.' }],
    ['space before the thought', '\n <think>\nHm.\n</think>Yes.', { text: 'Yes.', reasoning: '\nHm.\n' }],
    ['two thoughts', '<think>A</think>\n<think>B</think>C', { text: 'C', reasoning: 'AB' }],
    ['an empty thought', '<think>\n\n</think>\n\nYes.', { text: 'Yes.', reasoning: '\n\n' }],
    ['no thought', 'Yes < no.', { text: 'Yes < no.', reasoning: '' }],
    [
      'an answer about the tag',
      'A model writes <think>like this</think>, or `<think>`.',
      { text: 'A model writes <think>like this</think>, or `<think>`.', reasoning: '' },
    ],
    [
      'an answer about the tag, after a thought',
      '<think>Explain.</think>Write `<think>` and `</think>`.',
      { text: 'Write `<think>` and `</think>`.', reasoning: 'Explain.' },
    ],
    ['code at the start', '```\n<think>\n```', { text: '```\n<think>\n```', reasoning: '' }],
    ['an inline tag at the start', '`<think>` is a tag.', { text: '`<think>` is a tag.', reasoning: '' }],
    ['another tag', '<thinkers>', { text: '<thinkers>', reasoning: '' }],
    ['only a beginning', '<thin', { text: '<thin', reasoning: '' }],
  ])('%s', async (_, written, expected) => {
    expect(await separated(written, { size })).toMatchObject(expected);
  });

  test.each<[string, string, { text: string; reasoning: string }]>([
    ['on a line of its own', 'Hm.\n</think>\n\nYes.', { text: 'Yes.', reasoning: 'Hm.\n' }],
    ['at the end of a line', 'Hm.</think>\nYes.', { text: 'Yes.', reasoning: 'Hm.' }],
    ['at the start of a line', 'Hm.\n</think>Yes.', { text: 'Yes.', reasoning: 'Hm.\n' }],
    ['before anything', '</think>\n\nYes.', { text: 'Yes.', reasoning: '' }],
    ['behind code', 'Is `a` b?\n```\nx\n```\n</think>\nYes.', { text: 'Yes.', reasoning: 'Is `a` b?\n```\nx\n```\n' }],
    ['in prose', 'Then </think> comes.', { text: 'Then </think> comes.', reasoning: '' }],
    [
      'in code',
      'Write `</think>` or ```</think>\n```.',
      { text: 'Write `</think>` or ```</think>\n```.', reasoning: '' },
    ],
    ['in a fence', '```\n</think>\n```\nSo.', { text: '```\n</think>\n```\nSo.', reasoning: '' }],
    ['a second time', 'A\n</think>\nB\n</think>\nC', { text: 'B\n</think>\nC', reasoning: 'A\n' }],
    [
      'in a block of code',
      'So:\n\n    a\n    </think>\n    b',
      { text: 'So:\n\n    a\n    </think>\n    b', reasoning: '' },
    ],
    ['in a fence that is quoted', '> ```\n> </think>\n> ```', { text: '> ```\n> </think>\n> ```', reasoning: '' }],
    [
      'in an answer that opens one',
      'Use <think> to open, and to close, </think>\nThat is all.',
      { text: 'Use <think> to open, and to close, </think>\nThat is all.', reasoning: '' },
    ],
    ['behind a thought', '<think>A</think>B\n</think>\nC', { text: 'B\n</think>\nC', reasoning: 'A' }],
  ])('a closing tag without a partner: %s', async (_, written, expected) => {
    expect(await separated(written, { size })).toMatchObject({ ...expected, isMarked: false });
  });

  test('a thought that ends the reply, closed or not, is the answer', async () => {
    expect(await separated('<think>It is 4.', { size })).toMatchObject({ text: 'It is 4.', reasoning: 'It is 4.' });
    for (const written of ['<think>It is 4.', '<think>It is 4.</think>', 'It is 4.\n</think>', 'It is 4.</think>\n\n'])
      expect(await separated(written, { size }), written).toMatchObject({
        text: expect.stringMatching(/^It is 4\.\s*$/),
        isMarked: true,
      });
  });

  test('a thought before a call is one, although its tag has no partner', async () => {
    for (const written of ['I will read.\n</think>', 'I will read.\n</think>\n\n'])
      expect(await separated(written, { size, hasCall: true })).toMatchObject({
        text: '',
        reasoning: 'I will read.\n',
        isMarked: false,
      });
  });

  test('a thought that never ends, before a call, is a thought', async () => {
    expect(await separated('<think>I will read.', { size, hasCall: true })).toMatchObject({
      text: '',
      reasoning: 'I will read.',
    });
  });

  test('a reply that begins inside of a thought', async () => {
    const options = { size, startsInReasoning: true };
    expect(await separated('Hm.</think>Yes.', options)).toMatchObject({ text: 'Yes.', reasoning: 'Hm.' });
    expect(await separated('<think>Hm.</think>Yes.', options)).toMatchObject({ text: 'Yes.', reasoning: 'Hm.' });
    expect(await separated('Yes.', options)).toMatchObject({ text: 'Yes.', reasoning: 'Yes.' });
  });
});

test('any amount of space may stand behind a closing tag', async () => {
  const { text } = await separated(`a\n</think>${' '.repeat(50_000)}b`, { size: 10 });
  expect(text).toBe('b');
});
