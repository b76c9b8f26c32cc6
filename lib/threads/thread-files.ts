import { sha256 } from '#lib/base/sha256.ts';
import type { WorkspaceCapabilities } from '#lib/tools/capabilities/capabilities.ts';
import type { ChangedAmount } from '#lib/tools/core/tool-call.ts';
import type { KnownFile, KnownFiles } from '#lib/tools/execution/known-files.ts';
import { TEXT_MAX_BYTES } from '#lib/tools/files/text-limit.ts';
import { FileSystemError } from '#lib/vfs/errors.ts';
import { exists } from '#lib/vfs/exists.ts';
import type { FileSystem, Version } from '#lib/vfs/file-system.ts';
import type { WorkspaceHistory } from '#lib/vfs/history.ts';
import { decodeUtf8 } from '#lib/vfs/text.ts';
import type { FileContent } from '#lib/vfs/workspace-storage.ts';
import type { MoveLock } from './move-lock.ts';

/** The most files of one call that `writtenBy` returns. */
const MAX_WRITTEN = 200;
/** The maximum number of the newest commits that are searched for a file's earlier contents. */
const MAX_STEPS = 1_000;

/** A file that has been changed by the person or by another thread. */
export interface OthersChange {
  path: string;
  by: 'person' | 'thread';
}

/** The consequences of moving the files to another point. */
type MovePlan =
  /** The files are already at the point. */
  | { type: 'nothing' }
  /** The history no longer goes back to the point. */
  | { type: 'forgotten' }
  /** `others`: files with later changes, by the person or other threads, that would be lost. */
  | { type: 'move'; others: readonly OthersChange[] };

interface ThreadFilesOptions {
  fileSystem: FileSystem;
  history: WorkspaceHistory;
  capabilities: WorkspaceCapabilities;
  moveLock: MoveLock;
  /** Saves pending edits to the workspace, or, if they need the user's decision first, to its history. */
  saveEdits(): Promise<void>;
  /** Called just before all files move to another point. */
  onMove?(): void;
}

/** A workspace's files, as its threads work on them and return them to earlier points (rule R20). */
export class ThreadFiles {
  readonly capabilities: WorkspaceCapabilities;
  readonly #options: ThreadFilesOptions;
  #active = 0;

  constructor(options: ThreadFilesOptions) {
    this.capabilities = options.capabilities;
    this.#options = options;
  }

  /** Whether calls of this tab are working on the files. */
  get isActive(): boolean {
    return this.#active > 0;
  }

  /** Checks whether the workspace has a commit of this call, no matter which tab made it. */
  async hasCommitted(toolCallId: string): Promise<boolean> {
    await this.#options.fileSystem.refresh();
    return (await this.pointAfter(toolCallId)) !== undefined;
  }

  /**
   * Writes those of `files` that the workspace does not have yet, in one transaction, as a change by the call `toolCallId`.
   * `whole`: makes the text of a file that is written. Rejects with `FileSystemError`.
   */
  async saveMissing(toolCallId: string, files: readonly { path: string; whole(): string }[]): Promise<void> {
    const { fileSystem } = this.#options;
    await fileSystem.refresh();
    const areThere = await Promise.all(files.map(({ path }) => exists(fileSystem, path)));
    if (areThere.every(Boolean)) return;
    await fileSystem.transaction({ type: 'call', toolCallId }, async (tx) => {
      for (const { path, whole } of files)
        if (!(await exists(tx, path))) tx.writeFile(path, new TextEncoder().encode(whole()));
    });
  }

  /** Takes a call over from its claimant: from now on, the claimant's commits for the call are refused. */
  fence(toolCallId: string, claimant: string): Promise<void> {
    return this.#options.history.fence(toolCallId, claimant);
  }

  /**
   * The files that a call has changed, with their new hashes, as far as the model knows their whole content: not those that
   * it knew only in part, or not at all, before the call changed, moved or copied them. At most `MAX_WRITTEN`.
   */
  async writtenBy(toolCallId: string, known: Pick<KnownFiles, 'hashOf' | 'hasSeen'>): Promise<KnownFile[]> {
    const { history } = this.#options;
    const hashOf = async (content: FileContent, path: string) => sha256(await history.read(content, path));
    const files: KnownFile[] = [];
    for (const { path, content, found, isCopy } of await history.filesOf(toolCallId, MAX_WRITTEN)) {
      if (content.size > TEXT_MAX_BYTES) continue;
      const before = known.hashOf(path);
      const replaced = found.filter(({ size }) => size > 0);
      if (before === undefined && replaced.length > 0) continue;
      const hashes = await Promise.all(replaced.map((earlier) => hashOf(earlier, path)));
      if (hashes.some((earlier) => earlier !== before)) continue;
      const hash = await hashOf(content, path);
      if (!isCopy || known.hasSeen(hash)) files.push({ path, hash });
    }
    return files;
  }

  /** Counts the files and lines that a call has changed; undefined if there are none. */
  async changedBy(toolCallId: string): Promise<ChangedAmount | undefined> {
    const { history } = this.#options;
    const changes = await history.changesBy([toolCallId]);
    if (changes.length === 0) return undefined;
    const { countChanges } = await import('#lib/workspace/review/changed-lines.ts');
    const changed = await countChanges(changes, history);
    return changed.files === 0 ? undefined : changed;
  }

  /**
   * The text that a file had when its content had this hash; undefined if the newest `MAX_STEPS` commits do not have that
   * content.
   */
  async textOf(path: string, hash: string): Promise<string | undefined> {
    const { history } = this.#options;
    for await (const content of history.contentsAt(path, MAX_STEPS)) {
      if (content.size > TEXT_MAX_BYTES) continue;
      const data = await history.read(content, path);
      if ((await sha256(data)) === hash) return decodeUtf8(data);
    }
    return undefined;
  }

  /** The point after the last commit of a call; undefined if it made none. */
  pointAfter(toolCallId: string): Promise<Version | undefined> {
    return this.#options.history.pointAfter(toolCallId);
  }

  /** Saves pending edits. Resolves with the files' current point in the history, which includes other tabs' changes. */
  async record(): Promise<Version> {
    const { fileSystem, history, saveEdits } = this.#options;
    await saveEdits();
    await fileSystem.refresh();
    return history.sequence;
  }

  /** Runs work in which calls are active; no tab can move the files in the meantime. */
  async whileActive<T>(work: () => Promise<T>): Promise<T> {
    this.#active++;
    try {
      return await this.#options.moveLock.share(work);
    } finally {
      this.#active--;
    }
  }

  /**
   * Computes what a move to a point would do, after saving pending edits; moves nothing. `ownCalls`: the calls of the thread
   * that asks, whose changes are not listed.
   */
  async planMove(point: Version, ownCalls: ReadonlySet<string>): Promise<MovePlan> {
    await this.record();
    const { history } = this.#options;
    try {
      const changed = new Set((await history.changesSince(point)).map(({ path }) => path));
      if (changed.size === 0) return { type: 'nothing' };
      const others = new Map<string, OthersChange>();
      for (const { author, changes } of await history.stepsLostAt(point)) {
        if (author.type === 'call' && ownCalls.has(author.toolCallId)) continue;
        const by = author.type === 'person' ? 'person' : 'thread';
        for (const { path } of changes) if (changed.has(path) && !others.has(path)) others.set(path, { path, by });
      }
      return { type: 'move', others: [...others.values()] };
    } catch (error) {
      if (error instanceof FileSystemError && error.code === 'EINVAL') return { type: 'forgotten' };
      throw error;
    }
  }

  /** Restores the files to a point, as one commit. Resolves with false without doing anything while any call is active. */
  move(point: Version): Promise<boolean> {
    const { moveLock, history, onMove } = this.#options;
    return moveLock.ifFree(async () => {
      onMove?.();
      await history.restore({ type: 'person' }, point);
    });
  }
}
