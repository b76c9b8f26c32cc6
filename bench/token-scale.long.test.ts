import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { userMessage } from '#lib/agent/test/messages.ts';
import type { StepPart } from '#lib/messages/message.ts';
import { testContext } from '#server/graph/test/fixtures.ts';
import { type ChatBody, ModelServer } from '#server/graph/test/model-server.ts';
import { openThread } from '#server/graph/test/open-thread.ts';
import { encodeGpt2, llama2, llama3, mistral } from './peers/tokenizers.ts';

let model: ModelServer;
beforeAll(async () => {
  model = await ModelServer.start();
});
beforeEach(() => model.reset());
afterAll(() => model.stop());

/** Tokenizers of different families, of 32,000 to 128,000 tokens. */
const TOKENIZERS: Record<string, (text: string) => number> = {
  'GPT-2': (text) => encodeGpt2(text).length,
  'Llama 2': (text) => llama2.encode(text).length,
  'Llama 3': (text) => llama3.encode(text).length,
  Mistral: (text) => mistral.encode(text).length,
};

const ENGLISH =
  'The harbour was quiet when the ferry came in, and nobody asked the captain why he was two hours late. ';
const CHINESE = '渡轮靠岸的时候，码头上静悄悄的，没有人问船长为什么晚了两个小时。';
const CODE =
  'export const total = (rows: readonly Row[]): number =>\n  rows.reduce((sum, { price }) => sum + price, 0);\n\n';

/** A prompt as a chat template writes it. */
const rendered = ({ tools = [], messages }: ChatBody): string =>
  [
    JSON.stringify(tools),
    ...messages.map(({ role, content, tool_calls: calls = [] }) => {
      const text = typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('');
      return `<|${role}|>${text}${calls.length > 0 ? JSON.stringify(calls) : ''}<|end|>`;
    }),
  ].join('\n');

describe.each(Object.entries(TOKENIZERS))(
  'the size of a prompt is known within 10 %% after three steps of %s',
  (_, count) => {
    test.each([
      ['English', ENGLISH],
      ['Chinese', CHINESE],
      ['code', CODE],
      ['all of them', `${CODE}${ENGLISH}${CHINESE}`],
    ])('whose results are %s', async (_name, text) => {
      model.count = (body) => count(rendered(body));
      // A prompt whose size happens to be that of a window is checked.
      model.respond = ({ messages }) =>
        JSON.stringify(messages).includes('This is only a line that takes some room') ? { text: '' } : undefined;
      const thread = openThread(testContext(model.url));
      const look = { calls: [{ name: 'read_file', arguments: '{"path": "/a.txt"}' }] };
      model.reply(look, look, look, { text: 'I have read it.' });
      await thread.ask(userMessage(`Read it. ${text}`));
      const result = text.repeat(Math.ceil(1_500 / text.length));
      for (let step = 0; step < 3; step++) await thread.answerAll(result);
      const steps = (await thread.turn()).parts.filter((part): part is StepPart => part.type === 'step');
      expect(steps).toHaveLength(4);
      const { estimatedTokens = 0, settings, usage } = steps[3] as StepPart;
      const expected = estimatedTokens * (settings.tokenScale ?? 1);
      expect(Math.abs(expected / (usage?.inputTokens ?? 0) - 1)).toBeLessThan(0.1);
    });
  },
);
