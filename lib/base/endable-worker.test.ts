import { expose } from 'comlink';
import { beforeEach, expect, test, vi } from 'vitest';
import { type EndableThread, EndableWorker } from './endable-worker.ts';

interface Api {
  double(value: number): number;
  hang(): void;
  fail(): void;
}

/** A worker in this thread: what the page sees of one, without a thread of its own. */
class FakeWorker {
  readonly #port: MessagePort;
  readonly #inner: MessagePort;
  isTerminated = false;

  constructor() {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#inner = port2;
    const api = {
      double: (value: number) => 2 * value,
      hang: () => new Promise(() => undefined),
      fail: () => this.break('out of memory'),
    };
    expose(api, port2);
    port1.start();
  }

  postMessage(...message: Parameters<MessagePort['postMessage']>): void {
    this.#port.postMessage(...message);
  }

  addEventListener(...listener: Parameters<MessagePort['addEventListener']>): void {
    this.#port.addEventListener(...listener);
  }

  removeEventListener(...listener: Parameters<MessagePort['removeEventListener']>): void {
    this.#port.removeEventListener(...listener);
  }

  /** As if its thread had failed. */
  break(message: string): void {
    this.#port.dispatchEvent(Object.assign(new Event('error'), { message }));
  }

  terminate(): void {
    this.isTerminated = true;
    this.#port.close();
    this.#inner.close();
  }
}

let started: FakeWorker[];
let failures: string[];
let worker: EndableWorker<Api>;

beforeEach(() => {
  started = [];
  failures = [];
  worker = new EndableWorker<Api>({
    start() {
      const fake = new FakeWorker();
      started.push(fake);
      return fake as EndableThread;
    },
    failure: (message) => new Error(`It failed: ${message}`),
    onFailure: ({ message }) => failures.push(message),
  });
});

const LIMITS = { timeoutMs: 10_000, late: () => new Error('too late') };

const double = (limits = LIMITS) => worker.run((api) => api.double(4), limits);

const terminated = () => started.map(({ isTerminated }) => isTerminated);

test('is started with the first task, and used for the next', async () => {
  expect(started).toHaveLength(0);
  expect(await double()).toBe(8);
  expect(await double()).toBe(8);
  expect(started).toHaveLength(1);
});

test('can be started ahead of time', async () => {
  worker.prepare();
  expect(started).toHaveLength(1);
  expect(await double()).toBe(8);
  expect(started).toHaveLength(1);
});

test('a task that takes too long ends the worker; the next one gets another', async () => {
  await expect(worker.run((api) => api.hang(), { ...LIMITS, timeoutMs: 20 })).rejects.toThrow('too late');
  expect(await double()).toBe(8);
  expect(terminated()).toEqual([true, false]);
});

test('a task that is stopped ends the worker; one that was stopped before it began does not', async () => {
  const stop = new AbortController();
  const abort = { signal: stop.signal, aborted: () => new Error('stopped') };
  worker.prepare();
  const hanging = worker.run((api) => api.hang(), { ...LIMITS, abort });
  stop.abort();
  await expect(hanging).rejects.toThrow('stopped');
  expect(await double()).toBe(8);
  const task = vi.fn();
  await expect(worker.run(task, { ...LIMITS, abort })).rejects.toThrow('stopped');
  expect(task).not.toHaveBeenCalled();
  expect(terminated()).toEqual([true, false]);
});

test('a worker that fails rejects the task that waits for it, and is reported', async () => {
  const waiting = worker.run((api) => api.hang(), LIMITS);
  started[0]?.break('out of memory');
  await expect(waiting).rejects.toThrow('It failed: out of memory');
  expect(failures).toEqual(['It failed: out of memory']);
  expect(await double()).toBe(8);
  expect(terminated()).toEqual([true, false]);
});

test('the late failure of an earlier worker does not end the present one', async () => {
  await expect(worker.run((api) => api.hang(), { ...LIMITS, timeoutMs: 20 })).rejects.toThrow('too late');
  worker.prepare();
  started[0]?.break('at last');
  expect(await double()).toBe(8);
  expect(terminated()).toEqual([true, false]);
});

test('the error of a task is that of the worker’s code, and ends nothing', async () => {
  await expect(worker.run(() => Promise.reject(new Error('its own')), LIMITS)).rejects.toThrow('its own');
  expect(await double()).toBe(8);
  expect(terminated()).toEqual([false]);
});
