import { pendingCalls } from '#lib/messages/apply-chunk.ts';
import type { AssistantMessage, UserMessage } from '#lib/messages/message.ts';
import type { BranchFiles } from './branch-files.ts';
import { newTurn, titleOf } from './new-thread.ts';
import type { RunStart } from './run-start.ts';
import type { ThreadRecord } from './thread-record.ts';

/** Starts a thread's turns: adds messages to the branch, and the answers that runs will write. */
export class TurnStarter {
  readonly #record: ThreadRecord;
  readonly #files: BranchFiles;
  /** The starts of the runs that nobody has posted yet, by their ids. */
  readonly #starts = new Map<string, RunStart>();
  #noted: Promise<void> = Promise.resolve();

  constructor(record: ThreadRecord, files: BranchFiles) {
    this.#record = record;
    this.#files = files;
  }

  /** Resolves when the point of the files at the newest message has been recorded. */
  get noted(): Promise<void> {
    return this.#noted;
  }

  /** Takes over the first run of a new thread, which nobody has posted yet. */
  begin(runId: string): void {
    this.#starts.set(runId, 'turn');
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
    const turn = newTurn(this.newRun('turn').runId);
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
    const { runId } = this.newRun(parts.length === 0 ? 'turn' : 'replace');
    await this.#record.append([{ message: newTurn(runId, parts), parentId }]);
  }

  /** The status with which a turn continues from its last finished step: at its calls, or with a run. */
  retry(turn: AssistantMessage): AssistantMessage['status'] {
    if (pendingCalls(turn).length > 0) return { type: 'waiting' };
    const { status: before } = turn;
    const last = turn.parts.findLast(({ type }) => type === 'step' || type === 'tool-call');
    // The model had finished; only storing its answer failed.
    if (before.type === 'failed' && before.problem.code.startsWith('storage-') && last?.type === 'step')
      return { type: 'done' };
    return this.newRun('retry');
  }

  /** A turn's status with a run that nobody can have posted yet. */
  newRun(start: RunStart): { type: 'running'; runId: string } {
    const runId = crypto.randomUUID();
    this.#starts.set(runId, start);
    return { type: 'running', runId };
  }

  /** Returns the start of a run, only the first time, as it is posted then; undefined if an earlier page has begun it. */
  takeStart(runId: string): RunStart | undefined {
    const start = this.#starts.get(runId);
    this.#starts.delete(runId);
    return start;
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
