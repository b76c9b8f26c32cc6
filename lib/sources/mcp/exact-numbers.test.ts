import { expect, test } from 'vitest';
import { exactFetch, WholeLines, withExactIntegers } from './exact-numbers.ts';
import { streamed } from './test/streamed.ts';

const LONG = '12345678901234567890';
const result = (structured: string) => `{"id":1,"result":{"content":[],"structuredContent":${structured}}}`;
const ROUNDED = result(`{"id":${LONG},"n":1}`);
const EXACT = result(`{"id":"${LONG}","n":1}`);

test.each([
  [ROUNDED, EXACT],
  [`{"id":1,"result":{"tools":[{"maximum":${LONG},"text":"\\"structuredContent\\""}]}}`],
  [`{"id":1,"params":{"structuredContent":${LONG}}}`],
  [`{"result":{"structuredContent":${LONG}`],
  [result('{"id":1}')],
])('%s', (json, exact = json) => {
  expect(withExactIntegers(json)).toBe(exact);
});

/** A body as it is read, after it has arrived in pieces of a length. */
async function read(body: string, type: string, length: number) {
  const headers = { 'content-type': type, 'mcp-session-id': 'one' };
  const fetch = exactFetch(streamed(body, length, { status: 201, headers }));
  const response = await fetch('https://tools.test/');
  expect(response.status).toBe(201);
  expect(response.headers.get('mcp-session-id')).toBe('one');
  return response.text();
}

test.each([1, 7, 1_000])('numbers of a JSON body keep their digits, in pieces of %s', async (length) => {
  const pretty = JSON.stringify(JSON.parse(EXACT), undefined, 2).replace(`"${LONG}"`, LONG);
  expect(await read(pretty, 'application/json; charset=utf-8', length)).toBe(EXACT);
});

test.each(['\n', '\r\n', '\r'])('numbers in events keep their digits, and ids stay as they are', async (end) => {
  const events = (data: string) => [`id: ${LONG}`, `data:${data}`, '', ': data:\u2028', ''].join(end);
  expect(await read(events(ROUNDED), 'text/event-stream', 9)).toBe(events(EXACT));
});

test('other bodies stay as they are', async () => {
  expect(await read(ROUNDED, 'text/plain', 5)).toBe(ROUNDED);
});

test('a line is passed on when it has ended', () => {
  const lines = new WholeLines();
  expect(lines.push('{"a":')).toBe('');
  expect(lines.push('1}')).toBe('');
  expect(lines.waiting).toBe(7);
  expect(lines.push('\n{"b"')).toBe('{"a":1}\n');
  expect(lines.waiting).toBe(4);
  expect(lines.rest()).toBe('{"b"');
});
