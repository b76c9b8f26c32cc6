// More than 400 lines: one journal, which every change goes through.
import { randomUUID } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { startOf } from '#lib/base/cut-text.ts';
import { defined } from '#lib/base/defined.ts';
import { giveSigns, isRunning, isSelf, type Owner, readOwner, self } from '#lib/base/processes/owner.ts';
import type { CommitRecorder, DiskCommit } from '#lib/vfs/disk/commit-recorder.ts';
import { JsonLinesFile } from '#lib/vfs/disk/json-lines-file.ts';
import type { NodeState } from '#lib/vfs/node-tree.ts';
import { ContentStore } from './content-store.ts';
import { type Change, type EntryState, type JournalEntry, journalEntrySchema } from './entries.ts';
import { BEAT_MS, KEPT_FILE_MAX_BYTES, LOG_MAX_BYTES, TURNS_MAX } from './limits.ts';
import {
  changesBetween,
  countUnkept,
  type Exclusions,
  exclusionsOf,
  type Folder,
  findExclusions,
  readSnapshot,
  type Snapshot,
  storeSnapshot,
  takeSnapshot,
} from './snapshot.ts';
import { type JournalAction, type JournalTurn, turnsOf } from './turns.ts';

/** The beginning of a commit or command in the journal whose end is not there, because its process has ended first. */
export type Unfinished = Extract<JournalEntry, { type: 'commit' | 'command' }>;

/** The number of calls for which this process remembers its commits and commands. */
const OWN_MAX = 200;

/** The number of characters that are kept of the message that begins a turn. */
const PROMPT_MAX_CHARS = 200;

/**
 * Records how a folder on disk changes, with its earlier state: by commits (changes of files that are made together or not at
 * all) and by commands. So turns can be undone, and it is known after a crash what has happened. Several processes may use the
 * journal of one folder. It is created when it is first needed. Methods throw, or reject with, Node's errors.
 */
export class Journal implements CommitRecorder {
  readonly contents: ContentStore;
  readonly #root: string;
  readonly #place: string;
  #log: JsonLinesFile | undefined;
  #turn: string | null = null;
  /** The snapshot of the folder after the latest command; undefined until it is needed. */
  #latest: Snapshot | undefined;
  /** The folders that snapshots of `turn` leave out. `named`: those that the journal already lists as `uncovered`. */
  #exclusions: (Exclusions & { turn: string; named: ReadonlySet<string> }) | undefined;
  #undoes: string | undefined;
  #endSigns: (() => void) | undefined;
  /** The commits and commands of this process for the latest calls, by call. */
  readonly #own = new Map<string, JournalAction[]>();

  /** `place`: the folder that stores the journal. `root`: the folder whose changes it records. Both are real and absolute. */
  constructor(place: string, root: string) {
    this.#root = root;
    this.#place = place;
    this.contents = new ContentStore(join(place, 'contents'));
  }

  /** Begins a turn: later commits and commands of this process belong to it. May forget the oldest turns. */
  beginTurn(id: string, prompt: string): void {
    this.#prune();
    this.#turn = id;
    this.#append({ type: 'turn', id, at: Date.now(), prompt: startOf(prompt, PROMPT_MAX_CHARS) });
  }

  /** Goes on with a turn that has begun before: later commits and commands belong to it. Null: they belong to none. */
  continueTurn(id: string | null): void {
    this.#turn = id;
  }

  /** Records a commit that is about to be made. The caller then calls `done` or `failed` of the result. */
  async begin(commit: DiskCommit): ReturnType<CommitRecorder['begin']> {
    const id = randomUUID();
    const { author } = commit;
    if (commit.changes.some(({ path }) => basename(path) === '.gitignore')) await this.#fixExclusions();
    const action: JournalAction = {
      // An undo belongs to no turn, so that it is not undone itself.
      id,
      at: Date.now(),
      turn: this.#undoes === undefined ? this.#turn : null,
      call: author.type === 'call' ? author.toolCallId : null,
      changes: commit.changes.map(({ path, before, after }) => ({
        path,
        before: before === undefined ? null : this.#stateOf(before, commit),
        after: after === undefined ? null : this.#stateOf(after, commit),
      })),
      ...defined({ undoes: this.#undoes }),
    };
    this.#append({ type: 'commit', ...action, owner: self });
    return {
      id,
      done: async () => {
        const changes = action.changes.map((change) => this.#withSignature(change, commit));
        const isKnown = changes.every((change, index) => change === action.changes[index]);
        this.#append({ type: 'done', id, at: Date.now(), ...(!isKnown && { changes }) });
        this.#keepOwn({ ...action, changes });
      },
      failed: async () => this.#append({ type: 'failed', id, at: Date.now() }),
    };
  }

  /** Runs a command, and records what it changes. `call`: the id of the call that it belongs to; null if it belongs to none. */
  async command<T>(folder: Folder, call: string | null, run: () => Promise<T>): Promise<T> {
    const id = randomUUID();
    this.#latest ??= readSnapshot(this.#files);
    const known = this.#exclusions?.turn === this.#turn ? this.#exclusions : undefined;
    const before = await takeSnapshot(folder, this.contents, { earlier: this.#latest, exclusions: known });
    const exclusions = known ?? { ...exclusionsOf(before), turn: this.#turn, named: new Set<string>() };
    this.#create();
    storeSnapshot(this.#snapshot(id), before);
    this.#append({ type: 'command', id, at: Date.now(), turn: this.#turn, call, owner: self });
    const beat = setInterval(() => touch(this.#snapshot(id)), BEAT_MS);
    try {
      return await run();
    } finally {
      clearInterval(beat);
      const { after, ...done } = await this.#noteCommand(id, folder, before, { exclusions });
      const covered = new Set([...exclusions.covered, ...exclusionsOf(after).covered]);
      const named = new Set([...exclusions.named, ...done.uncovered]);
      if (this.#turn !== null) this.#exclusions = { ...exclusions, covered, named, turn: this.#turn };
      this.#keepOwn({ id, at: Date.now(), turn: this.#turn, call, ...done });
    }
  }

  /** Decides what snapshots of the turn leave out, before `.gitignore` files change. */
  async #fixExclusions(): Promise<void> {
    const turn = this.#turn;
    if (turn === null || this.#exclusions?.turn === turn) return;
    this.#exclusions = { ...(await findExclusions(this.#root)), turn, named: new Set() };
  }

  /** The number of files that could not be restored if a command changed them, by the latest snapshot; 0 without one. */
  get unkept(): number {
    return this.#latest === undefined ? 0 : countUnkept(this.#latest);
  }

  /** Runs work whose commits are recorded as undoing a turn. They belong to no turn themselves. */
  async whileUndoing<T>(turn: string, work: () => Promise<T>): Promise<T> {
    this.#undoes = turn;
    try {
      return await work();
    } finally {
      this.#undoes = undefined;
    }
  }

  /**
   * Records that a turn was undone as far as possible. `paths`: those that needed no change, because they were already as
   * before the turn. Changes no files.
   */
  noteUndone(turn: string, paths: readonly string[]): void {
    const id = randomUUID();
    const changes = paths.map((path) => ({ path, before: null, after: null }));
    this.#append({ type: 'commit', id, at: Date.now(), turn: null, call: null, changes, undoes: turn, owner: self });
    this.#append({ type: 'done', id, at: Date.now() });
  }

  /** Returns the commits and commands for a call: those of this process or, if there are none, all in the journal. */
  actionsOf(call: string): readonly JournalAction[] {
    return this.#own.get(call) ?? this.#read().actions.filter((action) => action.call === call);
  }

  /** Returns the commits and commands of this process for a call; none if it is not one of the latest `OWN_MAX` calls. */
  ownActionsOf(call: string): readonly JournalAction[] {
    return this.#own.get(call) ?? [];
  }

  /** Returns the results of commits and commands that have ended, by their ids. */
  ends(): ReadonlyMap<string, 'done' | 'failed'> {
    return new Map([...this.#read().ends].map(([id, { type }]) => [id, type]));
  }

  /** The turns that are remembered, oldest first. */
  turns(): JournalTurn[] {
    return turnsOf(this.#read());
  }

  /** Returns the commits and commands that other processes have begun and will not finish. */
  unfinished(): Unfinished[] {
    const { entries, ends } = this.#read();
    return entries.filter(
      (entry): entry is Unfinished =>
        (entry.type === 'commit' || entry.type === 'command') && !ends.has(entry.id) && !this.#isThere(entry.owner),
    );
  }

  /** Checks whether a commit belongs to a process that still runs; undefined if the commit is not in the journal. */
  isInUse(commit: string): boolean | undefined {
    const entry = this.#read().entries.find(({ id, type }) => id === commit && type === 'commit');
    return entry?.type === 'commit' ? this.#isThere(entry.owner) : undefined;
  }

  /** Records how a commit has ended whose process ended first. `isDone`: whether all of it was made. */
  settleCommit(id: string, isDone: boolean): void {
    this.#append({ type: isDone ? 'done' : 'failed', id, at: Date.now() });
  }

  /**
   * Records the end of a command whose process ended first. Changes that are later, by the times on disk, do not count as
   * changes of the command.
   */
  async settleCommand(id: string, folder: Folder): Promise<void> {
    const place = this.#snapshot(id);
    const before = readSnapshot(place);
    const lastBeat = statSync(place, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (before === undefined) this.#append({ type: 'done', id, at: Date.now(), changes: [] });
    else
      await this.#noteCommand(id, folder, before, {
        exclusions: { ...exclusionsOf(before), named: new Set() },
        until: lastBeat + 4 * BEAT_MS,
      });
  }

  /** Ends the use of the journal by this process. The journal stays. */
  close(): void {
    this.#log?.close();
    this.#log = undefined;
    this.#endSigns?.();
    rmSync(this.#user(self.id), { force: true });
  }

  #isThere(owner: Owner): boolean {
    return isSelf(owner) || isRunning(owner, this.#user(owner.id));
  }

  /**
   * Records what a command changed. `until`: when the command ended at the latest, in milliseconds since the epoch; later
   * changes are left out.
   */
  async #noteCommand(
    id: string,
    folder: Folder,
    before: Snapshot,
    { exclusions, until }: { exclusions: Exclusions & { named: ReadonlySet<string> }; until?: number },
  ): Promise<{ changes: Change[]; uncovered: string[]; after: Snapshot }> {
    const after = await takeSnapshot(folder, this.contents, { earlier: before, exclusions });
    const all = changesBetween(before, after);
    const changes = until === undefined ? all : all.filter(({ path }) => changedAt(folder.root, path) <= until);
    const leftOut = new Set([...before.leftOut.keys(), ...after.leftOut.keys()]);
    const uncovered = [...leftOut].filter((path) => !exclusions.named.has(path));
    this.#append({ type: 'done', id, at: Date.now(), changes, uncovered });
    this.#latest = after;
    storeSnapshot(this.#files, after);
    rmSync(this.#snapshot(id), { force: true });
    return { changes, uncovered, after };
  }

  #keepOwn(action: JournalAction): void {
    if (action.call === null) return;
    this.#own.set(action.call, [...(this.#own.get(action.call) ?? []), action]);
    const [oldest] = this.#own.keys();
    if (this.#own.size > OWN_MAX && oldest !== undefined) this.#own.delete(oldest);
  }

  #stateOf({ type, mode, size, ...state }: NodeState, { contentOf, linkOf, signatureOf }: DiskCommit): EntryState {
    if (type === 'symlink') return { type, mode, target: linkOf({ type, mode, size, ...state }) };
    if (type !== 'file') return { type, mode };
    const signature = signatureOf({ type, mode, size, ...state });
    const data = size > KEPT_FILE_MAX_BYTES ? undefined : contentOf({ type, mode, size, ...state });
    return {
      type,
      mode,
      size,
      ...defined({ signature }),
      ...(data !== undefined && { hash: this.contents.put(data) }),
    };
  }

  /** Adds the current signature to the change of a file whose content is not kept. Returns other changes as they are. */
  #withSignature(change: Change, { signatureNow }: DiskCommit): Change {
    const { path, after } = change;
    if (after?.type !== 'file' || after.hash !== undefined) return change;
    const signature = signatureNow(path);
    return signature === undefined ? change : { ...change, after: { ...after, signature } };
  }

  #read(): {
    entries: JournalEntry[];
    actions: JournalAction[];
    ends: ReadonlyMap<string, Extract<JournalEntry, { type: 'done' | 'failed' }>>;
  } {
    const entries = new JsonLinesFile(join(this.#place, 'log.jsonl')).read().lines.flatMap(({ value }) => {
      const parsed = journalEntrySchema.safeParse(value);
      return parsed.success ? [parsed.data] : [];
    });
    const ends = new Map(
      entries.flatMap((entry) =>
        entry.type === 'done' || entry.type === 'failed' ? [[entry.id, entry] as const] : [],
      ),
    );
    const actions = entries.flatMap((entry): JournalAction[] => {
      const end = entry.type === 'commit' || entry.type === 'command' ? ends.get(entry.id) : undefined;
      if (end?.type !== 'done') return [];
      if (entry.type === 'command') return [{ ...entry, changes: end.changes ?? [], uncovered: end.uncovered ?? [] }];
      return entry.type === 'commit' ? [{ ...entry, changes: end.changes ?? entry.changes }] : [];
    });
    return { entries, actions, ends };
  }

  #append(entry: JournalEntry): void {
    this.#create();
    this.#log ??= new JsonLinesFile(join(this.#place, 'log.jsonl'));
    this.#log.append([entry]);
  }

  #create(): void {
    if (this.#log !== undefined) return;
    mkdirSync(join(this.#place, 'snapshots'), { recursive: true, mode: 0o700 });
    mkdirSync(join(this.#place, 'users'), { recursive: true, mode: 0o700 });
    const user = this.#user(self.id);
    writeFileSync(user, JSON.stringify(self));
    this.#endSigns ??= giveSigns(user);
  }

  get #files(): string {
    return join(this.#place, 'files.json');
  }

  #snapshot = (id: string): string => join(this.#place, 'snapshots', `${id}.json`);

  /** The path of the file that says that a process uses the journal. */
  #user = (owner: string): string => join(this.#place, 'users', /^[\w-]+$/.test(owner) ? owner : 'unknown');

  /** Forgets the oldest turns if there are too many or the journal is too large, unless another process uses it. */
  #prune(): void {
    this.#create();
    const turns = this.turns();
    const isLong = new JsonLinesFile(join(this.#place, 'log.jsonl')).size > LOG_MAX_BYTES;
    if ((turns.length < 2 * TURNS_MAX && !isLong) || this.#hasOtherUsers()) return;
    const kept = new Set(turns.slice(isLong ? -Math.ceil(turns.length / 2) : -TURNS_MAX).map(({ id }) => id));
    const { entries, ends } = this.#read();
    const left = entries.filter(
      (entry) => (entry.type === 'turn' && kept.has(entry.id)) || isOf(entry, kept) || !isSettled(entry, ends),
    );
    const ids = new Set(left.map(({ id }) => id));
    const lines = entries.filter((entry) => ids.has(entry.id));
    this.#log?.close();
    this.#log = undefined;
    const place = join(this.#place, 'log.jsonl');
    writeFileSync(`${place}-new`, lines.map((line) => `${JSON.stringify(line)}\n`).join(''), { mode: 0o600 });
    renameSync(`${place}-new`, place);
    this.#forgetContents(lines);
  }

  #forgetContents(entries: readonly JournalEntry[]): void {
    const used = new Set<string>();
    for (const entry of entries)
      for (const { before, after } of 'changes' in entry ? (entry.changes ?? []) : [])
        for (const state of [before, after]) if (state?.hash !== undefined) used.add(state.hash);
    for (const place of [
      this.#files,
      ...readdirSync(join(this.#place, 'snapshots')).map((name) => join(this.#place, 'snapshots', name)),
    ])
      for (const { state } of readSnapshot(place)?.entries.values() ?? [])
        if (state.hash !== undefined) used.add(state.hash);
    this.contents.keepOnly(used);
  }

  #hasOtherUsers(): boolean {
    const users = join(this.#place, 'users');
    if (!existsSync(users)) return false;
    return readdirSync(users).some((name) => {
      if (name === self.id) return false;
      const place = join(users, name);
      const owner = readOwner(place);
      const isThere = owner !== undefined && isRunning(owner, place);
      if (!isThere) rmSync(join(users, name), { force: true });
      return isThere;
    });
  }
}

/** The time at which something was changed at a path, or removed from its folder, in milliseconds since the epoch. */
function changedAt(root: string, path: string): number {
  const stat = (place: string) => lstatSync(place, { throwIfNoEntry: false })?.ctimeMs;
  return stat(join(root, path)) ?? stat(dirname(join(root, path))) ?? 0;
}

/** Sets the time of a snapshot's file to now, to show that the command after the snapshot is still running. */
function touch(place: string): void {
  try {
    utimesSync(place, new Date(), new Date());
  } catch {
    // Then the command counts as ended earlier.
  }
}

const isOf = (entry: JournalEntry, turns: ReadonlySet<string>): boolean =>
  (entry.type === 'commit' || entry.type === 'command') &&
  ((entry.turn !== null && turns.has(entry.turn)) ||
    (entry.type === 'commit' && entry.undoes !== undefined && turns.has(entry.undoes)));

const isSettled = (entry: JournalEntry, ends: ReadonlyMap<string, unknown>): boolean =>
  (entry.type !== 'commit' && entry.type !== 'command') || ends.has(entry.id);
