import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CodeHighlighting, type HighlightedLines } from './code-highlighting.ts';
import { answerTo, type HighlightMessage, type HighlightRequest } from './highlight-api.ts';
import { CODE_LIMITS } from './limits.ts';

/** The requests that were sent to the worker. */
const requests: HighlightRequest[] = [];

/** The number of requests that fail, as if the grammar could not be loaded. */
let failing = 0;
/** The number of workers that were ended. */
let ended = 0;

/** Stands for a worker, which Node does not have in this form: answers messages in the same thread. */
class NearWorker {
  onmessage: ((event: { data: unknown }) => void) | undefined;

  terminate(): void {
    ended++;
  }

  async postMessage(message: HighlightMessage): Promise<void> {
    if ('id' in message) requests.push(message);
    const isFailing = 'id' in message && failing-- > 0;
    const data = isFailing ? 'failed' : await answerTo(structuredClone(message));
    if (data !== undefined) this.onmessage?.({ data });
  }
}

vi.stubGlobal('Worker', NearWorker);

beforeEach(() => {
  requests.length = 0;
  failing = 0;
  ended = 0;
});
afterEach(() => {
  vi.useRealTimers();
});

function highlighting() {
  let newest: HighlightedLines = { done: '', lines: [] };
  let reports = 0;
  const code = new CodeHighlighting('typescript', (lines) => {
    newest = lines;
    reports++;
  });
  const colored = (count: number) => vi.waitFor(() => expect(newest.lines).toHaveLength(count), { timeout: 10_000 });
  return { code, colored, newest: () => newest, reports: () => reports };
}

const BACKTICK_TEXT = 'let a = `one\ntwo`;\n';

test('only what was added is sent, and the lines before keep their tokens', async () => {
  const { code, colored, newest } = highlighting();
  code.update('let a = `one\n', true);
  await colored(1);
  const [first] = newest().lines;
  code.update(BACKTICK_TEXT, true);
  await colored(2);
  expect(newest().lines[0]).toBe(first);
  expect(requests.map(({ from, added }) => [from, added])).toEqual([
    [0, 'let a = `one\n'],
    [13, 'two`;\n'],
  ]);
  const whole = highlighting();
  whole.code.update(BACKTICK_TEXT, true);
  await whole.colored(2);
  expect(newest()).toEqual(whole.newest());
});

test('an incomplete line is sent again, until it is complete', async () => {
  const { code, colored } = highlighting();
  code.update('a\nb', true);
  await colored(2);
  code.update('a\nbc\nd', true);
  await colored(3);
  expect(requests.map(({ added }) => added)).toEqual(['a\nb', 'bc\nd']);
});

test('code that was replaced is sent whole', async () => {
  const { code, colored, newest } = highlighting();
  code.update('a\nb\n', true);
  await colored(2);
  code.update('x\n', true);
  await colored(1);
  expect(newest().done).toBe('x\n');
  expect(requests.at(-1)).toMatchObject({ from: 0, added: 'x\n' });
});

test('a worker that has forgotten the code gets all of it again', async () => {
  const { code, colored } = highlighting();
  code.update('a\n', true);
  await colored(1);
  await answerTo({ forgotten: requests[0]?.id ?? 0 });
  code.update('a\nb\n', true);
  await colored(2);
  expect(requests.map(({ from }) => from)).toEqual([0, 2, 0]);
});

test('long code is sent in pieces of whole lines, which are reported as they come', async () => {
  const { code, colored, reports } = highlighting();
  code.update('const a = 1;\n'.repeat(5_000), true);
  await colored(5_000);
  expect(requests.length).toBeGreaterThan(2);
  for (const { added } of requests) {
    expect(added.length).toBeLessThanOrEqual(CODE_LIMITS.pieceMax);
    expect(added).toMatch(/\n$/);
  }
  expect(reports()).toBe(requests.length);
});

test('after its end, nothing is reported', async () => {
  const ended = highlighting();
  ended.code.update('a\n', true);
  ended.code.end();
  const next = highlighting();
  next.code.update('b\n', true);
  await next.colored(1);
  expect(ended.reports()).toBe(0);
});

test('code whose grammar cannot be loaded is tried again, with a new worker, and in the end stays plain', async () => {
  vi.useFakeTimers();
  const { code, newest } = highlighting();
  failing = 1;
  code.update('let a = 1;\n', true);
  await vi.advanceTimersByTimeAsync(CODE_LIMITS.retryAfterMs - 1);
  expect([requests.length, ended, newest().lines.length]).toEqual([1, 1, 0]);
  await vi.advanceTimersByTimeAsync(1);
  await vi.waitFor(() => expect(newest().lines).toHaveLength(1));
  const other = highlighting();
  requests.length = 0;
  failing = 100;
  other.code.update('let b = 2;\n', true);
  await vi.advanceTimersByTimeAsync(CODE_LIMITS.retryAfterMs * (CODE_LIMITS.retries + 2));
  expect(requests).toHaveLength(1 + CODE_LIMITS.retries);
  expect(other.newest().lines).toEqual([]);
});

test('code that is no longer shown is not tried again, and leaves no timer behind', async () => {
  vi.useFakeTimers();
  const { code } = highlighting();
  failing = 1;
  code.update('let a = 1;\n', true);
  code.end();
  await vi.advanceTimersByTimeAsync(0);
  expect(vi.getTimerCount()).toBe(0);
});
