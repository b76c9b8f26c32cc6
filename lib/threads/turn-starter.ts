import { pendingCalls } from '#lib/messages/apply-chunk.ts';
import type { AssistantMessage, UserMessage } from '#lib/messages/message.ts';
import type { BranchFiles } from './branch-files.ts';
import { newTurn, titleOf } from './new-thread.ts';
import type { RunStart } from './run-start.ts';
import type { ThreadRecord } from './thread-record.ts';

/**
 * Starts a thread's turns: adds questions to the branch, each with an empty turn and the id of the run that will write it;
 * queues messages; and decides how a retry goes on. Remembers the start of each run (a `RunStart`, the reason for the run),
 * which decides what is posted.
 */
export class TurnStarter {
  readonly #record: ThreadRecord;
  readonly #files: BranchFiles;
  /** The starts (see `RunStart`) of the runs that were created here and that nobody has posted yet, by run id. */
  readonly #starts = new Map<string, RunStart>();
  #noted: Promise<void> = Promise.resolve();

  constructor(record: ThreadRecord, files: BranchFiles) {
    this.#record = record;
    this.#files = files;
  }

  /**
   * Resolves when the latest `note` has recorded the point of the files or has failed to; at once if there was nothing to
   * record.
   */
  get noted(): Promise<void> {
    return this.#noted;
  }

  /**
   * Remembers the start `turn` for the first run of a new thread: the run was stored with the thread, and nobody has posted it
   * yet.
   */
  begin(runId: string): void {
    this.#starts.set(runId, 'turn');
  }

  /**
   * Records the point of the files at a user message that gets its first answer now, unless that point is recorded already. The
   * model does not wait for that, but the calls of the answer do (see `noted`).
   */
  note(messageId: string): void {
    if (this.#record.snapshot.thread.checkpoints[messageId] !== undefined) return;
    // Without it, `pointBefore` uses the point at the previous message.
    this.#noted = this.#files.noteCheckpoint(messageId).catch(() => undefined);
  }

  /**
   * Adds a message below `parentId`, and the empty turn that a new run will write as its answer. Gives the thread a title if it
   * has none. `fromQueue`: whether the message was the queued one, which is not queued any more then. Rejects with
   * `StorageError`; then nothing is added.
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

  /** Stores a message as the queued one, which waits for the end of the turn. If another is queued already, joins the two. */
  async queue(message: UserMessage): Promise<void> {
    const { queued } = this.#record.snapshot.thread;
    await this.#record.saveThread({ queued: queued === undefined ? message : joined(queued, message) });
  }

  /**
   * Adds a turn below a message, for a new run to write. `parts`: the compactions with which the turn begins, copied from
   * another version of it; without any, the turn is empty.
   */
  async start(parentId: string | null, parts: AssistantMessage['parts'] = []): Promise<void> {
    const { runId } = this.newRun(parts.length === 0 ? 'turn' : 'replace');
    await this.#record.append([{ message: newTurn(runId, parts), parentId }]);
  }

  /**
   * Returns the status with which a failed or stopped turn goes on from its last finished step: `waiting` if calls are pending,
   * `done` if only storing the finished answer had failed, otherwise `running` with a new run.
   */
  retry(turn: AssistantMessage): AssistantMessage['status'] {
    if (pendingCalls(turn).length > 0) return { type: 'waiting' };
    const { status: before } = turn;
    const last = turn.parts.findLast(({ type }) => type === 'step' || type === 'tool-call');
    // The model had finished; only storing its answer failed.
    if (before.type === 'failed' && before.problem.code.startsWith('storage-') && last?.type === 'step')
      return { type: 'done' };
    return this.newRun('retry');
  }

  /**
   * Creates a run that nobody can have posted yet, and returns a turn's status with it. Remembers the run's start, which
   * `takeStart` gives out once.
   */
  newRun(start: RunStart): { type: 'running'; runId: string } {
    const runId = crypto.randomUUID();
    this.#starts.set(runId, start);
    return { type: 'running', runId };
  }

  /**
   * Returns the start of a run that was created here, but only once, because the run is posted then. Undefined for a run that
   * an earlier page or another tab has begun.
   */
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
