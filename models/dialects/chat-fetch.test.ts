import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { streamText } from 'ai';
import { describe, expect, test, vi } from 'vitest';
import { startLocalServer } from '#server/test/local-server.ts';
import { chatFetch } from './chat-fetch.ts';

const eventStream = (events: readonly (object | string)[]) =>
  new Response(
    events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join(''),
    { headers: { 'content-type': 'text/event-stream' } },
  );

const chunk = (delta: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
});
const call = (index: number | undefined, id: string | undefined, name: string | undefined, args: unknown) => ({
  tool_calls: [{ index, id, type: 'function', function: { name, arguments: args } }],
});

/** The calls and the errors that the studio would get from a response. */
async function received(response: Response) {
  const model = createOpenAICompatible({
    name: 'x',
    baseURL: 'http://x/v1',
    fetch: chatFetch(async () => response),
  })('m');
  const result = streamText({ model, prompt: 'Hi', maxRetries: 0, onError: () => undefined });
  const inputs = new Map<string, string>();
  let text = '';
  let finish = '';
  const errors: string[] = [];
  for await (const part of result.stream) {
    if (part.type === 'tool-input-start') inputs.set(part.id, `${part.toolName} `);
    if (part.type === 'tool-input-delta') inputs.set(part.id, `${inputs.get(part.id)}${part.delta}`);
    if (part.type === 'text-delta') text += part.text;
    if (part.type === 'finish-step') finish = part.finishReason;
    if (part.type === 'error')
      errors.push(part.error instanceof Error ? part.error.message : JSON.stringify(part.error));
  }
  return { calls: [...inputs.values()], text, finish, errors };
}

describe('a stream is corrected', () => {
  test('whose arguments are objects', async () => {
    const { calls, errors } = await received(
      eventStream([chunk(call(0, 'a', 'read', { path: '/é "x"' })), chunk({}, 'tool_calls'), '[DONE]']),
    );
    expect([calls, errors]).toEqual([['read {"path":"/é \\"x\\""}'], []]);
  });

  test('whose calls all have the index 0', async () => {
    const { calls, errors } = await received(
      eventStream([
        chunk(call(0, 'a', 'read', '{"p":')),
        chunk(call(0, undefined, undefined, '1}')),
        chunk(call(0, 'b', 'write', '{"q":')),
        chunk(call(0, 'b', undefined, '2}')),
        chunk({}, 'tool_calls'),
        '[DONE]',
      ]),
    );
    expect([calls, errors]).toEqual([['read {"p":1}', 'write {"q":2}'], []]);
  });

  test('that is labelled as JSON, without waiting for its end', async () => {
    let isOver = false;
    const letters = 'abcdefghijklmnopqrstuvwxyz';
    const events = [...[...letters].map((content) => chunk({ content })), chunk({}, 'stop')];
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const event = events.shift();
        if (event === undefined) {
          isOver = true;
          controller.close();
        } else controller.enqueue(new TextEncoder().encode(`\ndata: ${JSON.stringify(event)}\n\n`));
      },
    });
    const response = new Response(body, { headers: { 'content-type': 'application/json' } });
    const corrected = await chatFetch(async () => response)('http://x', { body: '{"model":"m","stream":true}' });
    expect(isOver).toBe(false);
    expect(await received(corrected)).toMatchObject({ text: letters, finish: 'stop', errors: [] });
  });

  test('whose reason is empty, or only part of arguments', async () => {
    const args = { finish_reason: 'mine' };
    const { calls, finish, errors } = await received(eventStream([chunk(call(0, 'a', 'read', args), ''), '[DONE]']));
    expect([calls, finish, errors]).toEqual([['read {"finish_reason":"mine"}'], 'tool-calls', []]);
  });

  test('that ends without a finish reason', async () => {
    expect(await received(eventStream([chunk({ content: 'Hello' }), '[DONE]']))).toMatchObject({
      text: 'Hello',
      finish: 'stop',
      errors: [],
    });
    expect(await received(eventStream([chunk(call(0, 'a', 'read', '{}')), '[DONE]']))).toMatchObject({
      finish: 'tool-calls',
      errors: [],
    });
  });
});

describe('a stream is left as it is', () => {
  test('if it broke off', async () => {
    const { errors } = await received(eventStream([chunk({ content: 'Hel' })]));
    expect(errors).toEqual(['The server ended its reply in the middle.']);
  });

  test('if it broke off, and had named its usage in every chunk', async () => {
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const { text, errors } = await received(eventStream([{ ...chunk({ content: 'Hel' }), usage }]));
    expect([text, errors]).toEqual(['Hel', ['The server ended its reply in the middle.']]);
  });

  test('if it broke off, whatever came without a word after its usage', async () => {
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const events = [{ ...chunk({ content: 'Hel' }), usage }, { choices: [] }, {}];
    expect((await received(eventStream(events))).errors).toEqual(['The server ended its reply in the middle.']);
    const early = [{ choices: [], usage }, chunk({ content: 'Hel' })];
    expect((await received(eventStream(early))).errors).toEqual(['The server ended its reply in the middle.']);
  });

  test.each([['{', '}'], ['{}'], ['{}', ' '], ['{', '', '}'], [' {', '} ', '\n'], ['{}', '{}']])(
    'if a call without arguments comes as %j %j %j',
    async (...pieces) => {
      const [first = '', ...others] = pieces;
      const events = [
        chunk(call(0, 'a', 'read', first)),
        ...others.map((piece) => chunk(call(0, undefined, undefined, piece))),
      ];
      const { calls, errors } = await received(eventStream([...events, chunk({}, 'tool_calls'), '[DONE]']));
      expect([calls.map((one) => one.replace(/\s+$/, '')), errors]).toEqual([['read {}'], []]);
    },
  );

  test('if one call says more under the same id and index', async () => {
    const { calls } = await received(
      eventStream([
        chunk(call(0, 'a', 'read', '{}')),
        chunk(call(0, 'a', 'read', '{"p":1}')),
        chunk({}, 'stop'),
        '[DONE]',
      ]),
    );
    expect(calls).toEqual(['read {"p":1}']);
    // Arguments that were replaced by others are no arguments, rather than two calls.
    const other = await received(
      eventStream([chunk(call(0, 'a', 'read', { p: 1 })), chunk(call(0, 'a', 'read', { q: 2 })), '[DONE]']),
    );
    expect(other.calls).toEqual(['read {"p":1}{"q":2}']);
  });

  test('and what is held back of it is limited', async () => {
    const piece = 'x'.repeat(100_000);
    const events = Array.from({ length: 30 }, () => chunk(call(0, 'a', 'read', `[${piece}`)));
    const { errors } = await received(eventStream([chunk({ content: 'a' }), ...events, '[DONE]']));
    expect(errors.join()).toContain('that are no object');
  });

  test('if nothing is wrong, byte by byte', async () => {
    const events = [
      chunk({ content: 'data: [DONE]\n\n"tool_calls"' }),
      chunk(call(0, 'a', 'read', '{"p":1}')),
      chunk(call(1, 'b', 'read', '{"p":2}')),
      chunk({}, 'tool_calls'),
      '[DONE]',
    ];
    const corrected = await chatFetch(async () => eventStream(events))('http://x');
    expect(await corrected.text()).toBe(await eventStream(events).text());
  });

  test('if each piece of a call has another id', async () => {
    const { calls, errors } = await received(
      eventStream([
        chunk(call(0, 'a', 'read', '')),
        chunk(call(0, 'b', undefined, '{"p":')),
        chunk(call(0, 'c', undefined, '1}')),
        chunk({}, 'tool_calls'),
        '[DONE]',
      ]),
    );
    expect([calls, errors]).toEqual([['read {"p":1}'], []]);
  });

  test('if calls are interleaved, and only their first pieces have an id', async () => {
    const { calls, errors } = await received(
      eventStream([
        chunk(call(1, 'a', 'read', '{"p":')),
        chunk(call(2, 'b', 'write', '{"q":')),
        chunk(call(1, undefined, undefined, '1}')),
        chunk(call(2, '', undefined, '2}')),
        chunk({}, 'tool_calls'),
        '[DONE]',
      ]),
    );
    expect([calls, errors]).toEqual([['read {"p":1}', 'write {"q":2}'], []]);
  });

  test('with other line breaks, comments, and letters that are split', async () => {
    const bytes = new TextEncoder().encode(
      `\uFEFF: keep-alive\r\n\r\ndata: ${JSON.stringify(chunk({ content: 'é🙂' }))}\r\n\r\ndata: ${JSON.stringify(chunk({}, 'stop'))}\r\n\r\ndata: [DONE]\r\n\r\n`,
    );
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of bytes) controller.enqueue(new Uint8Array([byte]));
        controller.close();
      },
    });
    const response = new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } });
    expect(await received(response)).toMatchObject({ text: 'é🙂', finish: 'stop', errors: [] });
  });

  test('and its end is passed on to the server when it is cancelled', async () => {
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) =>
        controller.enqueue(new TextEncoder().encode('data: {"choices":[{"delta":{"content":"a"}}]}\n\n')),
      cancel() {
        isCancelled = true;
      },
    });
    const response = new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    const reader = (await chatFetch(async () => response)('http://x')).body?.getReader();
    await reader?.read();
    await reader?.cancel();
    await expect.poll(() => isCancelled).toBe(true);
  });

  test('if the id of a call comes late', async () => {
    const { calls, errors } = await received(
      eventStream([
        chunk(call(0, undefined, 'read', '{"p":')),
        chunk(call(0, 'a', undefined, '1}')),
        chunk({}, 'tool_calls'),
        '[DONE]',
      ]),
    );
    expect([calls, errors]).toEqual([['read {"p":1}'], []]);
  });

  test('if it failed', async () => {
    const { errors, finish } = await received(
      eventStream([chunk({ content: 'a' }), { error: { message: 'x' } }, '[DONE]']),
    );
    expect([errors.length, finish]).toEqual([1, 'error']);
  });

  test('if an event is not JSON', async () => {
    const corrected = await chatFetch(async () => eventStream(['{"tool_calls"', '[DONE]']))('http://x');
    expect([corrected.status, await corrected.json()]).toMatchObject([500, { error: { message: '{"tool_calls"' } }]);
  });
});

test('an error in a field of its own is a sentence', async () => {
  const body =
    'error: {"code":400,"message":"the request exceeds the available context size","type":"x"}\n\ndata: [DONE]\n\n';
  const response = () => new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  const { errors } = await received(await chatFetch(async () => response())('http://x'));
  expect(errors).toEqual(['the request exceeds the available context size']);
});

describe('a body that is no stream', () => {
  test('is read only up to a limit', async () => {
    const megabyte = new TextEncoder().encode('\n'.repeat(1_048_576));
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{')),
      pull(controller) {
        sent++;
        controller.enqueue(megabyte);
      },
    });
    const response = new Response(body, { headers: { 'content-type': 'application/json' } });
    await expect(chatFetch(async () => response)('http://x')).rejects.toThrow('16777216 bytes');
    expect(sent).toBeLessThan(25);
  });

  const json = (body: unknown, status = 200) =>
    new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });

  test.each([
    [{ error: { message: 'The model failed to load.' } }, 400, 'The model failed to load.'],
    [{ error: { message: 'Slow down.', code: 429 } }, 429, 'Slow down.'],
    [{ error: 'broken' }, 400, 'broken'],
  ])('%j is an error with status %i', async (body, status, message) => {
    const corrected = await chatFetch(async () => json(body))('http://x');
    expect([corrected.status, await corrected.json()]).toMatchObject([status, { error: { message } }]);
  });

  test.each([
    [{ error: { message: 'Provider returned error', code: 502 } }, 502],
    [{ error: { message: 'Provider returned error' } }, 500],
    [{ error: { message: 'Slow down.', code: 429 }, choices: [{ index: 0, finish_reason: 'error' }] }, 429],
  ])('a stream that begins with %j is an error with status %i', async (event, status) => {
    const corrected = await chatFetch(async () => eventStream([event, '[DONE]']))('http://x');
    expect([corrected.status, await corrected.json()]).toMatchObject([status, { error: event.error }]);
  });

  test('is a reply, whose arguments are written as text', async () => {
    const reply = (args: unknown) => ({ choices: [{ message: { tool_calls: [{ function: { arguments: args } }] } }] });
    const corrected = await chatFetch(async () => json(reply({ p: 1 })))('http://x');
    expect(await corrected.json()).toMatchObject(reply('{"p":1}'));
  });

  test.each([
    ['{"error": null, "choices": []}', 502, 'The server sent an empty reply.'],
    ['not JSON', 400, 'not JSON'],
  ])('%s is an error with status %i', async (text, status, message) => {
    const response = new Response(text, { headers: { 'content-type': 'application/json' } });
    const corrected = await chatFetch(async () => response)('http://x');
    expect([corrected.status, await corrected.json()]).toMatchObject([status, { error: { message } }]);
  });
});

test('a reply is over if its end was named, and its connection stays open without a word', async () => {
  vi.useFakeTimers();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) =>
      controller.enqueue(
        new TextEncoder().encode(
          `data: ${JSON.stringify(chunk({ content: 'Hello' }))}\n\ndata: ${JSON.stringify(chunk({}, 'stop'))}\n\n`,
        ),
      ),
  });
  const reading = received(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
  await vi.advanceTimersByTimeAsync(20_000);
  vi.useRealTimers();
  expect(await reading).toMatchObject({ text: 'Hello', finish: 'stop', errors: [] });
});

test('the connection of a reply that has ended is used for another one', async () => {
  const ports: (number | undefined)[] = [];
  const server = await startLocalServer((_, response) => {
    ports.push(response.socket?.remotePort);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`data: ${JSON.stringify(chunk({ content: 'Hi' }, 'stop'))}\n\ndata: [DONE]\n\n`);
    // Later than the last event, as over a network.
    setTimeout(() => response.end(), 20);
  });
  const isUsedAgain = async () => {
    const response = await chatFetch(fetch)(server.url, { method: 'POST', body: '{"a":1,"stream":true}' });
    expect(await response.text()).toContain('[DONE]');
    return ports.indexOf(ports.at(-1)) < ports.length - 1;
  };
  await expect.poll(isUsedAgain).toBe(true);
  await server.stop();
});

test.each([
  ['after an error', { error: { message: 'Out of memory' } }, 0],
  ['that goes on behind its end', '[DONE]', 1_000],
])('a connection %s is ended', async (_, last, afterMs) => {
  vi.useFakeTimers();
  let isCancelled = false;
  const events = [chunk({ content: 'Hi' }), last];
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      const text = events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`);
      controller.enqueue(new TextEncoder().encode(text.join('')));
    },
    cancel() {
      isCancelled = true;
    },
  });
  const reading = received(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
  await vi.advanceTimersByTimeAsync(afterMs);
  vi.useRealTimers();
  expect((await reading).text).toBe('Hi');
  await expect.poll(() => isCancelled).toBe(true);
});

test('an error of plain text is passed on whole, so that a key in it is found before it is cut', async () => {
  const key = 'a1b2c3d4'.repeat(5);
  const response = await chatFetch(async () => new Response(`${'x'.repeat(460)} ${key}`, { status: 401 }))('http://x');
  expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining(key) } });
});
