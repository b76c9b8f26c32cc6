import { expect, test } from 'vitest';
import { boundedFetch } from './bounded-fetch.ts';
import { streamed } from './test/streamed.ts';

const MAX = 1_000;

const read = async (body: string, type: string) => {
  const fetch = boundedFetch(streamed(body, 100, { headers: { 'content-type': type } }), MAX);
  return (await fetch('https://tools.test/')).text();
};

const STREAM = 'text/event-stream';

test('a body within the limit passes', async () => {
  const body = 'x'.repeat(MAX);
  expect(await read(body, 'application/json')).toBe(body);
});

test('a longer body fails, also with line breaks', async () => {
  await expect(read('x\n'.repeat(MAX), 'application/json')).rejects.toThrow('more than 1000 bytes');
});

test.each(['\n', '\r\n'])('a stream of any length passes if its events are short', async (lineEnd) => {
  const body = `data: ${'x'.repeat(500)}${lineEnd}${lineEnd}`.repeat(20);
  expect(await read(body, STREAM)).toBe(body);
});

test('an event that is too long fails, also in many short lines', async () => {
  await expect(read('data: x\n'.repeat(MAX), STREAM)).rejects.toThrow('more than 1000 bytes');
  await expect(read(`data: ${'x'.repeat(MAX)}`, STREAM)).rejects.toThrow('more than 1000 bytes');
});
