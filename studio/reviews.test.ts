import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { ApprovalAnswer } from '#lib/threads/approvals.ts';
import { MemoryThreadStore } from '#lib/threads/memory-thread-store.ts';
import type { ThreadSnapshot } from '#lib/threads/thread-record.ts';
import type { ThreadSession } from '#lib/threads/thread-session.ts';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import { bytesOf, fill } from '#lib/vfs/test/contract.ts';
import type { CallProposal } from '#lib/workspace/review/call-proposal.ts';
import { draftSetting } from './review-drafts.ts';
import { CallReview } from './reviews.ts';

const BEFORE = 'one\ntwo\nthree\nfour\nfive\n';
const AFTER = 'ONE\ntwo\nthree\nfour\nFIVE\n';

let files: MemoryFileSystem;
let store: MemoryThreadStore;
let proposal: CallProposal;
let answers: ApprovalAnswer[];
let asking: string[];
let notify: () => void;

beforeEach(async () => {
  files = new MemoryFileSystem();
  store = new MemoryThreadStore();
  answers = [];
  asking = ['call'];
  await fill(files, { '/a.txt': BEFORE });
  proposal = propose([['/a.txt', BEFORE, AFTER]]);
});

function propose(
  changes: [path: string, before: string | null, after: string | null][],
  isStale = false,
): CallProposal {
  const bytes = (text: string | null) => (text === null ? null : bytesOf(text));
  return {
    files: changes.map(([path, before, after]) => ({ path, before: bytes(before), after: bytes(after) })),
    uncompared: [],
    isStale,
  };
}

async function review(): Promise<CallReview> {
  const session = {
    threadId: 'thread',
    proposal: async () => proposal,
    answer: async (_: string, answer: ApprovalAnswer) => void answers.push(answer),
    getSnapshot: () => ({ asking }) as unknown as ThreadSnapshot,
    subscribe: (listener: () => void) => {
      notify = listener;
      return () => undefined;
    },
  } as Partial<ThreadSession> as ThreadSession;
  const opened = new CallReview({ session, toolCallId: 'call', store, fileSystem: files });
  await vi.waitFor(() => expect(opened.state.getState().files).toBeDefined());
  return opened;
}

const textIn = (opened: CallReview) => opened.state.getState().files?.[0]?.text?.text;

describe('the answer of a review', () => {
  test('keeps empty and binary files whole, also when something else is rejected', async () => {
    const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe]);
    const moved = [
      { path: '/new/empty', before: null, after: new Uint8Array() },
      { path: '/new/logo.png', before: null, after: png },
      { path: '/old/empty', before: new Uint8Array(), after: null },
      { path: '/old/logo.png', before: png, after: null },
    ];
    proposal = { files: moved, uncompared: [], isStale: false };
    const whole = await review();
    await whole.finish();
    expect(answers.at(-1)).toEqual({ type: 'allow', scope: 'once' });
    const partly = await review();
    partly.accept('/old/logo.png', false);
    await partly.finish();
    const answer = answers.at(-1);
    expect(answer?.type === 'allow' && answer.reviewed?.files).toMatchObject([
      { path: '/new/empty', content: new Uint8Array() },
      { path: '/new/logo.png', content: png },
      { path: '/old/empty', content: null },
    ]);
  });

  test('is not given before what was changed last was shown, wherever that was', async () => {
    const opened = await review();
    proposal = propose([
      ['/a.txt', BEFORE, AFTER],
      ['/late.txt', null, 'late'],
    ]);
    await fill(files, { '/elsewhere/late.txt': 'late' });
    expect(await opened.finish()).toBe(false);
    expect(answers).toEqual([]);
    expect(opened.state.getState().files?.map(({ path }) => path)).toEqual(['/a.txt', '/late.txt']);
    expect(opened.state.getState().rebased).toBe('partly');
    expect(await opened.finish()).toBe(true);
    expect(answers).toEqual([{ type: 'allow', scope: 'once' }]);
  });

  test('includes files that cannot be reviewed one by one only if everything is kept', async () => {
    proposal = { ...proposal, uncompared: [{ path: '/large.bin', change: 'deleted' }] };
    const kept = await review();
    expect(kept.state.getState().uncompared).toHaveLength(1);
    await kept.finish();
    expect(answers.at(-1)).toEqual({ type: 'allow', scope: 'once' });
    const partly = await review();
    partly.decide('/a.txt', 0, 'reject');
    await partly.finish();
    const answer = answers.at(-1);
    const reviewed = answer?.type === 'allow' ? answer.reviewed : undefined;
    expect(reviewed?.files.map(({ path }) => path)).toEqual(['/a.txt']);
    expect(reviewed?.summary).toContain('/large.bin: as before, because not all changes were kept.');
  });

  test('that keeps everything is a permission like any other', async () => {
    const opened = await review();
    opened.setNote(' fine ');
    await opened.finish();
    expect(answers).toEqual([{ type: 'allow', scope: 'once', note: 'fine' }]);
  });

  test('that rejects everything denies the call, with the note', async () => {
    const opened = await review();
    opened.decideAll('reject');
    opened.setNote('Not like this.');
    await opened.finish();
    expect(answers).toEqual([{ type: 'deny', reason: 'The user rejected all changes. Not like this.' }]);
  });

  test('has exactly the accepted text, what it was reviewed against, and what became of each change', async () => {
    const opened = await review();
    opened.decide('/a.txt', 0, 'reject');
    opened.edit('/a.txt', 'one\ntwo\nthree\nfour\nFive!\n', [{ start: 4, end: 5, count: 1 }]);
    await opened.finish();
    const [answer] = answers;
    if (answer?.type !== 'allow' || answer.reviewed === undefined) throw new Error('no review');
    expect(answer.reviewed.files).toEqual([
      { path: '/a.txt', base: expect.stringMatching(/^[0-9a-f]{64}$/), content: 'one\ntwo\nthree\nfour\nFive!\n' },
    ]);
    expect(answer.reviewed.summary).toContain('Change 1, at line 1, was rejected: "ONE\\n" was not written.');
    expect(answer.reviewed.summary).toContain('Change 2, at line 5, was edited. There is now: "Five!\\n"');
    expect(answer.reviewed.summary).toContain('Read a file again before you change it.');
  });

  test('leaves out files of which everything was rejected', async () => {
    proposal = propose([
      ['/a.txt', BEFORE, AFTER],
      ['/gone.txt', 'x', null],
      ['/new.txt', null, 'new\n'],
    ]);
    const opened = await review();
    opened.accept('/gone.txt', false);
    opened.decide('/a.txt', 0, 'reject');
    await opened.finish();
    const [answer] = answers;
    const reviewed = answer?.type === 'allow' ? answer.reviewed : undefined;
    expect(reviewed?.files.map(({ path }) => path)).toEqual(['/a.txt', '/new.txt']);
    expect(reviewed?.summary).toContain('/gone.txt: all changes were rejected; it is as before.');
  });

  test('to a call from an older version is always what was merged', async () => {
    proposal = propose([['/a.txt', BEFORE, AFTER]], true);
    await (await review()).finish();
    expect(answers[0]).toMatchObject({ type: 'allow', reviewed: { files: [{ path: '/a.txt', content: AFTER }] } });
  });
});

test('a review ends when its call no longer waits', async () => {
  const opened = await review();
  asking = [];
  notify();
  expect(opened.isClosed).toBe(true);
});

describe('the draft of a review', () => {
  test('survives a reload, and is deleted with the answer', async () => {
    const opened = await review();
    opened.decide('/a.txt', 1, 'reject');
    opened.setNote('Keep the fifth line.');
    await vi.waitFor(async () =>
      expect(await store.setting(draftSetting('call'))).toMatchObject({ note: 'Keep the fifth line.' }),
    );
    opened.close();
    const again = await review();
    expect(textIn(again)).toBe('ONE\ntwo\nthree\nfour\nfive\n');
    expect(again.state.getState().note).toBe('Keep the fifth line.');
    await again.finish();
    expect(await store.setting(draftSetting('call'))).toBeUndefined();
  });

  test('of a call that was answered in another way is forgotten', async () => {
    await store.putSetting(draftSetting('other'), {});
    await store.claim({ toolCallId: 'other', claimant: 'x' }, undefined);
    await store.finish({ type: 'tool-result', toolCallId: 'other', toolName: 't', output: { content: '' } }, 'x');
    await store.putSetting(draftSetting('pending'), {});
    await review();
    await vi.waitFor(async () => expect(await store.setting(draftSetting('other'))).toBeUndefined());
    expect(await store.setting(draftSetting('pending'))).toBeDefined();
  });

  test('that cannot be read is none', async () => {
    await store.putSetting(draftSetting('call'), { files: 'nonsense' });
    expect(textIn(await review())).toBe(AFTER);
  });

  test('keeps its decisions when the file changes meanwhile', async () => {
    const opened = await review();
    opened.decide('/a.txt', 1, 'reject');
    proposal = propose([['/a.txt', `zero\n${BEFORE}`, `zero\n${AFTER}`]]);
    await fill(files, { '/a.txt': `zero\n${BEFORE}` });
    await vi.waitFor(() => expect(opened.state.getState().rebased).toBe('whole'));
    expect(textIn(opened)).toBe('zero\nONE\ntwo\nthree\nfour\nfive\n');
  });

  test('says that decisions were lost', async () => {
    const opened = await review();
    opened.decide('/a.txt', 1, 'reject');
    proposal = propose([['/a.txt', 'all new\n', AFTER]]);
    await fill(files, { '/a.txt': 'all new\n' });
    await vi.waitFor(() => expect(opened.state.getState().rebased).toBe('partly'));
  });
});
