import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { userMessage } from '#lib/agent/test/messages.ts';
import { CODEC_IDS } from '#lib/prompts/codecs/codecs.ts';
import type { RunContext } from './state.ts';
import { testContext } from './test/fixtures.ts';
import { ModelServer } from './test/model-server.ts';
import { openThread } from './test/open-thread.ts';

const STEPS = 20;

let model: ModelServer;
beforeAll(async () => {
  model = await ModelServer.start();
});
beforeEach(() => model.reset());
afterAll(() => model.stop());

/** A context with a window of that size; with a codec, its tools are prompted. */
function contextOf(contextSize: number, codec?: string): RunContext {
  const context = testContext(model.url, { toolsets: ['files'] });
  const protocol = { codec: codec ?? 'json', compact: true };
  return {
    ...context,
    model: { ...context.model, contextSize, protocol },
    ...(codec !== undefined && { toolCalling: 'prompted' }),
  };
}

/** Returns the prompts of all steps of a turn, whose results have this length: the tools, and then the messages. */
async function promptsOf(context: RunContext, resultLength: number): Promise<string[][]> {
  const thread = openThread(context);
  model.reply(
    ...Array.from({ length: STEPS - 1 }, (_, n) => ({
      text: `Looking into folder ${n}.`,
      calls: [{ name: 'list_directory', arguments: JSON.stringify({ path: `/folder-${n}` }) }],
    })),
    { text: 'I have seen them all.' },
  );
  await thread.ask(userMessage('Look into the folders.'));
  for (let step = 1; step < STEPS; step++) {
    const { error } = await thread.answerAll(`${step} ${'x'.repeat(resultLength)}`);
    expect(error).toBeUndefined();
  }
  expect((await thread.turn()).parts.at(-1)).toMatchObject({ type: 'text', text: 'I have seen them all.' });
  expect(model.requests).toHaveLength(STEPS);
  return model.requests.map(({ tools = [], messages }) => [tools, ...messages].map((part) => JSON.stringify(part)));
}

/** Counts the prompts that did not begin with all of the prompt before. */
const newBeginnings = (prompts: readonly string[][]): number =>
  prompts.filter((prompt, index) => (prompts[index - 1] ?? []).some((part, at) => part !== prompt[at])).length;

describe('each prompt of a turn begins with the prompt before, which providers have in their caches', () => {
  test('with native tools', async () => {
    expect(newBeginnings(await promptsOf(contextOf(100_000), 200))).toBe(0);
  });

  test.each(CODEC_IDS)('with tools as %s', async (codec) => {
    expect(newBeginnings(await promptsOf(contextOf(100_000, codec), 200))).toBe(0);
  });

  test('except for a few times if the turn outgrows the window', async () => {
    const prompts = await promptsOf(contextOf(12_000), 3_500);
    // A result has about 1,000 tokens, and a stride leaves out about two of them.
    const beginnings = newBeginnings(prompts);
    expect(beginnings).toBeGreaterThan(2);
    expect(beginnings).toBeLessThanOrEqual(10);
  });
});
