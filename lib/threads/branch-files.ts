import type { Message } from '#lib/messages/message.ts';
import type { Version } from '#lib/vfs/file-system.ts';
import type { Thread } from './thread.ts';
import type { OthersChange, ThreadFiles } from './thread-files.ts';
import type { ThreadRecord } from './thread-record.ts';
import type { ThreadStore } from './thread-store.ts';

/** Why files move: the person goes to another branch, or wants only the files back. */
export type MoveAction = 'branch' | 'restore';

/** What the person is asked before files move to where they were. */
export type MoveQuestion = { action: MoveAction } & (
  | { type: 'others'; changes: readonly OthersChange[] }
  /** Threads whose calls are active in the same workspace; none where a call has just ended. */
  | { type: 'busy'; threads: readonly Thread[] }
  | { type: 'forgotten' }
);

/** `move`: do it, or try again; `stay`: go on with the files as they are; `cancel`: do nothing. */
export type MoveAnswer = 'move' | 'stay' | 'cancel';

export interface BranchFilesOptions {
  store: ThreadStore;
  openFiles(workspaceId: string): Promise<ThreadFiles>;
  askMove(question: MoveQuestion): Promise<MoveAnswer>;
  /** Told that files stay as they are, because nobody knows where they were: the thread came with a backup. */
  onUnknownFiles(): void;
}

/** Where the files of a thread were at each of its messages, and the way back there (rule R20). */
export class BranchFiles {
  readonly #record: ThreadRecord;
  readonly #options: BranchFilesOptions;

  constructor(record: ThreadRecord, options: BranchFilesOptions) {
    this.#record = record;
    this.#options = options;
  }

  open(): Promise<ThreadFiles> {
    return this.#options.openFiles(this.#record.snapshot.thread.workspaceId);
  }

  /** The point of the files as they are; undefined where the workspace cannot be read. */
  async point(): Promise<Version | undefined> {
    try {
      return await (await this.open()).record();
    } catch {
      return undefined;
    }
  }

  /** Notes where the files are at a message. Without it the conversation goes on just the same. */
  async noteCheckpoint(messageId: string): Promise<void> {
    const point = await this.point();
    if (point === undefined) return;
    await this.#record.saveThread(({ checkpoints }) => ({ checkpoints: { ...checkpoints, [messageId]: point } }));
  }

  /** Notes where the files are as the open branch is left, and with `change` where the person goes; gives the point. */
  async noteHead(change: Partial<Thread> = {}): Promise<Version | undefined> {
    const { headId } = this.#record.snapshot.thread;
    const point = await this.point();
    const isKnown = headId !== null && point !== undefined;
    await this.#record.saveThread(({ heads }) => ({
      ...change,
      ...(isKnown && { heads: { ...heads, [headId]: point } }),
    }));
    return point;
  }

  /** Finishes a move that the page did not live to see. */
  async finishMove(): Promise<void> {
    const { movingTo } = this.#record.snapshot.thread;
    if (movingTo === undefined) return;
    // Where it cannot be done any more, the files stay as they are; the history has both points.
    await (await this.open()).move(movingTo).catch(() => false);
    await this.#record.saveThread({ movingTo: undefined });
  }

  /** Where the files were when a message of the person was sent; undefined where nobody knows. */
  async pointBefore(messageId: string): Promise<Version | undefined> {
    const { tree, thread } = this.#record.snapshot;
    const parentId = tree.get(messageId)?.parentId ?? null;
    return thread.checkpoints[messageId] ?? (parentId === null ? undefined : this.pointAt(parentId));
  }

  /** Where the files were when the branch that ends at a message was left, or else at that message. */
  async pointOfHead(messageId: string): Promise<Version | undefined> {
    return this.#record.snapshot.thread.heads[messageId] ?? this.pointAt(messageId);
  }

  /** Where the files were at a message: after a turn, or when a message of the person was sent. */
  async pointAt(messageId: string): Promise<Version | undefined> {
    const { tree, thread } = this.#record.snapshot;
    const files = await this.open();
    for (const message of tree.branch(messageId).reverse()) {
      const checkpoint = thread.checkpoints[message.id];
      if (checkpoint !== undefined) return checkpoint;
      // The turn may have ended without one: its page was closed, or it is of an earlier version of the studio.
      for (const toolCallId of callIdsOf(message).reverse()) {
        const point = await files.pointAfter(toolCallId);
        if (point !== undefined) return point;
      }
    }
    return undefined;
  }

  /**
   * Whether the files may move to a point; asks where others would be touched or disturbed. `named` takes up what the
   * person has been told.
   */
  async mayMove(point: Version, action: MoveAction, named: Set<string>): Promise<MoveAnswer> {
    const answer = await this.#ask(point, action, named);
    return answer === 'nothing' ? 'move' : answer;
  }

  /** Says that the files stay, because nobody knows where they were; if the thread can have changed any. */
  sayUnknown(): void {
    if (this.#ownCalls().size > 0) this.#options.onUnknownFiles();
  }

  /** Moves the files, as soon as no call is active and everything that goes is named. False when the person says no. */
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

  /** Asks what has to be asked, as things are now. */
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

  /** The other threads of the workspace that are not at rest. */
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
  message.parts.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []));
