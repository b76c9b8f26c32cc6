import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { beforeEach, expect, test } from 'vitest';
import type { FormAnswer } from '#lib/tools/core/call-form.ts';
import { MCP_LIMITS } from './limits.ts';
import { McpSession } from './session.ts';

type Message = { id?: number | string; method?: string; result?: unknown; error?: { code: number } };

const signal = new AbortController().signal;
const CITY = { message: 'Where?', requestedSchema: { type: 'object', properties: { city: { type: 'string' } } } };

/** A server of the earlier era, which asks whenever it likes. */
class AskingServer implements Transport {
  onmessage?: Transport['onmessage'];
  onclose?: () => void;
  /** The answers of the client to its questions, by the ids of these. */
  readonly answers = new Map<string, Message>();
  /** Called with the id of each call. */
  onCall: (id: number | string) => void = () => undefined;
  #asked = 0;

  async start(): Promise<void> {}

  async close(): Promise<void> {
    this.onclose?.();
  }

  async send(sent: JSONRPCMessage | JSONRPCMessage[]): Promise<void> {
    const { id, method, ...rest } = sent as Message;
    if (id === undefined) return;
    if (method === undefined) this.answers.set(String(id), rest);
    else if (method === 'tools/call') this.onCall(id);
    else if (method === 'initialize')
      this.#say({
        id,
        result: {
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name: 'asking', version: '1' },
        },
      });
    else this.#say({ id, error: { code: -32_601, message: 'No such method' } });
  }

  /** Asks the client something. */
  ask(params: object = CITY, method = 'elicitation/create'): string {
    const id = `q${++this.#asked}`;
    this.#say({ id, method, params });
    return id;
  }

  finish(id: number | string): void {
    this.#say({ id, result: { content: [{ type: 'text', text: 'Done.' }] } });
  }

  #say(message: object): void {
    queueMicrotask(() => this.onmessage?.({ jsonrpc: '2.0', ...message } as JSONRPCMessage));
  }
}

let server: AskingServer;
let session: McpSession;

beforeEach(async () => {
  server = new AskingServer();
  session = await McpSession.open(server, { asksForms: true, onChange: () => undefined, onClose: () => undefined });
});

const answered = (id: string) => expect.poll(() => server.answers.get(id));
const accept = async (): Promise<FormAnswer> => ({ action: 'accept', content: { city: 'Lima' } });

test('a question during a call is answered by the person', async () => {
  server.onCall = async (id) => {
    const question = server.ask();
    await answered(question).toMatchObject({ result: { action: 'accept', content: { city: 'Lima' } } });
    server.finish(id);
  };
  expect(await session.call('act', {}, { signal, onForm: accept })).toMatchObject({ content: [{ text: 'Done.' }] });
});

test('a question outside of calls, or while several run, is declined', async () => {
  await answered(server.ask()).toMatchObject({ result: { action: 'decline' } });
  const ids: (number | string)[] = [];
  server.onCall = (id) => void ids.push(id);
  const calls = [1, 2].map(() => session.call('act', {}, { signal, onForm: accept }));
  await expect.poll(() => ids.length).toBe(2);
  await answered(server.ask()).toMatchObject({ result: { action: 'decline' } });
  for (const id of ids) server.finish(id);
  await Promise.all(calls);
});

test('of a flood of questions, only a few are asked, one after the other', async () => {
  let open = 0;
  let asked = 0;
  const onForm = async (): Promise<FormAnswer> => {
    expect(++open).toBe(1);
    asked += 1;
    await new Promise((resolve) => setTimeout(resolve));
    open -= 1;
    return { action: 'cancel' };
  };
  server.onCall = async (id) => {
    const questions = Array.from({ length: 200 }, () => server.ask());
    await answered(questions.at(-1) ?? '').toMatchObject({ result: { action: 'decline' } });
    server.finish(id);
  };
  const outcome = await session.call('act', {}, { signal, onForm });
  expect(asked).toBe(MCP_LIMITS.rounds);
  expect(JSON.stringify(outcome)).toContain('more than');
});

test.each([
  ['sampling/createMessage', { messages: [], maxTokens: 1 }],
  ['roots/list', {}],
  ['elicitation/create', { mode: 'url', message: 'Log in', url: 'https://evil.test', elicitationId: '1' }],
])('%s with %j is answered with an error', async (method, params) => {
  await answered(server.ask(params, method)).toHaveProperty('error.code');
});
