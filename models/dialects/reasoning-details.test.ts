import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, jsonSchema, type ModelMessage, streamText } from 'ai';
import { expect, test } from 'vitest';
import { chatFetch } from './chat-fetch.ts';
import { eventStream } from './test/receive.ts';

const DETAILS = [
  { type: 'reasoning.text', text: 'Let me look.', index: 0, format: 'google-gemini-v1' },
  { type: 'reasoning.encrypted', data: 'c2ln', id: 'call_1', index: 0, format: 'google-gemini-v1' },
];

const chunk = (delta: object, finish: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const call = { id: 'call_1', type: 'function', function: { name: 'read', arguments: '{}' } };

const EVENTS = [
  chunk({ reasoning_details: [{ ...DETAILS[0], text: 'Let me ' }] }),
  chunk({ reasoning_details: [{ ...DETAILS[0], text: 'look.' }] }),
  chunk({ reasoning_details: [DETAILS[1]], tool_calls: [{ index: 0, ...call }] }),
  chunk({ tool_calls: [{ index: 1, ...call, id: 'call_2' }] }),
  chunk({}, 'tool_calls'),
].map((event) => JSON.stringify(event));

const MESSAGE = { role: 'assistant', content: null, reasoning_details: DETAILS, tool_calls: [call] };

const RESULT = (id: string): ModelMessage => ({
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId: id, toolName: 'read', output: { type: 'text', value: 'x' } }],
});

/** The assistant's messages in the request after this reply. */
async function sentAfter(reply: Response, isStream: boolean): Promise<Record<string, unknown>[]> {
  const bodies: { messages: Record<string, unknown>[] }[] = [];
  const replies = [reply, Response.json({ choices: [{ message: { role: 'assistant', content: 'Done.' } }] })];
  const server: typeof fetch = async (_, init) => {
    bodies.push(JSON.parse(String(init?.body)));
    return replies.shift() as Response;
  };
  const model = createOpenAICompatible({ name: 'openrouter', baseURL: 'http://x/v1', fetch: chatFetch(server) })('m');
  const options = { model, tools: { read: { inputSchema: jsonSchema({ type: 'object' }) } } };
  const first = isStream ? streamText({ ...options, prompt: 'Hi' }) : await generateText({ ...options, prompt: 'Hi' });
  const { messages } = await first.response;
  const stored = JSON.parse(JSON.stringify(messages)) as ModelMessage[];
  const results = (await first.toolCalls).map(({ toolCallId }) => RESULT(toolCallId));
  await generateText({ ...options, messages: [{ role: 'user', content: 'Hi' }, ...stored, ...results] });
  return bodies[1]?.messages.filter(({ role }) => role === 'assistant') ?? [];
}

test.each([
  ['a stream', () => eventStream([...EVENTS, '[DONE]']), true],
  ['a completion', () => Response.json({ choices: [{ message: MESSAGE, finish_reason: 'tool_calls' }] }), false],
])('details about the thoughts of a call go back as they came, in %s', async (_, reply, isStream) => {
  const [message] = await sentAfter(reply(), isStream);
  expect(message?.reasoning_details).toEqual(DETAILS);
  expect(JSON.stringify(message)).not.toContain('extra_content');
});

test('a signature of Google’s goes back as one', async () => {
  const signed = { ...call, extra_content: { google: { thought_signature: 'c2ln' } } };
  const [message] = await sentAfter(
    eventStream([JSON.stringify(chunk({ tool_calls: [signed] }, 'tool_calls')), '[DONE]']),
    true,
  );
  expect(message).toMatchObject({ tool_calls: [{ extra_content: { google: { thought_signature: 'c2ln' } } }] });
});

test('more than can be sent with each request is left out', async () => {
  const detail = { type: 'reasoning.encrypted', data: 'x'.repeat(300_000) };
  const [message] = await sentAfter(
    eventStream([JSON.stringify(chunk({ reasoning_details: [detail], tool_calls: [call] }, 'tool_calls')), '[DONE]']),
    true,
  );
  expect(message?.reasoning_details).toBeUndefined();
  expect(JSON.stringify(message)).not.toContain('reasoning_details');
});
