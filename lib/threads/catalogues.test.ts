import { beforeEach, describe, expect, test, vi } from 'vitest';
import { sha256 } from '#lib/base/sha256.ts';
import { CATALOGUE_LIMITS } from '#lib/tools/core/limits.ts';
import { PRUNE_CATALOGUES_ABOVE, StoredCatalogues, UNNAMED_CATALOGUE_MS } from './catalogues.ts';
import { MemoryThreadStore } from './memory-thread-store.ts';
import type { MessageNode } from './message-tree.ts';
import { threadOf } from './test/store-contract.ts';

let store: MemoryThreadStore;
let catalogues: StoredCatalogues;

beforeEach(() => {
  store = new MemoryThreadStore();
  catalogues = new StoredCatalogues(store);
});

/** A turn whose steps name catalogues; undefined is a step of before there were any. */
const turnNaming = (id: string, ...names: (string | undefined)[]): MessageNode => ({
  parentId: null,
  message: {
    id,
    role: 'assistant',
    createdAt: 1,
    status: { type: 'done' },
    parts: names.map((catalogue) => ({
      type: 'step',
      runId: 'r',
      model: 'm',
      provider: 'p',
      promptHash: 'h',
      notices: [],
      settings: {
        systemPrompt: '',
        toolsets: [],
        toolCalling: 'native',
        budgetTokens: 1,
        lastStep: false,
        ...(catalogue !== undefined && { catalogue }),
      },
    })),
  },
});

describe('pruning', () => {
  const LATER = 1 + UNNAMED_CATALOGUE_MS + 1;

  /** Stores so many catalogues that one too many is there, all used at 1. */
  const fill = async () => {
    for (let index = 0; index <= PRUNE_CATALOGUES_ABOVE; index++)
      await catalogues.keep({ name: `${index}`, text: 'x' }, 1);
  };

  const kept = async () => [...(await store.settingsUnder('catalogue:')).keys()].sort();

  test('[R13] keeps every catalogue that a step names, in whatever thread and branch', async () => {
    await fill();
    await store.addThread({ thread: threadOf('t'), messages: [turnNaming('a', '3', undefined), turnNaming('b', '4')] });
    await store.addThread({ thread: threadOf('in-trash', { deletedAt: 1 }), messages: [turnNaming('c', '5')] });
    await catalogues.prune('0', LATER);
    expect(await kept()).toEqual(['0', '3', '4', '5']);
  });

  test('keeps what has been used lately: a step that names it may not be stored yet', async () => {
    await fill();
    await catalogues.keep({ name: '7', text: 'x' }, LATER);
    await catalogues.prune('0', LATER);
    expect(await kept()).toEqual(['0', '7']);
  });

  test('deletes nothing while there are few', async () => {
    await catalogues.keep({ name: 'a', text: 'x' }, 1);
    await catalogues.keep({ name: 'b', text: 'x' }, 1);
    await catalogues.prune('a', LATER);
    expect(await kept()).toEqual(['a', 'b']);
  });
});

describe('pruning that takes a while', () => {
  const LATER = 1 + UNNAMED_CATALOGUE_MS + 1;

  test('keeps what another tab has come to use in the meantime', async () => {
    for (let index = 0; index <= PRUNE_CATALOGUES_ABOVE; index++)
      await catalogues.keep({ name: `${index}`, text: 'x' }, 1);
    await store.addThread({ thread: threadOf('t'), messages: [] });
    const read = store.messages.bind(store);
    vi.spyOn(store, 'messages').mockImplementation(async (id) => {
      await new StoredCatalogues(store).keep({ name: '7', text: 'x' }, LATER);
      return read(id);
    });
    await catalogues.prune('0', LATER);
    expect([...(await store.settingsUnder('catalogue:')).keys()].sort()).toEqual(['0', '7']);
  });

  test('does not read all messages again soon for the sake of those that are named', async () => {
    const messages = Array.from({ length: PRUNE_CATALOGUES_ABOVE + 1 }, (_, n) => turnNaming(`m${n}`, `${n}`));
    for (let index = 0; index <= PRUNE_CATALOGUES_ABOVE; index++)
      await catalogues.keep({ name: `${index}`, text: 'x' }, 1);
    await store.addThread({ thread: threadOf('t'), messages });
    const read = vi.spyOn(store, 'messages');
    await catalogues.prune('0', LATER);
    await catalogues.prune('0', LATER + 1);
    expect(read).toHaveBeenCalledTimes(1);
    expect((await store.settingsUnder('catalogue:')).size).toBe(PRUNE_CATALOGUES_ABOVE + 1);
  });
});

test('the catalogues of a backup are those that its messages name', async () => {
  await catalogues.keep({ name: 'a', text: 'one' });
  await catalogues.keep({ name: 'b', text: 'two' });
  expect(await catalogues.namedIn([turnNaming('t', 'a', 'unknown', 'a')])).toEqual(new Map([['a', 'one']]));
});

test('of a foreign backup, only catalogues that its messages name and that are what they are called are adopted', async () => {
  const long = 'x'.repeat(CATALOGUE_LIMITS.length + 1);
  const [real, unnamed, tooLong] = await Promise.all(['real', 'unnamed', long].map(sha256));
  const texts = new Map([
    [real ?? '', 'real'],
    [unnamed ?? '', 'unnamed'],
    [tooLong ?? '', long],
    ['f'.repeat(64), 'forged'],
  ]);
  await catalogues.adopt(texts, [turnNaming('t', real, tooLong, 'f'.repeat(64), 'gone')]);
  expect([...(await store.settingsUnder('catalogue:')).keys()]).toEqual([real]);
  expect(await catalogues.text(real ?? '')).toBe('real');
});

test('a name that is no catalogue has no text', async () => {
  await store.putSetting('catalogue:odd', 7);
  expect(await catalogues.text('odd')).toBeUndefined();
  expect(await catalogues.text('__proto__')).toBeUndefined();
});
