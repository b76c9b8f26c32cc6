import { beforeEach, expect, test, vi } from 'vitest';
import { MemoryThreadStore } from '#lib/threads/memory-thread-store.ts';
import type { ExaminationReport } from '#lib/wire/examination.ts';
import { ConnectionEditor } from './connections/connection-editor.ts';
import { Connections } from './connections/connections.ts';
import { examinerOf } from './examinations.ts';
import { ModelRecords } from './model-records.ts';

const REPORT: ExaminationReport = {
  verdict: 'native',
  because: 'native-works',
  findings: [],
  use: { toolCalling: 'native' },
  recommendations: [],
  requests: 5,
  inputTokens: 1,
  outputTokens: 1,
  at: 1,
};

/** Resolves when no other tab examines the model; undefined if none does. */
let otherTab: Promise<void> | undefined;

beforeEach(() => {
  otherTab = undefined;
  const request = async (_: string, options: LockOptions | (() => unknown), act?: (lock: unknown) => unknown) => {
    if (typeof options === 'function') return options();
    if (otherTab !== undefined && options.ifAvailable === true) return act?.(null);
    await otherTab;
    return act?.({});
  };
  vi.stubGlobal('navigator', { locks: { request } });
});

/** A connected model, and the response of the server that examines it. */
async function setUp() {
  const store = new MemoryThreadStore();
  const connections = await Connections.open(store, () => Promise.reject(new Error('There are no keys.')));
  const modelRecords = await ModelRecords.open(store);
  const editor = new ConnectionEditor(connections, modelRecords);
  const draft = { preset: 'compatible', provider: 'local', name: 'Mine', baseURL: 'http://a/v1', key: undefined };
  const connection = await editor.add(draft, { baseURL: 'http://a/v1', models: [{ model: 'm' }] });
  const id = `${connection.id}/m`;
  let response: ReadableStreamDefaultController<Uint8Array> | undefined;
  const started = Promise.withResolvers<void>();
  vi.stubGlobal('fetch', async (_: string, { signal }: RequestInit) => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        response = controller;
        signal?.addEventListener('abort', () => controller.error(signal.reason));
      },
    });
    started.resolve();
    return new Response(body);
  });
  const send = (event: object) => response?.enqueue(new TextEncoder().encode(`${JSON.stringify(event)}\n`));
  const examinations = examinerOf({ connections, modelRecords });
  return { connections, connection, modelRecords, editor, examinations, model: { id, endpoint: id }, started, send };
}

test('an examination is followed, and its report is kept without being used', async () => {
  const { examinations, modelRecords, model, started, send } = await setUp();
  const done = examinations.start(model, false);
  await started.promise;
  send({ type: 'check', check: 'tools' });
  send({ type: 'request', number: 1 });
  await vi.waitFor(() =>
    expect(examinations.state.getState()[model.endpoint]).toEqual({
      type: 'running',
      check: 'tools',
      requests: 1,
      findings: [],
    }),
  );
  send({ type: 'report', report: REPORT });
  await done;
  expect(examinations.state.getState()).toEqual({});
  expect(modelRecords.of(model.endpoint)?.examination).toMatchObject({ isUsed: false, report: REPORT });
});

test('a connection that is deleted ends the examination of its model, of which nothing is kept', async () => {
  const { examinations, modelRecords, editor, connection, model, started } = await setUp();
  await modelRecords.choose(model.endpoint, 'compact', true);
  const done = examinations.start(model, false);
  await started.promise;
  await editor.remove(connection.id);
  await done;
  expect(examinations.state.getState()[model.endpoint]).toEqual({ type: 'stopped' });
  expect(modelRecords.state.getState()).toEqual({});
});

test('a failure does not replace what was found before', async () => {
  const { examinations, modelRecords, model, started, send } = await setUp();
  await modelRecords.change(model.endpoint, () => ({ examination: { use: REPORT.use, isUsed: true, report: REPORT } }));
  const done = examinations.start(model, false);
  await started.promise;
  const report = { ...REPORT, verdict: 'unfinished', because: 'rate-limited', detail: '429', use: {} };
  send({ type: 'report', report });
  await done;
  expect(examinations.state.getState()[model.endpoint]).toEqual({ type: 'unfinished', report });
  expect(modelRecords.knownUseOf(model.endpoint)).toEqual({ examined: REPORT.use });
});

test('a model is examined in one tab at a time', async () => {
  const { examinations, model } = await setUp();
  const other = Promise.withResolvers<void>();
  otherTab = other.promise;
  await examinations.start(model, false);
  expect(examinations.state.getState()[model.endpoint]).toEqual({ type: 'elsewhere' });
  other.resolve();
  await vi.waitFor(() => expect(examinations.state.getState()).toEqual({}));
});
