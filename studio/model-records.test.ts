import { beforeEach, expect, test, vi } from 'vitest';
import { MemoryThreadStore } from '#lib/threads/memory-thread-store.ts';
import { ModelRecords, modelRecordsSchema } from './model-records.ts';

let store: MemoryThreadStore;

beforeEach(() => {
  store = new MemoryThreadStore();
  let last: Promise<unknown> = Promise.resolve();
  const request = (_: string, act: () => Promise<unknown>) => {
    last = last.then(act, act);
    return last;
  };
  vi.stubGlobal('navigator', { locks: { request } });
});

test('choices that are made at once, also in two tabs, are all kept', async () => {
  const tabs = [await ModelRecords.open(store), await ModelRecords.open(store)];
  await Promise.all([
    tabs[0]?.choose('e', 'codec', 'json'),
    tabs[0]?.choose('e', 'temperature', 0.5),
    tabs[1]?.choose('e', 'toolCalling', 'prompted'),
  ]);
  expect((await ModelRecords.open(store)).knownUseOf('e')).toEqual({
    person: { codec: 'json', temperature: 0.5, toolCalling: 'prompted' },
  });
  await tabs[0]?.choose('e', 'codec', undefined);
  expect(tabs[0]?.knownUseOf('e')?.person).toEqual({ temperature: 0.5, toolCalling: 'prompted' });
});

test('what another version has stored disables nothing, and is not lost', async () => {
  const later = { later: { choices: { codec: 7 } }, known: { choices: { codec: 'json', topK: 20 }, more: true } };
  await store.putSetting('model-records', later);
  const records = await ModelRecords.open(store);
  expect(records.knownUseOf('known')).toEqual({ person: { codec: 'json' } });
  await records.choose('other', 'compact', true);
  expect(await store.setting('model-records')).toEqual({ ...later, other: { choices: { compact: true } } });
  await records.choose('later', 'topP', 0.5);
  await records.choose('known', 'codec', undefined);
  expect(await store.setting('model-records')).toEqual({
    later: { choices: { codec: 7, topP: 0.5 } },
    known: { choices: { topK: 20 }, more: true },
    other: { choices: { compact: true } },
  });
});

test('one value that cannot be read does not take the rest of a record with it', async () => {
  const use = { toolCalling: 'native' };
  const record = { choices: { toolCalling: 'hybrid', temperature: 1 }, examination: { use, isUsed: true, report: 1 } };
  await store.putSetting('model-records', { e: record, f: { ...record, examination: 7 } });
  const records = await ModelRecords.open(store);
  expect(records.knownUseOf('e')).toEqual({ person: { temperature: 1 }, examined: use });
  await records.choose('e', 'topP', 0.5);
  await records.choose('f', 'topP', 0.5);
  const choices = { ...record.choices, topP: 0.5 };
  expect(await store.setting('model-records')).toEqual({
    e: { ...record, choices },
    f: { examination: 7, choices },
  });
});

test('records of a connection that is deleted are, too', async () => {
  const records = await ModelRecords.open(store);
  for (const endpoint of ['personal-1/a', 'personal-1/b', 'personal-10/a', 'other'])
    await records.choose(endpoint, 'compact', true);
  await records.forget('personal-1');
  expect(Object.keys(records.state.getState())).toEqual(['personal-10/a', 'other']);
});

test('names of records may be those of properties', async () => {
  const records = await ModelRecords.open(store);
  await records.choose('constructor', 'compact', true);
  expect(records.knownUseOf('constructor')).toEqual({ person: { compact: true } });
  expect(records.of('toString')).toBeUndefined();
});

test('an examination counts only if it is used, and no longer for native tools that fail', async () => {
  const records = await ModelRecords.open(store);
  const use = { toolCalling: 'native', contextSize: 4_096 } as const;
  await records.change('e', () => ({ examination: { use, isUsed: false, report: null } }));
  expect(records.knownUseOf('e')).toBeUndefined();
  await records.change('e', ({ examination }) => ({ examination: { use, report: examination?.report, isUsed: true } }));
  expect(records.knownUseOf('e')).toEqual({ examined: use });
  await records.noteRefusal('e');
  expect(records.knownUseOf('e')).toEqual({ examined: { contextSize: 4_096 } });
});

test('an observed window is remembered, beside what cannot be read', async () => {
  const records = await ModelRecords.open(store);
  await records.choose('e', 'compact', true);
  await records.noteWindow('e', { contextSize: 4_096, claimed: null });
  expect(records.knownUseOf('e')).toEqual({
    person: { compact: true },
    observed: { contextSize: 4_096, claimed: null },
  });
  await records.noteWindow('e', { contextSize: 3, claimed: null });
  expect(records.of('e')?.observed?.contextSize).toBe(4_096);
  expect(modelRecordsSchema.parse({ f: { observed: { contextSize: 'large' } } })).toEqual({});
});

test('a backup changes nothing that is known here', async () => {
  const records = await ModelRecords.open(store);
  await records.choose('e', 'compact', true);
  await records.restore(
    modelRecordsSchema.parse({ e: { choices: { compact: false } }, f: { choices: { topP: 1 } }, g: 5 }),
  );
  expect(records.state.getState()).toEqual({ e: { choices: { compact: true } }, f: { choices: { topP: 1 } } });
});
