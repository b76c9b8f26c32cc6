import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { MAX_HEADER_BYTES, MAX_MESSAGE_BYTES } from './limits.ts';
import { BoundedMessageReader } from './message-reader.ts';

/** Reads messages from an output that arrives in chunks. `broken`: the reason why reading ended, if it did. */
function read(chunks: readonly Buffer[]): { messages: unknown[]; broken: string[] } {
  const output = new PassThrough();
  const messages: unknown[] = [];
  const broken: string[] = [];
  new BoundedMessageReader(output, (reason) => broken.push(reason)).listen((message) => messages.push(message));
  for (const chunk of chunks) output.emit('data', chunk);
  return { messages, broken };
}

const framed = (message: object, header = '') => {
  const body = Buffer.from(JSON.stringify(message));
  return Buffer.concat([Buffer.from(`${header}Content-Length: ${body.byteLength}\r\n\r\n`), body]);
};

const HELLO = { method: 'hello', params: ['Grüße', '🍎'] };

test('messages are complete however the output is cut, even within a letter', () => {
  const output = Buffer.concat([framed(HELLO), framed({}, 'Content-Type: a; charset=utf-8\r\n'), framed(HELLO)]);
  const expected = { messages: [HELLO, {}, HELLO], broken: [] };
  expect(read([output])).toEqual(expected);
  expect(read(Array.from(output, (byte) => Buffer.of(byte)))).toEqual(expected);
  for (let at = 1; at < output.byteLength; at++)
    expect(read([output.subarray(0, at), output.subarray(at)])).toEqual(expected);
});

test.each([
  ['text', 'Starting server…\n'],
  ['a header without a length', 'Content-Type: a\r\n\r\n{}'],
  ['a negative length', 'Content-Length: -5\r\n\r\n{}'],
  ['a length that is not a number', 'Content-Length: 1e9\r\n\r\n{}'],
  ['a length that is too large', `Content-Length: ${MAX_MESSAGE_BYTES + 1}\r\n\r\n`],
  ['a header that does not end', `Content-Length: ${'1'.repeat(MAX_HEADER_BYTES)}`],
  ['a message that is not JSON', 'Content-Length: 5\r\n\r\n{"a":'],
  ['a message that is not an object', 'Content-Length: 1\r\n\r\n1'],
])('reading ends with a reason, once, at %s', (_what, text) => {
  const { messages, broken } = read([framed(HELLO), Buffer.from(text), framed(HELLO), Buffer.from('more')]);
  expect(messages).toEqual([HELLO]);
  expect(broken).toEqual([expect.any(String)]);
});
