import { pendingCalls } from '#lib/messages/apply-chunk.ts';
import type { AssistantMessage, UserMessage } from '#lib/messages/message.ts';
import type { BranchFiles } from './branch-files.ts';
import { newTurn, titleOf } from './new-thread.ts';
import type { ThreadRecord } from './thread-record.ts';

/** Starts a thread's turns: adds messages to the branch, and the answers that runs will write. */
export class TurnStarter {
  readonly #record: ThreadRecord;
  readonly #files: BranchFiles;
  readonly #newRuns = new Set<string>();
  /** Runs that repeat a step, so the server's state is not the one they continue from (rule R12). */
  readonly #retries = new Set<string>();
  #noted: Promise<void> = Promise.resolve();

  constructor(record: ThreadRecord, files: BranchFiles) {
    this.#record = record;
    this.#files = files;
  }

  /** Resolves when the point of the files at the newest message has been recorded. */
  get noted(): Promise<void> {
    return this.#noted;
  }

  /** Takes over a run that nobody has posted yet. */
  begin(runId: string): void {
    this.#newRuns.add(runId);
  }

  /**
   * Records the point of the files at a user message that has its first answer now. The answer does not wait for it; its
   * calls do.
   */
  note(messageId: string): void {
    if (this.#record.snapshot.thread.checkpoints[messageId] !== undefined) return;
    // Without it, `pointBefore` uses the point at the previous message.
    this.#noted = this.#files.noteCheckpoint(messageId).catch(() => undefined);
  }

  /**
   * Adds a message below `parentId` with the turn that answers it. `fromQueue`: it was the queued message.
   * Rejects with `StorageError`; then nothing is added.
   */
  async append(message: UserMessage, parentId: string | null, fromQueue = false): Promise<void> {
    const turn = newTurn(this.newRun().runId);
    await this.#record.append(
      [
        { message, parentId },
        { message: turn, parentId: message.id },
      ],
      {
        updatedAt: Date.now(),
        ...(fromQueue ? { queued: undefined } : {}),
        ...(this.#record.snapshot.thread.titledBy === 'nobody'
          ? { title: titleOf(message), titledBy: 'studio' as const }
          : {}),
      },
    );
  }

  /** Lets a message wait for the end of the turn, together with the one that is already waiting. */
  async queue(message: UserMessage): Promise<void> {
    const { queued } = this.#record.snapshot.thread;
    await this.#record.saveThread({ queued: queued === undefined ? message : joined(queued, message) });
  }

  /** Adds a turn below a message, for a new run to write; empty unless it begins with a summary that exists already. */
  async start(parentId: string | null, parts: AssistantMessage['parts'] = []): Promise<void> {
    await this.#record.append([{ message: newTurn(this.newRun().runId, parts), parentId }]);
  }

  /** The status with which a turn continues from its last finished step: at its calls, or with a run. */
  retry(turn: AssistantMessage): AssistantMessage['status'] {
    if (pendingCalls(turn).length > 0) return { type: 'waiting' };
    const { status: before } = turn;
    const last = turn.parts.findLast(({ type }) => type === 'step' || type === 'tool-call');
    // The model had finished; only storing its answer failed.
    if (before.type === 'failed' && before.problem.code.startsWith('storage-') && last?.type === 'step')
      return { type: 'done' };
    const status = this.newRun();
    this.#retries.add(status.runId);
    return status;
  }

  /** A turn's status with a run that nobody can have posted yet. */
  newRun(): { type: 'running'; runId: string } {
    const runId = crypto.randomUUID();
    this.#newRuns.add(runId);
    return { type: 'running', runId };
  }

  /** Tells whether a run that is about to be followed is new, or a retry; only the first time, as it is posted then. */
  takeRun(runId: string): { isNew: boolean; isRetry: boolean } {
    return { isNew: this.#newRuns.delete(runId), isRetry: this.#retries.delete(runId) };
  }
}

/** Joins two messages into one; adjacent texts are separated by a line break. */
function joined(first: UserMessage, second: UserMessage): UserMessage {
  const last = first.parts.at(-1);
  const [next, ...rest] = second.parts;
  if (last?.type !== 'text' || next?.type !== 'text')
    return { ...second, id: first.id, parts: [...first.parts, ...second.parts] };
  const text = `${last.text}\n${next.text}`;
  return { ...second, id: first.id, parts: [...first.parts.slice(0, -1), { type: 'text', text }, ...rest] };
}
