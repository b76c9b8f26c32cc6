import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { expect, test } from 'vitest';
import { resolveModelConfig } from '../config.ts';
import { anthropic } from './anthropic.ts';

interface Block {
  cache_control?: unknown;
}

/** Returns the body that is sent to Anthropic. */
async function sentBody(options: Pick<LanguageModelV4CallOptions, 'prompt' | 'tools'>) {
  let body = '';
  const fetch = async (_: unknown, init?: RequestInit) => {
    body = String(init?.body);
    return new Response('{}', { status: 500 });
  };
  const config = resolveModelConfig({ provider: 'anthropic', model: 'claude-sonnet-4-5', toolCalling: 'auto' });
  const model = anthropic.create(config, { apiKey: 'k', fetch });
  // All that matters is what was sent.
  await Promise.resolve(model.doGenerate(options)).catch(() => undefined);
  return JSON.parse(body) as { system: Block[]; tools?: Block[]; messages: { content: Block[] }[] };
}

const text = (value: string) => [{ type: 'text' as const, text: value }];
const tool = (name: string) => ({ type: 'function' as const, name, inputSchema: { type: 'object' as const } });
const EPHEMERAL = { type: 'ephemeral' };

test('the tools, the system text, and the two latest messages end what Anthropic caches', async () => {
  const { system, tools, messages } = await sentBody({
    tools: [tool('a'), tool('b')],
    prompt: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: text('One') },
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'a', input: {} }] },
      {
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId: 'c', toolName: 'a', output: { type: 'text', value: 'done' } }],
      },
      { role: 'assistant', content: text('Two') },
      { role: 'user', content: text('Three') },
    ],
  });
  expect(system.map(({ cache_control: mark }) => mark)).toEqual([EPHEMERAL]);
  expect(tools?.map(({ cache_control: mark }) => mark)).toEqual([undefined, EPHEMERAL]);
  const marks = messages.map(({ content }) => content.map(({ cache_control: mark }) => mark));
  expect(marks).toEqual([[undefined], [undefined], [undefined], [EPHEMERAL], [EPHEMERAL]]);
});

test('a result of a tool can end it, too', async () => {
  const result = (toolCallId: string) => ({
    type: 'tool-result' as const,
    toolCallId,
    toolName: 'a',
    output: { type: 'text' as const, value: 'done' },
  });
  const { messages } = await sentBody({
    tools: [tool('a')],
    prompt: [
      { role: 'user', content: text('One') },
      {
        role: 'assistant',
        content: ['c', 'd'].map((toolCallId) => ({ type: 'tool-call', toolCallId, toolName: 'a', input: {} })),
      },
      { role: 'tool', content: [result('c'), result('d')] },
    ],
  });
  const marks = messages.map(({ content }) => content.map(({ cache_control: mark }) => mark));
  expect(marks).toEqual([[undefined], [undefined, EPHEMERAL], [undefined, EPHEMERAL]]);
});
