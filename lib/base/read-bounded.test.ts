import { expect, test, vi } from 'vitest';
import { readBounded } from './read-bounded.ts';

/** A body that arrives in these pieces. */
function bodyOf(pieces: readonly string[], onCancel: () => void = () => undefined): ReadableStream<Uint8Array> {
  const left = [...pieces];
  return new ReadableStream({
    pull(controller) {
      const piece = left.shift();
      if (piece === undefined) controller.close();
      else controller.enqueue(new TextEncoder().encode(piece));
    },
    cancel: onCancel,
  });
}

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

test.each([
  [['one', 'two'], 100, 'onetwo', false],
  [['one', 'two'], 6, 'onetwo', false],
  [['one', 'two'], 5, 'onetw', true],
  [['one', 'two'], 3, 'one', true],
  [['one', 'two'], 0, '', true],
  [[], 0, '', false],
])('of %j, %i bytes are read', async (pieces, maxBytes, text, isCut) => {
  const read = await readBounded(bodyOf(pieces), maxBytes);
  expect([textOf(read.bytes), read.isCut]).toEqual([text, isCut]);
});

test('the rest of a body is cancelled', async () => {
  const onCancel = vi.fn();
  await readBounded(bodyOf(['one', 'two', 'three'], onCancel), 4);
  expect(onCancel).toHaveBeenCalledOnce();
});

test('without a body there is nothing', async () => {
  expect(await readBounded(null, 10)).toEqual({ bytes: new Uint8Array(), isCut: false });
});

test('a body that breaks off is an error', async () => {
  const broken = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error('It broke.')) });
  await expect(readBounded(broken, 10)).rejects.toThrow('It broke.');
});
