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

  /** Notes where the files are as the open branch is left. */
  async noteHead(): Promise<void> {
    const { headId } = this.#record.snapshot.thread;
    const point = await this.point();
    if (headId === null || point === undefined) return;
    await this.#record.saveThread(({ heads }) => ({ heads: { ...heads, [headId]: point } }));
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

  /** Whether the files are to move to a point; asks where others would be touched or disturbed. */
  async mayMove(point: Version, action: MoveAction): Promise<MoveAnswer> {
    const { askMove } = this.#options;
    const plan = await (await this.open()).planMove(point, this.#ownCalls());
    if (plan.type === 'nothing') return 'stay';
    if (plan.type === 'forgotten') return askMove({ type: 'forgotten', action });
    for (let busy = await this.#busyThreads(); busy.length > 0; busy = await this.#busyThreads()) {
      const answer = await askMove({ type: 'busy', action, threads: busy });
      if (answer !== 'move') return answer;
    }
    return plan.others.length === 0 ? 'move' : askMove({ type: 'others', action, changes: plan.others });
  }

  /** Moves the files, as soon as no call is active. False when the person would rather not wait for that. */
  async move(point: Version, action: MoveAction): Promise<boolean> {
    const files = await this.open();
    while (!(await files.move(point))) {
      const threads = await this.#busyThreads();
      const answer = await this.#options.askMove({ type: 'busy', action, threads });
      if (answer !== 'move') return answer === 'stay';
    }
    return true;
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
