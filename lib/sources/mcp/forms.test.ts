import { inputRequired } from '@modelcontextprotocol/server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import type { FormAnswer } from '#lib/tools/core/call-form.ts';
import { openHttpSession } from './http-session.ts';
import { MCP_LIMITS } from './limits.ts';
import type { McpSession } from './session.ts';
import { type TestMcpServer, testMcpServer } from './test/mcp-server.ts';

const signal = new AbortController().signal;
const CITY = {
  message: 'Where?',
  requestedSchema: { type: 'object' as const, properties: { city: { type: 'string' as const } }, required: ['city'] },
};

let server: TestMcpServer;
let session: McpSession;
/** The answers that the server received, round by round. */
let told: unknown[];
/** The questions that the server asks in its next rounds; undefined to answer the call. */
let questions: (Record<string, ReturnType<typeof inputRequired.elicit>> | undefined)[];

beforeEach(async () => {
  told = [];
  questions = [{ where: inputRequired.elicit(CITY) }];
  server = testMcpServer((one) =>
    one.registerTool('ask', { inputSchema: z.object({}) }, (_, { mcpReq }) => {
      told.push(mcpReq.inputResponses);
      const inputRequests = questions.shift();
      if (inputRequests !== undefined) return inputRequired({ inputRequests, requestState: `state ${told.length}` });
      return { content: [{ type: 'text', text: 'Done.' }] };
    }),
  );
  const options = { asksForms: true, onChange: () => undefined, onClose: () => undefined };
  const access = { url: 'http://tools.test/mcp', headers: {} };
  ({ session } = await openHttpSession(access, [{ name: 'direct', fetch: server.fetch }], options));
});

afterEach(() => session.close());

const call = (answer: FormAnswer | (() => Promise<FormAnswer>), stop = signal) =>
  session.call('ask', {}, { signal: stop, onForm: typeof answer === 'function' ? answer : async () => answer });

test('what the person fills in goes to the server, in the same call', async () => {
  const outcome = await call({ action: 'accept', content: { city: 'Lima' } });
  expect(outcome).toEqual({ type: 'output', content: [{ type: 'text', text: 'Done.' }] });
  expect(told).toEqual([undefined, { where: { action: 'accept', content: { city: 'Lima' } } }]);
});

test('the server is told that the person declines or closes the form', async () => {
  await call({ action: 'decline' });
  questions = [{ where: inputRequired.elicit(CITY) }];
  await call({ action: 'cancel' });
  expect(told.filter(Boolean)).toEqual([{ where: { action: 'decline' } }, { where: { action: 'cancel' } }]);
});

test('several questions are asked one after the other', async () => {
  questions = [{ a: inputRequired.elicit(CITY), b: inputRequired.elicit(CITY) }];
  let open = 0;
  await call(async () => {
    expect(++open).toBe(1);
    await new Promise((resolve) => setTimeout(resolve));
    open--;
    return { action: 'accept', content: { city: 'Lima' } };
  });
  expect(Object.keys(told[1] as object)).toEqual(['a', 'b']);
});

test('a question for a secret is declined without the person, and the result says so', async () => {
  const properties = { password: { type: 'string' as const } };
  questions = [{ where: inputRequired.elicit({ message: 'Log in', requestedSchema: { type: 'object', properties } }) }];
  const outcome = await call(() => Promise.reject(new Error('Nobody should be asked.')));
  expect(told[1]).toEqual({ where: { action: 'decline' } });
  expect(outcome).toMatchObject({
    content: [{ text: 'Done.' }, { text: expect.stringContaining('looks like a secret') }],
  });
});

test('where nobody can be asked, the server is told, and the result says so', async () => {
  const outcome = await session.call('ask', {}, { signal });
  expect(told[1]).toEqual({ where: { action: 'decline' } });
  expect(JSON.stringify(outcome)).toContain('no one to ask');
});

test('a server that asks again and again is given up', async () => {
  questions = Array.from({ length: MCP_LIMITS.rounds + 5 }, () => ({ where: inputRequired.elicit(CITY) }));
  const outcome = await call({ action: 'accept', content: { city: 'Lima' } });
  expect(outcome).toMatchObject({ type: 'failure', message: expect.stringContaining('times') });
  expect(told).toHaveLength(MCP_LIMITS.rounds + 1);
});

test('a stop while the form is open ends the call, and the server is not asked again', async () => {
  const controller = new AbortController();
  const outcome = await call(() => {
    controller.abort();
    return Promise.reject(new Error('Stopped'));
  }, controller.signal);
  expect(outcome).toMatchObject({ type: 'failure', code: 'aborted' });
  expect(told).toHaveLength(1);
});

test('a server that refuses after it has asked is not said to have run nothing', async () => {
  const options = { asksForms: true, onChange: () => undefined, onClose: () => undefined };
  let calls = 0;
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const { method } = request.method === 'POST' ? await request.clone().json() : { method: '' };
    if (method === 'tools/call' && ++calls > 1) return new Response('', { status: 404 });
    return server.fetch(request);
  };
  const access = { url: 'http://tools.test/mcp', headers: {} };
  const opened = await openHttpSession(access, [{ name: 'direct', fetch }], options);
  const outcome = await opened.session.call('ask', {}, { signal, onForm: async () => ({ action: 'decline' }) });
  expect(outcome).toMatchObject({ type: 'failure', message: expect.stringContaining('may have made changes') });
  await opened.session.close();
});
