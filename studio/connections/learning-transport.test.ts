import { expect, test } from 'vitest';
import type { StudioChunk } from '#lib/messages/chunk.ts';
import type { Notice } from '#lib/messages/message.ts';
import type { ChunkBatch, Transport } from '#lib/threads/transport.ts';
import { learningTransport } from './learning-transport.ts';

const stepEnd = (...notices: Notice[]): StudioChunk => ({
  type: 'data-step-end',
  data: { finishReason: 'stop', usage: {}, durationMs: 1, notices },
});

/** Returns what is learned from a stream, and checks that all of the stream arrives. */
async function learnedFrom(chunks: readonly StudioChunk[], by: 'post' | 'attach' = 'post') {
  const stream = async function* (): AsyncGenerator<ChunkBatch> {
    yield { chunks, next: chunks.length };
  };
  const learned: string[] = [];
  const transport = learningTransport(
    { post: async () => stream(), attach: async () => stream() } as unknown as Transport,
    {
      refusal: (model) => learned.push(model),
      window: (model, { window }) => learned.push(`${model}: ${window}`),
    },
  );
  const { signal } = new AbortController();
  const arriving =
    by === 'post'
      ? await transport.post({} as Parameters<Transport['post']>[0], signal)
      : await transport.attach('t', 'r', 0, signal);
  const arrived: StudioChunk[] = [];
  for await (const batch of arriving) arrived.push(...batch.chunks);
  expect(arrived).toEqual(chunks);
  return learned;
}

test.each(['post', 'attach'] as const)('a refusal of tools is learned from a run that one %ss', async (by) => {
  expect(await learnedFrom([stepEnd({ code: 'tools-refused', model: 'personal-1/m' })], by)).toEqual(['personal-1/m']);
});

test('calls as text are learned once they are given up', async () => {
  const notice = { code: 'calls-in-text', model: 'm' } as const;
  expect(await learnedFrom([stepEnd({ ...notice, isGivenUp: false })])).toEqual([]);
  expect(await learnedFrom([stepEnd({ ...notice, isGivenUp: true })])).toEqual(['m']);
});

test('a window that is smaller than was known is learned', async () => {
  const notice = {
    code: 'window-learned',
    model: 'm',
    window: 4_096,
    claimed: null,
    sent: 6_000,
    read: 4_096,
  } as const;
  expect(await learnedFrom([stepEnd(notice)])).toEqual(['m: 4096']);
});

test('nothing is learned from anything else', async () => {
  expect(await learnedFrom([{ type: 'start-step' }, stepEnd(), stepEnd({ code: 'length' })])).toEqual([]);
});
