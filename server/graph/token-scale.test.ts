import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { userMessage } from '#lib/agent/test/messages.ts';
import type { StepPart } from '#lib/messages/message.ts';
import { testContext } from './test/fixtures.ts';
import { ModelServer } from './test/model-server.ts';
import { openThread } from './test/open-thread.ts';

let model: ModelServer;
beforeAll(async () => {
  model = await ModelServer.start();
});
beforeEach(() => model.reset());
afterAll(() => model.stop());

test('a new thread begins with what other threads have told, and a scale that hardly changes is kept', async () => {
  const context = testContext(model.url);
  model.count = ({ messages, tools }) => Math.ceil(JSON.stringify([messages, tools]).length / 2.5);
  model.reply({ text: 'One.' }, { text: 'Two.' });
  await openThread(context).ask(userMessage('First'));
  const thread = openThread(context);
  await thread.ask(userMessage('Second'));
  const [step] = (await thread.turn()).parts.filter((part): part is StepPart => part.type === 'step');
  const { estimatedTokens = 0, settings, usage } = step as StepPart;
  expect(settings.tokenScale).toBeCloseTo((usage?.inputTokens ?? 0) / estimatedTokens, 1);
  expect(settings.tokenScale).toBeGreaterThan(1.2);
});
