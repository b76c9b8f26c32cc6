import { expect, test } from 'vitest';
import { cataloguePostSchema } from './catalogue.ts';
import { chatRequestSchema } from './chat.ts';
import { connectionRequestSchema } from './connections.ts';
import { contentsRequestSchema } from './contents.ts';
import { examinationRequestSchema } from './examination.ts';
import { promptRequestSchema } from './prompt.ts';
import { titleRequestSchema } from './title.ts';

const step = {
  type: 'step',
  model: 'm',
  provider: 'p',
  promptHash: 'h',
  settings: { systemPrompt: '', toolsets: [], toolCalling: 'native', budgetTokens: 1, lastStep: false },
};

const turn = (notices: readonly unknown[]) => ({
  id: 'turn',
  role: 'assistant',
  createdAt: 1,
  parts: [{ ...step, notices }],
  status: { type: 'running', runId: 'run', repeats: 1 },
});

const CHAT = {
  threadId: 'thread',
  runId: 'run',
  revision: null,
  head: null,
  turnId: 'turn',
  action: { type: 'replace', messages: [turn([])] },
  settings: { model: 'm', toolCalling: 'auto', toolsets: [], systemPrompt: '' },
};

test.each([
  ['/api/chat', chatRequestSchema, CHAT],
  ['/api/catalogues', cataloguePostSchema, { text: '' }],
  ['/api/connections', connectionRequestSchema, { provider: 'openai' }],
  ['/api/contents', contentsRequestSchema, { contents: ['text'] }],
  ['/api/examinations', examinationRequestSchema, { model: 'm', measuresWindow: false }],
  ['/api/prompt', promptRequestSchema, { model: 'm', messages: [turn([])], settings: step.settings }],
  ['/api/title', titleRequestSchema, { model: 'm', question: '', answer: '' }],
])('%s ignores fields of a newer page', (_, schema, body) => {
  const parsed = schema.safeParse({ ...body, newField: { of: 'the next version' } });
  expect(parsed.data).toEqual(schema.parse(body));
});

test('an action with unknown fields is refused, because its meaning is unknown', () => {
  const action = { ...CHAT.action, newField: true };
  expect(chatRequestSchema.safeParse({ ...CHAT, action }).success).toBe(false);
});

test('a notice of a newer page is left out, and the step with its other notices is read', () => {
  const messages = [turn([{ code: 'length' }, { code: 'of-the-next-version', n: 1 }, 7, { code: 'step-limit' }])];
  const { action } = chatRequestSchema.parse({ ...CHAT, action: { type: 'replace', messages } });
  expect(action).toMatchObject({ messages: [{ parts: [{ notices: [{ code: 'length' }] }] }] });
});
