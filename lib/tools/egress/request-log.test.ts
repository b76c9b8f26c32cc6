import { beforeEach, expect, test } from 'vitest';
import type { EgressRequest } from './egress.ts';
import { RequestLog } from './request-log.ts';

const URL = 'https://example.org/private/path?q=private';
const INIT = { method: 'POST', headers: { authorization: 'Bearer secret-0815' }, body: '{"größe":1}' };

let told: EgressRequest[];
let log: RequestLog;
beforeEach(() => {
  told = [];
  log = new RequestLog({
    onRequest: (request) => told.push(request),
    refusalOf: (error) => (error instanceof RangeError ? error.message : undefined),
  });
});

const answering = (response: Response) => log.fetch(async () => response);

test('a request is reported once its answer has been read, without its path, its headers and its contents', async () => {
  const response = await answering(new Response('größer', { status: 201 }))(URL, INIT);
  expect(told).toEqual([]);
  expect(await response.text()).toBe('größer');
  const sent = `POST /private/path?q=private HTTP/1.1\r\nauthorization: Bearer secret-0815\r\nhost: example.org\r\n\r\n`;
  expect(told).toEqual([{ host: 'example.org', sent: sent.length + 13, received: 8, status: 201 }]);
  log.end();
  expect(told).toHaveLength(1);
  expect(JSON.stringify(told)).not.toMatch(/private|secret/);
});

test('an answer without a body, and one that is not read to its end, are told of', async () => {
  await answering(new Response(null, { status: 204 }))(URL);
  expect(told).toMatchObject([{ status: 204, received: 0 }]);
  const response = await answering(new Response('whole'))('http://example.org');
  await response.body?.cancel();
  expect(told[1]).toMatchObject({ host: 'example.org:80', status: 200, received: 0 });
  expect(told[1]).not.toHaveProperty('refused');
});

test('what is still being answered when the call ends is reported as far as it has come, and only once', async () => {
  let writer: ReadableStreamDefaultController | undefined;
  const body = new ReadableStream({
    start(controller) {
      writer = controller;
    },
  });
  const response = await answering(new Response(body))(URL);
  const reader = response.body?.getReader();
  writer?.enqueue(new Uint8Array(10));
  await reader?.read();
  log.end();
  expect(told).toMatchObject([{ status: 200, received: 10 }]);
  writer?.close();
  await reader?.read();
  expect(told).toHaveLength(1);
});

test('of an error, only its kind is told: it may repeat what was sent', async () => {
  const failing = (error: unknown, signal?: AbortSignal) =>
    log.fetch(async () => Promise.reject(error))(URL, { ...INIT, ...(signal && { signal }) });
  await expect(failing(new TypeError('"Bearer secret-0815" is no header'))).rejects.toThrow('no header');
  await expect(failing(new RangeError('The studio never calls example.org'))).rejects.toThrow();
  await expect(failing(new Error('secret-0815'), AbortSignal.abort())).rejects.toThrow();
  const late = AbortSignal.abort(new DOMException('secret-0815', 'TimeoutError'));
  await expect(failing(new Error('late'), late)).rejects.toThrow();
  expect(told.map(({ refused }) => refused)).toEqual([
    'No response could be read.',
    'The studio never calls example.org',
    'It was stopped.',
    'It took too long.',
  ]);
  // A refused request was not sent.
  expect(told.map(({ sent }) => sent > 0)).toEqual([true, false, true, true]);
  expect(JSON.stringify(told)).not.toMatch(/private|secret/);
});

test('a body that breaks off has its status, what has arrived, and a reason', async () => {
  let isFirst = true;
  const body = new ReadableStream({
    pull(controller) {
      if (isFirst) controller.enqueue(new Uint8Array(3));
      else controller.error(new Error('reset'));
      isFirst = false;
    },
  });
  const response = await answering(new Response(body))(URL);
  await expect(response.arrayBuffer()).rejects.toThrow('reset');
  expect(told).toMatchObject([{ status: 200, received: 3, refused: 'No response could be read.' }]);
});
