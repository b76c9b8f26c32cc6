import type { AssistantMessage, CompactionPart, Message } from '#lib/messages/message.ts';
import { saidBefore } from '#lib/messages/said.ts';
import type { ChatRequest } from '#lib/wire/chat.ts';
import type { BranchFiles } from './branch-files.ts';
import { compactionAuthor } from './compaction-author.ts';
import type { ThreadRecord } from './thread-record.ts';

/**
 * Returns copies of the compactions (points from which prompts are shortened) with which a turn begins, with new ids, for
 * another version of that turn. Those that failed or are undone are left out.
 */
export function leadingCompactions({ parts }: Message): CompactionPart[] {
  const end = parts.findIndex(({ type }) => type !== 'compaction');
  return parts
    .slice(0, end === -1 ? parts.length : end)
    .filter((part): part is CompactionPart => part.type === 'compaction')
    .filter(({ undone, failed }) => undone !== true && failed === undefined)
    .map(({ runId: _, ...part }) => ({ ...withoutUsage(part), id: crypto.randomUUID() }));
}

/**
 * Returns a compaction (a point from which prompts are shortened) without the token counts and the duration of its summary,
 * which count only for the original.
 */
export function withoutUsage<Part extends Pick<CompactionPart, 'summary'>>(part: Part): Part {
  if (part.summary === undefined) return part;
  const { usage: _, durationMs: __, ...summary } = part.summary;
  return { ...part, summary };
}

/**
 * Requests and undoes the compactions of a thread, the points from which its prompts are shortened, and saves the messages that
 * they shorten as files of the workspace.
 */
export class ThreadCompactions {
  readonly #record: ThreadRecord;
  readonly #files: BranchFiles;

  constructor(record: ThreadRecord, files: BranchFiles) {
    this.#record = record;
    this.#files = files;
  }

  /**
   * Returns the compaction options of the next request; undefined if there are none. `model`: the model that writes summaries;
   * null for the thread's own.
   */
  request(model: string | null): ChatRequest['compaction'] {
    const isAsked = this.#record.snapshot.thread.compactsNext === true;
    if (!isAsked && model === null) return undefined;
    return { ...(isAsked && { now: true }), ...(model !== null && { model }) };
  }

  /** Asks for a summary of the conversation before the model's next step or, with `isAsked` false, withdraws that. */
  async ask(isAsked: boolean): Promise<void> {
    await this.#record.saveThread({ compactsNext: isAsked ? true : undefined });
  }

  /**
   * Clears the thread's `compactsNext`, which asks for a compaction before the next step, if the run has tried it, even without
   * success, and its `resends`, which makes the next request send the whole branch, if the run has ended with an answer or
   * calls.
   */
  async noteRun(turn: AssistantMessage, runId: string): Promise<void> {
    const { compactsNext, resends } = this.#record.snapshot.thread;
    const isDone = turn.parts.some((part) => part.type === 'compaction' && part.runId === runId && part.asked === true);
    const isKnown = turn.status.type === 'waiting' || turn.status.type === 'done';
    if (!(compactsNext && isDone) && !(resends && isKnown)) return;
    await this.#record.saveThread((stored) => ({
      compactsNext: isDone ? undefined : stored.compactsNext,
      resends: isKnown ? undefined : stored.resends,
    }));
  }

  /**
   * Undoes a compaction or, with `isUndone` false, applies it again. The server's state no longer fits then, so the next
   * request sends the branch. While the turn is in progress, changes no compaction.
   */
  async setUndone(id: string, isUndone: boolean): Promise<void> {
    // First, so that the server cannot go on with its own state if the page is closed in between.
    await this.#record.saveThread({ resends: true });
    const { tree, busy } = this.#record.snapshot;
    if (busy) return;
    for (const { message } of tree.nodes()) {
      if (message.role !== 'assistant') continue;
      const index = message.parts.findIndex((part) => part.type === 'compaction' && part.id === id);
      const part = message.parts[index];
      if (part?.type !== 'compaction') continue;
      const { undone: _, ...kept } = part;
      const changed: CompactionPart = isUndone ? { ...kept, undone: true } : kept;
      await this.#record.saveTurn({ ...message, parts: message.parts.with(index, changed) });
      return;
    }
  }

  /**
   * Saves the messages that summaries contain only in part as files of the workspace, where the model's tools find them.
   * If that fails, the conversation goes on: the messages themselves are in the thread.
   */
  async saveMessages(branch: readonly Message[]): Promise<void> {
    const parts = branch
      .flatMap((message) => (message.role === 'assistant' ? message.parts : []))
      .filter((part) => part.type === 'compaction');
    for (const { id, summary, undone } of parts) {
      if (summary?.hasFiles !== true || undone === true) continue;
      const files = saidBefore(branch, summary).flatMap(({ path, whole }) =>
        path === undefined ? [] : [{ path, whole }],
      );
      if (files.length > 0) await this.#files.saveMissing(compactionAuthor(id), files).catch(() => undefined);
    }
  }
}
