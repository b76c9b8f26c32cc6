import * as z from 'zod';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { defined } from '#lib/base/defined.ts';
import { messageOf } from '#lib/base/message-of.ts';
import type { ApprovalAnswer } from '#lib/threads/approvals.ts';
import { isTemporary } from '#lib/threads/temporary.ts';
import type { ThreadSession } from '#lib/threads/thread-session.ts';
import type { ThreadStore } from '#lib/threads/thread-store.ts';
import type { ReviewedChanges } from '#lib/tools/execution/reviewed-changes.ts';
import type { FileSystem } from '#lib/vfs/file-system.ts';
import { decodeUtf8 } from '#lib/vfs/text.ts';
import { describeFileReview } from '#lib/workspace/review/describe-review.ts';
import {
  beginReview,
  decideAll,
  decideHunk,
  editText,
  type FileReview,
  hasOtherEdits,
  type LineEdit,
  outcomesOf,
  rebase,
} from '#lib/workspace/review/file-review.ts';
import { contentHash, isSameChange, type ProposedFile, type UncomparedFile } from '#lib/workspace/review/proposal.ts';
import { draftSetting, forgetDrafts } from './review-drafts.ts';

/** The time that the user's edits are collected before the draft of a review is stored, in milliseconds. */
const SAVE_EDITS_AFTER_MS = 300;

/** A file under review: hunk by hunk if it is text before and after, and as a whole otherwise. */
export interface ReviewedPath {
  path: string;
  proposed: ProposedFile;
  /**
   * The review of the text, hunk by hunk; undefined for files that are deleted, are no text, or have no lines to decide about.
   */
  text: FileReview | undefined;
  /** Whether a file without `text` is to be written, or deleted, as proposed. */
  isAccepted: boolean;
}

export interface ReviewState {
  /** Undefined until the proposal is known. */
  files: readonly ReviewedPath[] | undefined;
  /** Files that the call would change as well, but that cannot be reviewed one by one: too many, or too large. */
  uncompared: readonly UncomparedFile[];
  /** Whether the proposal also contains changes that were made since the model read the file. */
  isStale: boolean;
  /** The reason why the call would fail; undefined if none is known. */
  problem: string | undefined;
  /** Whether all decisions could be kept when the files changed during the review; undefined if they have not changed. */
  rebased: 'whole' | 'partly' | undefined;
  /** The user's message to the model along with the answer. */
  note: string;
}

const rangeSchema = z.object({ start: z.int().min(0), end: z.int().min(0) });

const draftSchema = z.object({
  threadId: z.string(),
  /** The id of the page that has stored the draft. */
  by: z.string(),
  note: z.string().default(''),
  files: z.array(
    z.object({
      path: z.string(),
      isAccepted: z.boolean(),
      text: z
        .object({
          base: z.string(),
          text: z.string(),
          hunks: z.array(rangeSchema.extend({ lines: z.array(z.string()) })),
          regions: z.array(rangeSchema),
        })
        .optional(),
    }),
  ),
});

type Draft = z.infer<typeof draftSchema>;

/** The id of this page, by which it knows its own drafts. */
const PAGE = crypto.randomUUID();

interface CallReviewOptions {
  session: ThreadSession;
  toolCallId: string;
  store: ThreadStore;
  fileSystem: Pick<FileSystem, 'watch'>;
}

/**
 * The user's review of what a call would write, before it does. A draft is stored, so it survives a reload and can be
 * finished in another tab. If the files change meanwhile, what was decided is kept for all changes that are still proposed.
 */
export class CallReview {
  readonly state: StoreApi<ReviewState>;
  readonly #options: CallReviewOptions;
  readonly #closed = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #loading = Promise.resolve();
  /** Whether the proposal will be read again. */
  #isWaiting = false;

  constructor(options: CallReviewOptions) {
    this.#options = options;
    this.state = createStore<ReviewState>(() => ({
      files: undefined,
      uncompared: [],
      isStale: false,
      problem: undefined,
      rebased: undefined,
      note: '',
    }));
    void this.#load();
    // Drafts that stay are only leftovers; the next review tries again.
    forgetDrafts(options.store).catch(() => undefined);
    const unwatch = options.fileSystem.watch((changes) => {
      // Any of them can matter: a folder that is to be deleted may have more files now.
      if (changes.length > 0) void this.#load();
    });
    const unsubscribe = options.store.subscribe((change) => {
      if (change.type === 'settings') void this.#takeDraft();
    });
    const leave = options.session.subscribe(() => {
      if (!options.session.getSnapshot().asking.includes(options.toolCallId)) this.close();
    });
    const onHide = () => {
      if (this.#timer !== undefined) this.#save();
    };
    globalThis.addEventListener?.('pagehide', onHide);
    this.#closed.signal.addEventListener('abort', () => {
      globalThis.removeEventListener?.('pagehide', onHide);
      unwatch();
      unsubscribe();
      leave();
    });
  }

  /**
   * Whether the review no longer follows changes, because it was finished or closed, or because the call did not wait for an
   * answer at some time.
   */
  get isClosed(): boolean {
    return this.#closed.signal.aborted;
  }

  /** Keeps or rejects a hunk. Nothing is written before `finish`. */
  decide(path: string, index: number, decision: 'keep' | 'reject'): void {
    this.#change(path, (file) => ({ ...file, ...(file.text && { text: decideHunk(file.text, index, decision) }) }));
  }

  /** Keeps or rejects all changes of this call. Nothing is written before `finish`. */
  decideAll(decision: 'keep' | 'reject'): void {
    const { files } = this.state.getState();
    this.state.setState({
      files: files?.map((file) => ({
        ...file,
        isAccepted: decision === 'keep',
        text: file.text && decideAll(file.text, decision),
      })),
    });
    this.#saveSoon(0);
  }

  /** Accepts or rejects the change of a file that has no `text`. Nothing is written before `finish`. */
  accept(path: string, isAccepted: boolean): void {
    this.#change(path, (file) => ({ ...file, isAccepted }));
  }

  /** Applies the user's edits to the text of a file under review. Nothing is written before `finish`. */
  edit(path: string, text: string, edits: readonly LineEdit[]): void {
    const change = (file: ReviewedPath) => ({ ...file, ...(file.text && { text: editText(file.text, text, edits) }) });
    this.#change(path, change, SAVE_EDITS_AFTER_MS);
  }

  /** Sets the user's message to the model, which is passed on with the answer. */
  setNote(note: string): void {
    this.state.setState({ note });
    this.#saveSoon(SAVE_EDITS_AFTER_MS);
  }

  /**
   * Answers the call with what was accepted, and the note. Resolves with true when the answer is passed on, and with false if
   * the review is closed, or if the call would do something else by now: that is shown first.
   */
  async finish(): Promise<boolean> {
    const { session, toolCallId, store } = this.#options;
    const seen = this.state.getState();
    await this.#loading;
    if (this.isClosed) return false;
    const { files = [], uncompared, isStale, note } = this.state.getState();
    const isSeen =
      isSameChange(proposedIn(seen), proposedIn({ files })) &&
      JSON.stringify(seen.uncompared) === JSON.stringify(uncompared);
    if (!isSeen) {
      this.state.setState({ rebased: 'partly' });
      return false;
    }
    const answer = await answerOf({ files, uncompared, isStale }, note.trim());
    this.close();
    await session.answer(toolCallId, answer);
    await store.deleteSetting(draftSetting(toolCallId));
    return true;
  }

  /** Ends the review in this page without an answer. Its draft stays, so it can begin again. */
  close(): void {
    clearTimeout(this.#timer);
    this.#closed.abort();
  }

  #change(path: string, change: (file: ReviewedPath) => ReviewedPath, saveAfterMs = 0): void {
    this.state.setState(({ files }) => ({ files: files?.map((file) => (file.path === path ? change(file) : file)) }));
    this.#saveSoon(saveAfterMs);
  }

  #load(): Promise<void> {
    // One that has not begun yet will see this change, too.
    if (this.#isWaiting) return this.#loading;
    this.#isWaiting = true;
    this.#loading = this.#loading
      .then(() => {
        this.#isWaiting = false;
        return this.#read();
      })
      .catch((error: unknown) => {
        if (this.#closed.signal.aborted) return;
        this.state.setState({ files: [], problem: messageOf(error) });
      });
    return this.#loading;
  }

  async #read(): Promise<void> {
    const { session, toolCallId } = this.#options;
    const proposal = await session.proposal(toolCallId, this.#closed.signal);
    const draft = await this.#draft();
    if (this.#closed.signal.aborted) return;
    const known = [...(this.state.getState().files ?? []), ...(draft?.files ?? [])];
    let rebased: ReviewState['rebased'];
    const files = proposal.files.map((proposed): ReviewedPath => {
      const fresh = begin(proposed);
      const earlier = known.find(({ path }) => path === proposed.path);
      if (earlier === undefined) return fresh;
      const isAccepted = earlier.isAccepted;
      if (fresh.text === undefined || earlier.text === undefined) return { ...fresh, isAccepted };
      if (isSameProposal(fresh.text, earlier.text)) return { ...fresh, isAccepted, text: earlier.text };
      const { review, isWhole } = rebase(earlier.text, fresh.text.base, fresh.text.text);
      rebased = isWhole && rebased !== 'partly' ? 'whole' : 'partly';
      return { ...fresh, isAccepted, text: review };
    });
    this.state.setState(({ rebased: before, note }) => ({
      files,
      uncompared: proposal.uncompared,
      isStale: proposal.isStale,
      problem: proposal.problem,
      rebased: rebased ?? before,
      note: note === '' ? (draft?.note ?? '') : note,
    }));
  }

  async #draft(): Promise<Draft | undefined> {
    const { store, toolCallId } = this.#options;
    const parsed = draftSchema.safeParse(await store.setting(draftSetting(toolCallId)));
    return parsed.success ? parsed.data : undefined;
  }

  /** Takes over the decisions, edits, and the message that another tab has stored. */
  async #takeDraft(): Promise<void> {
    const draft = await this.#draft();
    if (draft === undefined || draft.by === PAGE || this.#closed.signal.aborted) return;
    this.state.setState(({ files }) => ({
      note: draft.note,
      files: files?.map((file) => {
        const other = draft.files.find(({ path }) => path === file.path);
        if (other === undefined) return file;
        const isSame = file.text !== undefined && other.text !== undefined && isSameProposal(file.text, other.text);
        return { ...file, isAccepted: other.isAccepted, text: isSame ? other.text : file.text };
      }),
    }));
  }

  #saveSoon(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#save, ms);
  }

  readonly #save = (): void => {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { session, toolCallId, store } = this.#options;
    if (isTemporary(session.threadId)) return;
    const { files = [], note } = this.state.getState();
    const draft = {
      threadId: session.threadId,
      by: PAGE,
      note,
      files: files.map(({ path, isAccepted, text }) => ({ path, isAccepted, ...defined({ text }) })),
    };
    // If storage is full, the review goes on in this tab.
    store.putSetting(draftSetting(toolCallId), structuredClone(draft)).catch(() => undefined);
  };
}

const isSameProposal = (one: FileReview, other: FileReview): boolean =>
  one.base === other.base && JSON.stringify(one.hunks) === JSON.stringify(other.hunks);

function begin(proposed: ProposedFile): ReviewedPath {
  const { path, before, after } = proposed;
  const [old, now] = [before === null ? '' : decodeUtf8(before), after === null ? undefined : decodeUtf8(after)];
  // An empty file that is new, or goes, has no lines to decide about.
  const text = old === undefined || now === undefined || old === now ? undefined : beginReview(old, now);
  return { path, proposed, text, isAccepted: true };
}

/** Returns how the user wants a file: as proposed, as before, or different from both. */
function outcomeOf({ text, isAccepted }: ReviewedPath): 'kept' | 'rejected' | 'edited' {
  if (text === undefined) return isAccepted ? 'kept' : 'rejected';
  if (hasOtherEdits(text)) return 'edited';
  const types = new Set(outcomesOf(text).map(({ type }) => type));
  const [only] = types;
  return types.size === 1 && (only === 'kept' || only === 'rejected') ? only : 'edited';
}

const proposedIn = ({ files = [] }: Pick<ReviewState, 'files'>): ProposedFile[] =>
  files.map(({ proposed }) => proposed);

/** Checks whether all changes of a call are kept as proposed. Never true for a stale proposal, which has other changes, too. */
const keepsAll = ({ files = [], isStale }: Pick<ReviewState, 'files' | 'isStale'>): boolean =>
  !isStale && files.every((file) => outcomeOf(file) === 'kept');

/**
 * Returns the answer to a call whose changes were reviewed: a denial if all changes were rejected, otherwise a permission to
 * write those that were kept or edited. The `uncompared` files, which could not be reviewed, change only if all changes are
 * kept. `note`: the user's message to the model, which is part of the answer; empty if there is none.
 */
export async function answerOf(
  { files = [], uncompared, isStale }: Pick<ReviewState, 'files' | 'uncompared' | 'isStale'>,
  note: string,
): Promise<ApprovalAnswer> {
  const outcomes = files.map(outcomeOf);
  if (files.length > 0 && outcomes.every((outcome) => outcome === 'rejected'))
    return { type: 'deny', reason: `The user rejected all changes.${note === '' ? '' : ` ${note}`}` };
  const said = note !== '' && { note };
  if (keepsAll({ files, isStale })) return { type: 'allow', scope: 'once', ...said };
  const reviewed: ReviewedChanges = {
    files: await Promise.all(
      files.flatMap((file, index) => (outcomes[index] === 'rejected' ? [] : [file])).map(toReviewed),
    ),
    summary: [
      'Written, with what the user has made of your changes in a review. Read a file again before you change it.',
      ...files.map((file, index) => describe(file, outcomes[index])),
      ...(uncompared.length > 0
        ? [`${describeUncompared(uncompared)}: as before, because not all changes were kept.`]
        : []),
    ].join('\n'),
  };
  return { type: 'allow', scope: 'once', reviewed, ...said };
}

/** The maximum number of uncompared files whose paths the model is told. */
const NAMED_MAX = 20;

function describeUncompared(files: readonly UncomparedFile[]): string {
  const named = files.slice(0, NAMED_MAX).map(({ path }) => path);
  const more = files.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more files` : ''}`;
}

async function toReviewed({ path, proposed: { before, after }, text }: ReviewedPath) {
  const base = await contentHash(before);
  if (text !== undefined) return { path, base, content: before === null && text.text === '' ? null : text.text };
  return { path, base, content: after };
}

function describe({ path, proposed, text }: ReviewedPath, outcome: 'kept' | 'rejected' | 'edited' | undefined): string {
  if (outcome === 'rejected') return `${path}: all changes were rejected; it is as before.`;
  if (text !== undefined) return describeFileReview(path, text);
  return `${path}: ${proposed.after === null ? 'deleted' : 'written'} as you proposed.`;
}
