import { beforeEach, expect, test } from 'vitest';
import type { CallForm } from '#lib/tools/core/call-form.ts';
import { CallForms } from './call-forms.ts';
import { MemoryThreadStore } from './memory-thread-store.ts';
import { MessageTree } from './message-tree.ts';
import type { Thread } from './thread.ts';
import { ThreadRecord } from './thread-record.ts';

const FORM: CallForm = { from: 'weather', message: 'Where?', fields: [] };

const THREAD: Thread = {
  id: 't',
  title: '',
  titledBy: 'studio',
  createdAt: 1,
  updatedAt: 1,
  headId: null,
  chosen: {},
  grants: [],
  grantedAt: {},
  activity: 'working',
  workspaceId: 'w',
  checkpoints: {},
  heads: {},
  settings: { model: null, toolCalling: 'auto', toolsets: [], systemPrompt: null },
};

let record: ThreadRecord;
let forms: CallForms;
let controller: AbortController;

beforeEach(async () => {
  const store = new MemoryThreadStore();
  await store.putThread(THREAD);
  record = new ThreadRecord(THREAD, new MessageTree([]), { store, maySave: () => true, askedElsewhere: () => [] });
  forms = new CallForms(record);
  controller = new AbortController();
});

const ask = (toolCallId: string) =>
  forms.ask({ toolCallId, toolName: 'ask', input: {}, inputState: 'complete' }, FORM, controller.signal);
const shown = () => ({ asking: record.snapshot.asking, forms: [...record.snapshot.forms] });

test('a form is shown until the person says something', async () => {
  const answer = ask('one');
  expect(shown()).toEqual({ asking: ['one'], forms: [['one', { ...FORM, id: expect.any(String) }]] });
  forms.answer('one', { action: 'decline' });
  expect(await answer).toEqual({ action: 'decline' });
  expect(shown()).toEqual({ asking: [], forms: [] });
  expect(record.snapshot.thread.activity).toBe('working');
});

test('the form of an inner call is shown at the call that the model made', async () => {
  const answer = ask('one/2');
  expect(shown().asking).toEqual(['one']);
  forms.answer('one', { action: 'cancel' });
  await answer;
});

test('a stop takes the form away', async () => {
  const answer = ask('one');
  controller.abort(new Error('Stopped'));
  await expect(answer).rejects.toThrow('Stopped');
  expect(shown()).toEqual({ asking: [], forms: [] });
  await expect(ask('two')).rejects.toThrow('Stopped');
  expect(shown().asking).toEqual([]);
});

test('an answer to a call that does not ask has no effect', () => {
  forms.answer('one', { action: 'decline' });
  expect(shown()).toEqual({ asking: [], forms: [] });
});
