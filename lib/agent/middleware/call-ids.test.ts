import type { LanguageModelV4Prompt, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { wrapLanguageModel } from 'ai';
import { describe, expect, test } from 'vitest';
import { collect, scriptedModel } from '../test/scripted-model.ts';
import { freshCallIds } from './call-ids.ts';

let next = 0;
const createId = (): string => `fresh-${++next}`;

const callParts = (id: string, input: string, toolName = 'read_file'): LanguageModelV4StreamPart[] => [
  { type: 'tool-input-start', id, toolName },
  { type: 'tool-input-delta', id, delta: input },
  { type: 'tool-input-end', id },
  { type: 'tool-call', toolCallId: id, toolName, input },
];

async function rename(parts: readonly LanguageModelV4StreamPart[], prompt: LanguageModelV4Prompt = []) {
  const provider = scriptedModel(parts);
  const model = wrapLanguageModel({ model: provider.model, middleware: freshCallIds(createId) });
  return { parts: await collect(model, { prompt }), sent: provider.prompts };
}

const idsOf = (parts: readonly LanguageModelV4StreamPart[]) =>
  parts.flatMap((part) => {
    switch (part.type) {
      case 'tool-call':
        return [part.toolCallId];
      case 'tool-input-start':
      case 'tool-input-delta':
      case 'tool-input-end':
        return [part.id];
      default:
        return [];
    }
  });

describe('[R2] calls as they arrive', () => {
  test('all parts of a call carry the same fresh id', async () => {
    const { parts } = await rename(callParts('call_0', '{}'));
    const ids = new Set(idsOf(parts));
    expect(ids.size).toBe(1);
    expect([...ids][0]).toMatch(/^fresh-/);
  });

  test('the provider’s id stays in the metadata, next to the provider’s own fields', async () => {
    const { parts } = await rename([
      {
        type: 'tool-call',
        toolCallId: 'call_0',
        toolName: 'f',
        input: '{}',
        providerMetadata: { google: { thoughtSignature: 's' } },
      },
    ]);
    expect(parts).toMatchObject([
      { providerMetadata: { google: { thoughtSignature: 's' }, roundtrip: { callId: 'call_0' } } },
    ]);
  });

  test('all calls are kept if a provider gives them the same id', async () => {
    const { parts } = await rename([...callParts('call_0', '{"a":1}'), ...callParts('call_0', '{"a":2}')]);
    const calls = parts.filter((part) => part.type === 'tool-call');
    expect(new Set(calls.map(({ toolCallId }) => toolCallId)).size).toBe(2);
    for (const call of calls) {
      const delta = parts.find((part) => part.type === 'tool-input-delta' && part.id === call.toolCallId);
      expect(delta).toMatchObject({ delta: call.input });
    }
  });

  test('calls that arrive complete, without streamed arguments, get ids too', async () => {
    const whole: LanguageModelV4StreamPart = { type: 'tool-call', toolCallId: 'call_0', toolName: 'f', input: '{}' };
    const { parts } = await rename([whole, whole]);
    expect(new Set(idsOf(parts)).size).toBe(2);
  });

  test('ids that look like object internals are ids like any other', async () => {
    const { parts } = await rename([...callParts('__proto__', '{}'), ...callParts('constructor', '{}')]);
    expect(idsOf(parts).every((id) => id.startsWith('fresh-'))).toBe(true);
    expect(new Set(idsOf(parts)).size).toBe(2);
  });

  test('everything else passes unchanged', async () => {
    const others: LanguageModelV4StreamPart[] = [
      { type: 'text-start', id: 'call_0' },
      { type: 'text-delta', id: 'call_0', delta: 'call_0' },
      { type: 'text-end', id: 'call_0' },
    ];
    expect((await rename(others)).parts).toEqual(others);
  });
});

describe('[R2] calls as they are sent back', () => {
  const step = (id: string, own: unknown): LanguageModelV4Prompt => [
    {
      role: 'assistant',
      content: [
        {
          type: 'tool-call',
          toolCallId: id,
          toolName: 'f',
          input: {},
          ...(own === undefined ? {} : { providerOptions: { roundtrip: { callId: own as string } } }),
        },
      ],
    },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: id, toolName: 'f', output: { type: 'text', value: id } }],
    },
  ];

  async function sentIds(prompt: LanguageModelV4Prompt): Promise<string[]> {
    const { sent } = await rename([], prompt);
    return (sent[0] ?? []).flatMap(({ content }) =>
      typeof content === 'string' ? [] : content.flatMap((part) => ('toolCallId' in part ? [part.toolCallId] : [])),
    );
  }

  test('the provider gets its own ids back, on calls and results', async () => {
    expect(await sentIds([...step('a', 'toolu_1'), ...step('b', 'toolu_2')])).toEqual([
      'toolu_1',
      'toolu_1',
      'toolu_2',
      'toolu_2',
    ]);
  });

  test('an id shared by two calls is restored only once', async () => {
    expect(await sentIds([...step('a', 'call_0'), ...step('b', 'call_0')])).toEqual(['call_0', 'call_0', 'b', 'b']);
  });

  test.each([undefined, '', 7, null])('a call whose own id is %j keeps ours', async (own) => {
    expect(await sentIds(step('a', own))).toEqual(['a', 'a']);
  });
});
