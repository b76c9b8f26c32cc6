import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { streamText, wrapLanguageModel } from 'ai';
import { expect, test } from 'vitest';
import { ownApiFetch, understoodParts } from './own-api.ts';

const APIS = {
  anthropic: (fetch: typeof globalThis.fetch) => createAnthropic({ apiKey: 'k', fetch })('claude-sonnet-4-5'),
  google: (fetch: typeof globalThis.fetch) => createGoogle({ apiKey: 'k', fetch })('gemini-2.5-flash'),
  openai: (fetch: typeof globalThis.fetch) => createOpenAI({ apiKey: 'k', fetch })('gpt-5'),
};

interface Body {
  text: string;
  type?: string;
  status?: number;
}

/** Reads a response of one of the APIs as the studio does. */
async function received(api: keyof typeof APIS, { text: body, type = 'text/event-stream', status = 200 }: Body) {
  const bytes = new TextEncoder().encode(body);
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      // Cut anywhere, as networks do.
      for (let at = 0; at < bytes.length; at += 7) controller.enqueue(bytes.slice(at, at + 7));
      controller.close();
    },
  });
  const fetch = ownApiFetch(async () => new Response(stream, { status, headers: { 'content-type': type } }));
  const model = wrapLanguageModel({ model: APIS[api](fetch), middleware: understoodParts });
  const got = { text: '', reasoning: '', calls: [] as string[], finish: '', errors: [] as string[] };
  const { stream: parts } = streamText({ model, prompt: 'Hi', maxRetries: 0, onError: () => undefined });
  for await (const part of parts) {
    if (part.type === 'text-delta') got.text += part.text;
    if (part.type === 'reasoning-delta') got.reasoning += part.text;
    if (part.type === 'tool-call') got.calls.push(`${part.toolName} ${JSON.stringify(part.input)}`);
    if (part.type === 'finish-step') got.finish = part.finishReason;
    if (part.type === 'error') got.errors.push((part.error as { message?: string }).message ?? '');
  }
  return got;
}

type Fields = Record<string, unknown>;
const named = (...events: (Fields | string)[]): Body => ({
  text: events
    .map((event) => (typeof event === 'string' ? event : `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`))
    .join(''),
});
const plain = (...events: (Fields | string)[]): Body => ({
  text: events.map((event) => (typeof event === 'string' ? event : `data: ${JSON.stringify(event)}\r\n\r\n`)).join(''),
});
const json = (value: unknown): Body => ({ text: JSON.stringify(value), type: 'application/json' });
const PAGE: Body = { text: '<html><head><title>Bad gateway</title></head></html>', type: 'text/html' };

const MESSAGE = { id: 'm', type: 'message', role: 'assistant', model: 'c', content: [], stop_reason: null };
const USAGE = { input_tokens: 1, output_tokens: 1 };
const START = { type: 'message_start', message: { ...MESSAGE, usage: USAGE } };
const TEXT = [
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } },
];
const END = [
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
  { type: 'message_stop' },
];
const OVERLOADED = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };

const SAID = { candidates: [{ content: { parts: [{ text: 'Hello' }], role: 'model' }, index: 0 }] };
const STOP = { candidates: [{ content: { parts: [{ text: '' }] }, finishReason: 'STOP', index: 0 }] };
const BUSY = { error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } };

const CREATED = { type: 'response.created', response: { id: 'r', created_at: 1, model: 'g', service_tier: null } };
const OUTPUT = [
  { type: 'response.output_item.added', output_index: 0, item: { type: 'message', id: 'i' } },
  { type: 'response.output_text.delta', item_id: 'i', delta: 'Hello', output_index: 0 },
];
const DONE = { type: 'response.completed', response: { usage: USAGE } };

test.each<[string, keyof typeof APIS, Body]>([
  ['pings and comments', 'anthropic', named({ type: 'ping' }, START, ': hi\n\n', { type: 'ping' }, ...TEXT, ...END)],
  ['an event without data', 'anthropic', named('data: \n\n', START, ...TEXT, ...END)],
  ['an event that is new', 'anthropic', named(START, { type: 'brand_new', x: 1 }, ...TEXT, ...END)],
  [
    'a delta that is new',
    'anthropic',
    named(
      START,
      TEXT[0] ?? '',
      { type: 'content_block_delta', index: 0, delta: { type: 'new' } },
      TEXT[1] ?? '',
      ...END,
    ),
  ],
  [
    'a block that is new',
    'anthropic',
    named(
      START,
      { type: 'content_block_start', index: 1, content_block: { type: 'new' } },
      { type: 'content_block_stop', index: 1 },
      ...TEXT,
      ...END,
    ),
  ],
  ['no number of tokens', 'anthropic', named({ ...START, message: MESSAGE }, ...TEXT, ...END)],
  ['a mark of the end', 'anthropic', named(START, ...TEXT, ...END, 'data: [DONE]\n\n')],
  [
    'a whole message',
    'anthropic',
    json({ ...MESSAGE, content: [{ type: 'text', text: 'Hello' }], stop_reason: 'end_turn', usage: USAGE }),
  ],
  ['comments', 'google', plain(': ping\n\n', SAID, STOP)],
  ['chunks without candidates', 'google', plain({ usageMetadata: { promptTokenCount: 1 } }, SAID, STOP)],
  ['a part that is new', 'google', plain({ candidates: [{ content: { parts: [{ new: 1 }] } }] }, SAID, STOP)],
  ['a list of chunks', 'google', json([SAID, STOP])],
  ['keep-alives', 'openai', named({ type: 'keepalive' }, CREATED, ...OUTPUT, DONE)],
  ['an event that is new', 'openai', named(CREATED, { type: 'response.brand_new' }, ...OUTPUT, DONE)],
])('%s in a reply of %s do not matter', async (_, api, body) => {
  expect(await received(api, body)).toEqual({ text: 'Hello', reasoning: '', calls: [], finish: 'stop', errors: [] });
});

test('a whole message of Anthropic’s has its thoughts and calls', async () => {
  const content = [
    { type: 'thinking', thinking: 'Hm.', signature: 's' },
    { type: 'text', text: 'Look:' },
    { type: 'tool_use', id: 't', name: 'read', input: { path: '/a' } },
  ];
  expect(await received('anthropic', json({ ...MESSAGE, content, stop_reason: 'tool_use' }))).toEqual({
    text: 'Look:',
    reasoning: 'Hm.',
    calls: ['read {"path":"/a"}'],
    finish: 'tool-calls',
    errors: [],
  });
});

const PAGE_SAYS = 'The server sent a web page instead of a reply: “Bad gateway”.';

test.each<[string, keyof typeof APIS, Body, string]>([
  ['an error at once', 'anthropic', named(OVERLOADED), 'Overloaded'],
  ['an error after text', 'anthropic', named(START, ...TEXT, OVERLOADED), 'Overloaded'],
  ['an error in plain words', 'anthropic', named('event: error\ndata: Out of memory\n\n'), 'Out of memory'],
  ['an error in place of a stream', 'anthropic', json({ type: 'error', error: { message: 'No credit' } }), 'No credit'],
  ['a page', 'anthropic', PAGE, PAGE_SAYS],
  ['a page with a status', 'anthropic', { ...PAGE, status: 502 }, 'Bad gateway'],
  ['nothing', 'anthropic', { text: '' }, 'The server sent an empty reply.'],
  ['an error at once', 'google', plain(BUSY), 'The model is overloaded.'],
  ['an error after text', 'google', plain(SAID, BUSY), 'The model is overloaded.'],
  ['a list of errors', 'google', json([BUSY]), 'The model is overloaded.'],
  ['a page', 'google', PAGE, PAGE_SAYS],
  ['a page with a status', 'google', { ...PAGE, status: 502 }, 'Bad gateway'],
  ['nothing', 'google', { text: '' }, 'The server sent an empty reply.'],
  ['an error at once', 'openai', named({ type: 'error', code: 'x', message: 'Sorry', param: null }), 'Sorry'],
  [
    'an error of another form',
    'openai',
    named(CREATED, { type: 'error', error: { message: 'Slow down' } }),
    'Slow down',
  ],
  [
    'a failed response',
    'openai',
    named(CREATED, { type: 'response.failed', response: { error: { code: 'server_error', message: 'Broke' } } }),
    'Broke',
  ],
  ['a page', 'openai', PAGE, PAGE_SAYS],
  ['a page with a status', 'openai', { ...PAGE, status: 502 }, 'Bad gateway'],
  ['nothing', 'openai', { text: '' }, 'The server sent an empty reply.'],
  ['what is no reply', 'openai', json({ hello: 'world' }), 'The server did not stream its reply.'],
])('%s from %s is an error in words', async (_, api, body, words) => {
  expect((await received(api, body)).errors).toEqual([words]);
});

test.each<[string, keyof typeof APIS, Body]>([
  ['JSON that is broken', 'anthropic', named(START, ...TEXT, 'data: {"type":"content_block_delta",\n\n', ...END)],
  [
    'a text without its field',
    'anthropic',
    named(START, ...TEXT, { type: 'content_block_delta', index: 0, delta: { type: 'text_delta' } }, ...END),
  ],
  [
    'arguments of another type',
    'anthropic',
    named(
      START,
      { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 't', name: 'read', input: {} } },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"path":"/a' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: 7 } },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '"}' } },
      ...END,
    ),
  ],
  ['parts that are none', 'google', plain(SAID, { candidates: [{ content: { parts: 'none' } }] }, STOP)],
])('%s, in the middle of a reply of %s, is not passed over', async (_, api, body) => {
  const { errors } = await received(api, body);
  expect(errors).toEqual(['A part of the reply arrived damaged.']);
});

test.each<[keyof typeof APIS, Body]>([
  ['anthropic', named(START, ...TEXT)],
  ['google', plain(SAID)],
  ['openai', named(CREATED, ...OUTPUT)],
])('a reply of %s that is cut is not taken for a whole one', async (api, body) => {
  expect(await received(api, body)).toMatchObject({ text: 'Hello', finish: 'interrupted' });
});
