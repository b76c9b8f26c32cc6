import { expect, test } from 'vitest';
import { random as randomOf } from '#lib/vfs/test/random.ts';
import { chatFetch } from './chat-fetch.ts';
import { receive } from './test/receive.ts';
import { type ServerStream, STREAMS } from './test/streams.ts';

/** `FUZZ_SEEDS=10000 npm run unit -- models/dialects/mutations.fuzz.test.ts` tries that many seeds. */
const SEEDS = Number(process.env.FUZZ_SEEDS ?? 600);

/** Fields with what the reply says. Neither they nor what holds them may be lost; all else may. */
const SAID = new Set([
  'content',
  'reasoning_content',
  'reasoning',
  'reasoning_details',
  'name',
  'arguments',
  'text',
  'thinking',
]);
/** Fields that frame what is said. */
const FRAMES = new Set(['choices', 'delta', 'tool_calls', 'function']);

type Json = { [name: string]: unknown };

interface Place {
  holder: Json;
  name: string;
}

/** All fields of a value, at any depth, but for what is said. */
function fieldsIn(value: unknown): Place[] {
  if (Array.isArray(value)) return value.flatMap(fieldsIn);
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Json;
  return Object.keys(holder).flatMap((name) => (SAID.has(name) ? [] : [{ holder, name }, ...fieldsIn(holder[name])]));
}

/** Values of another type. */
const OTHERS: readonly unknown[] = [null, '', 'x', '0', 0, -1, 3.5, true, false, [], {}, [null], { a: 1 }];

/** Fields of other servers. An error that is none says nothing. */
const ADDED: readonly (readonly [string, unknown])[] = [
  ['error', null],
  ['error', {}],
  ['error', ''],
  ['x_request', { id: 1 }],
  ['object', 'chat.completion.chunk'],
  ['usage', null],
  ['usage', { prompt_tokens: '12', completion_tokens: null }],
  ['role', 'ASSISTANT'],
  ['role', null],
  ['audio', null],
  ['annotations', []],
  ['function_call', null],
  ['tool_calls', null],
  ['tool_calls', []],
  ['refusal', null],
  ['refusal', false],
  ['logprobs', { content: [] }],
  ['index', '0'],
  ['finish_reason', ''],
  ['stop_reason', null],
  ['message', null],
  ['service_tier', 7],
  ['created', '1764300000'],
  ['id', 17],
  ['model', null],
  ['__proto__', null],
];

/** Changes a copy of a stream in some places, and returns its events as they are sent. */
function mutate(stream: ServerStream, seed: number): { data: string[]; changes: string[] } {
  const next = randomOf(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  const events = structuredClone(stream.events) as Json[];
  const changes: string[] = [];
  const texts = new Map<Json, (text: string) => string>();
  for (let count = 1 + Math.floor(next() * 3); count > 0; count--) {
    const event = pick(events);
    // An error that says something is one.
    const places = fieldsIn(event).filter((place) => place.name !== 'error');
    const { holder, name } = pick(places);
    const isFrame = FRAMES.has(name);
    const change = pick(['drop', 'null', 'retype', 'repeat', 'reorder', 'split', 'insert'] as const);
    if (isFrame && (change === 'drop' || change === 'null' || change === 'retype')) continue;
    changes.push(`${change} ${name}`);
    if (change === 'drop') delete holder[name];
    if (change === 'null') holder[name] = null;
    if (change === 'retype') holder[name] = pick(OTHERS);
    if (change === 'insert') {
      const [added, value] = pick(ADDED);
      changes.push(added);
      if (!(added in holder))
        Object.defineProperty(holder, added, { value, enumerable: true, configurable: true, writable: true });
    }
    if (change === 'reorder') {
      const entries = Object.entries(holder).reverse();
      for (const [key] of entries) delete holder[key];
      for (const [key, value] of entries)
        Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
    }
    // A field twice, and an event in several lines.
    if (change === 'repeat') {
      const value = JSON.stringify(event[Object.keys(event)[0] ?? '']);
      texts.set(event, (text) => text.replace('{', `{${JSON.stringify(Object.keys(event)[0])}:${value ?? 'null'},`));
    }
    if (change === 'split') texts.set(event, (text) => text.replace(/^\{/, '{\ndata: ').replace(/\}$/, '\ndata: }'));
  }
  return { data: [...events.map((event) => (texts.get(event) ?? String)(JSON.stringify(event))), '[DONE]'], changes };
}

/** A number that was negative, or no index, is another index to a server; an answer may have several. */
const choosesOther = (data: readonly string[]): boolean =>
  data.some(
    (one) => /"index":-?[1-9.][^,}]*,?[^{]*"delta"/.test(one) || /"delta":.*\},?[^{}]*"index":-?[1-9.]/.test(one),
  );

const bytesOf = (data: readonly string[], seed: number): Response => {
  const next = randomOf(seed + 1);
  const end = next() < 0.3 ? '\r\n' : '\n';
  const space = next() < 0.3 ? '' : ' ';
  const noise = next() < 0.3 ? `: keep-alive${end}${end}event: ping${end}data: {}${end}${end}data:${end}${end}` : '';
  const text = data.map((one) => `${noise}data:${space}${one.replaceAll('\n', end)}${end}${end}`).join('');
  const bytes = new TextEncoder().encode(text);
  const cuts = Array.from({ length: 12 }, () => Math.floor(next() * bytes.length)).sort((one, other) => one - other);
  return new Response(
    new ReadableStream({
      start(controller) {
        let from = 0;
        for (const to of [...cuts, bytes.length]) {
          if (to > from) controller.enqueue(bytes.slice(from, to));
          from = Math.max(from, to);
        }
        controller.close();
      },
    }),
    { headers: { 'content-type': 'text/event-stream' } },
  );
};

test.each(STREAMS)('the reply of $server is read as it is', async (stream) => {
  const response = bytesOf([...stream.events.map((event) => JSON.stringify(event)), '[DONE]'], 1);
  const received = await receive(chatFetch(async () => response));
  expect(received).toMatchObject({ text: stream.text, reasoning: stream.reasoning, calls: stream.calls, errors: [] });
  expect(received.finish).toBe(stream.finish ?? (stream.calls.length > 0 ? 'tool-calls' : 'stop'));
});

test(`no change of what frames a reply loses or doubles any of it (${SEEDS} seeds)`, { timeout: 600_000 }, async () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const stream = STREAMS[seed % STREAMS.length] as ServerStream;
    const { data, changes } = mutate(stream, seed);
    if (choosesOther(data)) continue;
    const { text, reasoning, calls, errors } = await receive(chatFetch(async () => bytesOf(data, seed)));
    expect(
      { text, reasoning, calls, errors },
      `seed ${seed}, ${stream.server}: ${changes.join(', ')}\n${data.join('\n')}`,
    ).toEqual({
      text: stream.text,
      reasoning: stream.reasoning,
      calls: stream.calls,
      errors: [],
    });
  }
});
