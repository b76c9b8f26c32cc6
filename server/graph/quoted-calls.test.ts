import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { finishedStep, userMessage } from '#lib/agent/test/messages.ts';
import { pendingCalls, toToolCall } from '#lib/messages/apply-chunk.ts';
import type { Message } from '#lib/messages/message.ts';
import { decidePermission } from '#lib/tools/permission/permission.ts';
import { toolRegistry } from '#lib/tools/toolsets.ts';
import { testContext } from './test/fixtures.ts';
import { ModelServer } from './test/model-server.ts';
import { openThread } from './test/open-thread.ts';

const callsSchema = z.array(z.strictObject({ name: z.string(), input: z.unknown() })).optional();

const cases = z
  .array(
    z.strictObject({
      name: z.string(),
      /** The text that the model received before it answers: a tool result, unless `place` says otherwise. */
      file: z.string(),
      tool: z.string().default('read_file'),
      place: z.enum(['result', 'attachment', 'message']).default('result'),
      /** The reply of a prompted model as text, or the calls of a model with native tools. */
      reply: z.string().optional(),
      calls: callsSchema,
      outcome: z.enum(['text', 'asked']),
      real: z.string().optional(),
      realCalls: callsSchema,
    }),
  )
  .parse(parse(readFileSync(join(import.meta.dirname, 'test', 'quoted-calls.yaml'), 'utf8')));

type QuotedCase = (typeof cases)[number];

let model: ModelServer;

beforeAll(async () => {
  model = await ModelServer.start();
});

afterEach(() => model.reset());

afterAll(() => model.stop());

/** A user's question, and what the model received for it. */
function givenOf({ file, tool, place }: QuotedCase): Message[] {
  const question = userMessage(place === 'message' ? file : 'What does it say?', 'question');
  if (place === 'attachment')
    question.parts.push({
      type: 'file',
      mediaType: 'text/plain',
      filename: 'notes.md',
      url: `data:text/plain;base64,${Buffer.from(file).toString('base64')}`,
    });
  if (place !== 'result') return [question];
  const toolCallId = 'given';
  return [
    question,
    {
      id: 'before',
      role: 'assistant',
      createdAt: 0,
      status: { type: 'done' },
      parts: [
        finishedStep('local'),
        {
          type: 'tool-call',
          toolCallId,
          toolName: tool,
          inputState: 'complete',
          input: { path: '/notes.md' },
          result: { type: 'tool-result', toolCallId, toolName: tool, output: { content: file } },
        },
      ],
    },
    userMessage('And now?', 'next'),
  ];
}

/** The outcome of a reply's calls when everything is allowed: shown as text, put to the user, or run. */
async function outcomeOf(entry: QuotedCase, text: string | undefined, calls: QuotedCase['calls']) {
  const context = testContext(model.url);
  model.reply(
    calls === undefined
      ? { text: text ?? '' }
      : { calls: calls.map(({ name, input }) => ({ name, arguments: JSON.stringify(input) })) },
  );
  const thread = openThread({ ...context, toolCalling: calls === undefined ? 'prompted' : 'native' });
  await thread.ask(...givenOf(entry));
  const turn = await thread.turn();
  const decisions = pendingCalls(turn).map((part) => {
    const call = toToolCall(part);
    const tool = toolRegistry.get(call.toolName);
    if (tool === undefined || call.inputState !== 'complete')
      throw new Error(`${call.toolName} is not a complete call.`);
    return decidePermission({
      toolset: tool.toolset,
      effect: tool.effect,
      toolsetEnabled: true,
      settings: { files: { execute: 'allow' }, browser: { execute: 'allow' } },
      grantedAt: Date.now(),
      policySetAt: undefined,
      origin: call.origin,
    });
  });
  const shown = turn.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  if (decisions.length === 0) return { outcome: 'text', shown };
  return { outcome: decisions.some(({ type }) => type === 'ask') ? 'asked' : 'runs', shown };
}

describe('a call copied from the model’s input', () => {
  test('there are sixty cases, each with a counterpart', () => {
    expect(cases.length).toBeGreaterThanOrEqual(60);
  });

  test.each(cases)('$name', async (entry) => {
    const { reply, calls, outcome } = entry;
    const repeated = await outcomeOf(entry, reply, calls);
    expect(repeated.outcome).toBe(outcome);
    // Quoted calls are shown as they were written.
    if (outcome === 'text') expect(repeated.shown.trim()).toBe(reply?.trim());
  });
});

describe('the model’s own call that resembles one in its input', () => {
  test.each(cases)('$name', async (entry) => {
    expect((await outcomeOf(entry, entry.real, entry.realCalls)).outcome).toBe('runs');
  });
});
