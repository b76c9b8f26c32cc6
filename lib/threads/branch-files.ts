import type { Message } from '#lib/messages/message.ts';
import type { Version } from '#lib/vfs/file-system.ts';
import { compactionAuthor } from './compaction-author.ts';
import type { Thread } from './thread.ts';
import type { OthersChange, ThreadFiles } from './thread-files.ts';
import type { ThreadRecord } from './thread-record.ts';
import type { ThreadStore } from './thread-store.ts';

/**
 * The reason for moving a workspace's files to another point of their history. `branch`: the user leaves the open branch, by
 * switching, editing, or regenerating; `restore`: they only restore the files.
 */
export type MoveAction = 'branch' | 'restore';

/**
 * A question to the user before a workspace's files move to another point of their history. `others`: the move would undo these
 * changes by the person or by other threads. `forgotten`: the history no longer has that point.
 */
export type MoveQuestion = { action: MoveAction } & (
  | { type: 'others'; changes: readonly OthersChange[] }
  /** Calls of other threads are active in the same workspace. `threads`: empty if these calls have just ended. */
  | { type: 'busy'; threads: readonly Thread[] }
  | { type: 'forgotten' }
);

/**
 * The user's answer to a `MoveQuestion`. `move`: move the files, or try again; `stay`: go on, for example switch the branch,
 * but keep the current files; `cancel`: do nothing, so that the branch stays open, too.
 */
export type MoveAnswer = 'move' | 'stay' | 'cancel';

export interface BranchFilesOptions {
  store: ThreadStore;
  openFiles(workspaceId: string): Promise<ThreadFiles>;
  askMove(question: MoveQuestion): Promise<MoveAnswer>;
  /** Called when files stay unchanged because their earlier state is unknown, as in a thread from a backup. */
  onUnknownFiles(): void;
}

/**
 * Records and finds the state of the workspace's files at each message of a thread, as a point in the workspace's history, and
 * moves the files back to such a point (rule R20).
 */
export class BranchFiles {
  readonly #record: ThreadRecord;
  readonly #options: BranchFilesOptions;

  constructor(record: ThreadRecord, options: BranchFilesOptions) {
    this.#record = record;
    this.#options = options;
  }

  /** Opens the files of the thread's workspace. */
  open(): Promise<ThreadFiles> {
    return this.#options.openFiles(this.#record.snapshot.thread.workspaceId);
  }

  /** The files' current point in the workspace's history; undefined if the workspace cannot be read. */
  async point(): Promise<Version | undefined> {
    try {
      return await (await this.open()).record();
    } catch {
      return undefined;
    }
  }

  /** Records the point of the files at a message. If that fails, the conversation continues anyway. */
  async noteCheckpoint(messageId: string): Promise<void> {
    const point = await this.point();
    if (point === undefined) return;
    await this.#record.saveThread(({ checkpoints }) => ({ checkpoints: { ...checkpoints, [messageId]: point } }));
  }

  /**
   * Records the point of the files when leaving the open branch, applies `change` to the thread, and notes a move to `target`,
   * if there is one. Resolves with the point; undefined if the workspace cannot be read.
   */
  async noteHead(change: Partial<Thread> = {}, target?: Version): Promise<Version | undefined> {
    const { headId } = this.#record.snapshot.thread;
    const point = await this.point();
    const isKnown = headId !== null && point !== undefined;
    await this.#record.saveThread(({ heads }) => ({
      ...change,
      ...(target !== undefined && { movingTo: target, movingFrom: point }),
      ...(isKnown && { heads: { ...heads, [headId]: point } }),
    }));
    return point;
  }

  /**
   * Writes those of `files` that the workspace does not have yet, as a change by the call `toolCallId`. `whole`: makes the text
   * of a file that is written.
   */
  async saveMissing(toolCallId: string, files: readonly { path: string; whole(): string }[]): Promise<void> {
    await (await this.open()).saveMissing(toolCallId, files);
  }

  /**
   * Finishes a move that was interrupted when the page was closed. The files stay as they are if they have changed since the
   * move began, or if the move is no longer possible.
   */
  async finishMove(): Promise<void> {
    const { movingTo, movingFrom } = this.#record.snapshot.thread;
    if (movingTo === undefined) return;
    const files = await this.open();
    // The mark of a move that is done stays if storage is full. What was changed since then must not be lost.
    const isPending = movingFrom !== undefined && (await files.record()) === movingFrom;
    // If the move is no longer possible, the files stay unchanged; the history has both points.
    if (isPending) await files.move(movingTo).catch(() => false);
    await this.#record.saveThread({ movingTo: undefined, movingFrom: undefined });
  }

  /**
   * The point of the files when a user message was sent; if it was not recorded, that at the message before. Undefined if
   * unknown.
   */
  async pointBefore(messageId: string): Promise<Version | undefined> {
    const { tree, thread } = this.#record.snapshot;
    const parentId = tree.get(messageId)?.parentId ?? null;
    return thread.checkpoints[messageId] ?? (parentId === null ? undefined : this.pointAt(parentId));
  }

  /** The point of the files when the branch that ends at a message was left; otherwise, their point at that message. */
  async pointOfHead(messageId: string): Promise<Version | undefined> {
    return this.#record.snapshot.thread.heads[messageId] ?? this.pointAt(messageId);
  }

  /**
   * The point of the files at a message: after a turn, or when a user message was sent. If it was not recorded, the last known
   * one before it on the branch, such as the one after the last change by a call. Undefined if unknown.
   */
  async pointAt(messageId: string): Promise<Version | undefined> {
    const { tree, thread } = this.#record.snapshot;
    const files = await this.open();
    for (const message of tree.branch(messageId).reverse()) {
      const checkpoint = thread.checkpoints[message.id];
      if (checkpoint !== undefined) return checkpoint;
      // The turn may have no checkpoint: its page was closed, or it comes from an earlier version of the studio.
      for (const toolCallId of callIdsOf(message).reverse()) {
        const point = await files.pointAfter(toolCallId);
        if (point !== undefined) return point;
      }
    }
    return undefined;
  }

  /**
   * Finds out whether the files may move to a point, but does not move them. Resolves with `move` if nothing stands in the way;
   * if the move would affect changes by others or active calls, asks the user and resolves with the answer. Adds the paths that
   * the user has been told about to `named`.
   */
  async mayMove(point: Version, action: MoveAction, named: Set<string>): Promise<MoveAnswer> {
    const answer = await this.#ask(point, action, named);
    return answer === 'nothing' ? 'move' : answer;
  }

  /** Tells the user that the files stay because their earlier state is unknown, if the thread may have changed any. */
  sayUnknown(): void {
    if (this.#ownCalls().size > 0) this.#options.onUnknownFiles();
  }

  /**
   * Moves the files once no call is active and the user knows all changes that will be lost. Resolves with false if the
   * user cancels; with true, but without a move, if they decide to keep the current files.
   */
  async move(point: Version, action: MoveAction, named: Set<string>): Promise<boolean> {
    const files = await this.open();
    for (;;) {
      const answer = await this.#ask(point, action, named);
      if (answer === 'nothing') return true;
      if (answer !== 'move') return answer === 'stay';
      if (await files.move(point)) return true;
      const threads = await this.#busyThreads();
      const wait = await this.#options.askMove({ type: 'busy', action, threads });
      if (wait !== 'move') return wait === 'stay';
    }
  }

  /**
   * Asks the user about all that stands in the way of a move, and resolves with the answer: `move` if nothing does (any more).
   * `nothing`: the files are already at the point.
   */
  async #ask(point: Version, action: MoveAction, named: Set<string>): Promise<MoveAnswer | 'nothing'> {
    const { askMove } = this.#options;
    for (;;) {
      const plan = await (await this.open()).planMove(point, this.#ownCalls());
      if (plan.type === 'nothing') return 'nothing';
      if (plan.type === 'forgotten') return askMove({ type: 'forgotten', action });
      const busy = await this.#busyThreads();
      if (busy.length > 0) {
        const answer = await askMove({ type: 'busy', action, threads: busy });
        if (answer !== 'move') return answer;
        // They may have changed something in the meantime.
        continue;
      }
      const others = plan.others.filter(({ path }) => !named.has(path));
      if (others.length === 0) return 'move';
      const answer = await askMove({ type: 'others', action, changes: others });
      if (answer !== 'move') return answer;
      for (const { path } of others) named.add(path);
    }
  }

  /** The other threads of the workspace that are not settled. */
  async #busyThreads(): Promise<Thread[]> {
    const { id, workspaceId } = this.#record.snapshot.thread;
    return (await this.#options.store.threads()).filter(
      (thread) =>
        thread.id !== id &&
        thread.workspaceId === workspaceId &&
        thread.deletedAt === undefined &&
        thread.activity !== 'settled',
    );
  }

  #ownCalls(): Set<string> {
    return new Set(this.#record.snapshot.tree.nodes().flatMap(({ message }) => callIdsOf(message)));
  }
}

const callIdsOf = (message: Message): string[] =>
  message.parts.flatMap((part) => {
    if (part.type === 'compaction') return [compactionAuthor(part.id)];
    return part.type === 'tool-call' ? [part.toolCallId] : [];
  });
