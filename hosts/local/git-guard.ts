import { randomUUID } from 'node:crypto';
import {
  type FSWatcher,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import * as z from 'zod';
import { giveSigns, isRunning, ownerSchema, SIGN_MAX_MS, self } from '#lib/base/processes/owner.ts';
import type { Protection } from '#lib/confinement/confinement.ts';
import { codeOf } from '#lib/vfs/disk/disk-error.ts';
import { inDirectory } from '#lib/vfs/disk/pinned-directory.ts';
import { FileSystemError } from '#lib/vfs/errors.ts';
import { REBASE, removeForeignStrategy, removeRunningSteps, runningSteps, SEQUENCER } from './git-rebase.ts';
import { gitUses } from './git-uses.ts';
import { GIT_KNOWN_MS } from './limits.ts';
import { findRepositories, isGitDirectory, type Repositories, TooManyRepositories } from './repositories.ts';
import { isInFolder, ownGuards } from './trust/own-places.ts';

/** The entries of a repository that programs can neither change nor create. Programs can still commit, for example. */
const PROTECTED = ['hooks', 'config', 'config.worktree', 'commondir'];

/** A relative path that does not lead out of the root. */
const pathSchema = z
  .string()
  .refine((path) => !isAbsolute(path) && !path.includes('\0') && !path.split('/').includes('..'), 'must be below');

/**
 * A note of the state that must be the same after a command, with the process that runs the command. Paths are relative to the
 * root.
 */
const noteSchema = z.object({
  owner: ownerSchema,
  /**
   * Entries that must not exist after the command, because they did not before. `inode`: that of `folder`, so that another
   * folder in its place is left alone.
   */
  absent: z.array(z.object({ folder: pathSchema, inode: z.number(), name: pathSchema.regex(/^[^/]+$/) })),
  /** Symlinks named `.git`, with the targets that they must have. */
  links: z.array(z.object({ path: pathSchema.regex(/(^|\/)\.git$/), target: z.string() })),
  /** The repositories, each with the steps of its stopped rebase that run programs. */
  rebases: z.array(z.object({ folder: pathSchema, steps: z.array(z.string()) })).default([]),
});

type Note = z.infer<typeof noteSchema>;

/** The result of bringing back the noted state. Paths are relative to the root. */
interface Restored {
  /** The paths of the entries that were moved away. */
  removed: readonly string[];
  /** The folders in which the state could not be brought back. */
  failed: readonly string[];
}

/** Functions that are called at the end of a command, with paths from the root. */
interface GuardEvents {
  /** Entries that git would have run or read were moved away. */
  onRemoved(paths: readonly string[]): void;
  /** Folders could not be checked for entries to move away. */
  onFailed(folders: readonly string[]): void;
  /** Folders that were repositories before no longer are. */
  onLost(paths: readonly string[]): void;
}

/**
 * Keeps commands from making git run programs later. Existing hooks and settings cannot be written. New ones, and new steps of
 * a rebase that run programs, are moved away as soon as they are created. `own`: the folder of the program's own files in the
 * root. Notes about entries to move away are kept outside of the root, because files that come with a folder could contain
 * false ones.
 */
export class GitGuard {
  readonly #root: string;
  readonly #own: string;
  readonly #env: Readonly<Record<string, string | undefined>>;
  #uses: { paths: readonly string[]; knownAt: number } | undefined;

  constructor(root: string, own: string, env: Readonly<Record<string, string | undefined>>) {
    this.#root = root;
    this.#own = own;
    this.#env = env;
  }

  /**
   * Paths outside of `.git` folders that git would run or read settings from, such as hooks. They begin with `/` for the root,
   * and need not exist. Git's answer is reused for some seconds. If there are too many repositories, only the root is examined.
   */
  get uses(): readonly string[] {
    if (this.#uses === undefined || performance.now() - this.#uses.knownAt > GIT_KNOWN_MS) this.#ask(this.#find());
    return (this.#uses?.paths ?? []).map((path) => path.slice(this.#root.length));
  }

  #find(): Pick<Repositories, 'folders' | 'files' | 'links'> {
    try {
      return findRepositories(this.#root);
    } catch (error) {
      if (error instanceof TooManyRepositories) return { folders: [], files: [], links: [] };
      throw error;
    }
  }

  #ask({ folders, files, links }: Pick<Repositories, 'folders' | 'files' | 'links'>): readonly string[] {
    const directories = [...folders, ...files, ...links].map((place) =>
      basename(place) === '.git' ? dirname(place) : place,
    );
    const paths = gitUses(this.#root, directories, this.#env);
    this.#uses = { paths, knownAt: performance.now() };
    return paths;
  }

  /** The paths that commands may not change. Throws `TooManyRepositories`. */
  get protection(): Protection {
    const repositories = findRepositories(this.#root);
    const { folders, whole, files } = repositories;
    return {
      unwritable: [...files, ...whole, ...folders.flatMap(protectedIn), ...this.#ask(repositories)],
      immovable: folders.filter((folder) => folder === join(this.#root, '.git')),
    };
  }

  /**
   * Runs a task, and moves what it creates in existing repositories for git to run into the program's own files. At the end,
   * calls those of the functions that have something to report. Rejects with the task's error, or with `TooManyRepositories`
   * before the task has begun.
   */
  async whileGuarded<T>(run: () => Promise<T>, { onRemoved, onFailed, onLost }: GuardEvents): Promise<T> {
    const note = this.#note();
    const repositories = findRepositories(this.#root).folders.filter(isGitDirectory);
    const removed = new Set<string>();
    const restore = () => {
      const restored = this.#restore(note);
      for (const path of restored.removed) removed.add(path);
      return restored.failed;
    };
    // For the next process, if this one is killed meanwhile.
    const place = writeNote(this.#notes, note);
    const endSigns = giveSigns(place);
    const watchers = this.#watch(note, restore);
    try {
      return await run();
    } finally {
      endSigns();
      for (const watcher of watchers) watcher.close();
      const failed = restore();
      // Otherwise, the next process tries again.
      if (failed.length === 0) rmSync(place, { force: true });
      else onFailed(failed);
      if (removed.size > 0) onRemoved([...removed]);
      const lost = repositories.filter((place) => !isGitDirectory(place));
      if (lost.length > 0) onLost(lost.map((place) => relative(this.#root, place)));
    }
  }

  /** The folder of the notes: in the person's state folder, or in the program's own files if the root contains that folder. */
  get #notes(): string {
    const state = ownGuards(this.#env, this.#root);
    return isInFolder(this.#root, state) ? join(this.#own, 'guards') : state;
  }

  /**
   * Moves away what commands of killed processes have created for git to run, and returns the paths, from the root. Entries
   * that are newer than the process's last sign of life are left alone.
   */
  recover(): string[] {
    const removed: string[] = [];
    for (const name of namesIn(this.#notes)) {
      const place = join(this.#notes, name);
      const ended = lstatSync(place, { throwIfNoEntry: false })?.mtimeMs ?? 0;
      try {
        const note = readNote(place);
        if (note === undefined ? Date.now() - ended < SIGN_MAX_MS : isRunning(note.owner, place)) continue;
        const restored = note && this.#restore(note, ended + SIGN_MAX_MS);
        removed.push(...(restored?.removed ?? []));
        // Otherwise, the next process tries again.
        if (restored === undefined || restored.failed.length === 0) rmSync(place, { force: true });
      } catch {
        // The note stays, so that the next process tries again.
      }
    }
    return removed;
  }

  #note(): Note {
    const repositories = findRepositories(this.#root);
    const { folders, links } = repositories;
    return {
      owner: self,
      absent: [...folders.flatMap(protectedIn), ...this.#ask(repositories)].flatMap((path) => {
        const inode = lstatSync(dirname(path), { throwIfNoEntry: false })?.ino;
        if (inode === undefined || isThere(path)) return [];
        return [{ folder: relative(this.#root, dirname(path)), inode, name: basename(path) }];
      }),
      links: links.map((place) => ({ path: relative(this.#root, place), target: readlinkSync(place) })),
      rebases: folders.map((place) => {
        const folder = relative(this.#root, place);
        let steps: string[] = [];
        try {
          this.#inFolder(join(folder, REBASE), (at) => {
            steps = runningSteps(at);
            return true;
          });
        } catch {
          // Without known steps, all that run programs are taken away.
        }
        return { folder, steps };
      }),
    };
  }

  #watch({ absent }: Note, restore: () => void): FSWatcher[] {
    return [...new Set(absent.map(({ folder }) => folder))].flatMap((folder) => {
      try {
        const watcher = watch(join(this.#root, folder), (_, name) => {
          if (absent.some((one) => one.folder === folder && (name === null || one.name === name))) restore();
        });
        // Anything that it misses is taken away at the end.
        watcher.on('error', () => undefined);
        return [watcher];
      } catch {
        // The system watches no more folders; what is created is taken away at the end.
        return [];
      }
    });
  }

  /**
   * Brings back the noted state. Returns the changed paths, and the folders in which that failed. Leaves alone what was created
   * after `until`, in milliseconds since 1970.
   */
  #restore({ absent, links, rebases }: Note, until = Number.POSITIVE_INFINITY): Restored {
    const removed: string[] = [];
    const failed: string[] = [];
    // A folder that cannot be used must not keep the others from being restored.
    const inFolder = (folder: string, task: (at: (name: string) => string) => boolean): boolean => {
      try {
        return this.#inFolder(folder, task);
      } catch {
        failed.push(folder);
        return false;
      }
    };
    const takeAway = (place: string, name: string) => bornAt(place) <= until && this.#takeAway(place, name);
    for (const { folder, inode, name } of absent)
      if (inFolder(folder, (at) => lstatSync(at('.')).ino === inode && takeAway(at(name), name)))
        removed.push(join(folder, name));
    for (const { path, target } of links) {
      const name = basename(path);
      const isChanged = inFolder(dirname(path), (at) => {
        if (linkTarget(at(name)) === target || bornAt(at(name)) > until) return false;
        this.#takeAway(at(name), name);
        symlinkSync(target, at(name));
        return true;
      });
      if (isChanged) removed.push(path);
    }
    for (const { folder, steps } of rebases) {
      const place = join(folder, REBASE);
      // A link would lead git elsewhere.
      const isLink = (at: string) => lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() === true;
      for (const name of [REBASE, SEQUENCER])
        if (inFolder(folder, (at) => isLink(at(name)) && takeAway(at(name), name))) removed.push(join(folder, name));
      inFolder(join(folder, SEQUENCER), (at) => {
        if (bornAt(at('.')) > until) return false;
        const names = removeForeignStrategy(at, (entry, name) => this.#takeAway(entry, name));
        removed.push(...names.map((name) => join(folder, SEQUENCER, name)));
        return names.length > 0;
      });
      inFolder(place, (at) => {
        if (bornAt(at('.')) > until) return false;
        const names = removeRunningSteps(at, steps, (entry, name) => this.#takeAway(entry, name));
        removed.push(...names.map((name) => join(place, name)));
        return names.length > 0;
      });
    }
    return { removed, failed: [...new Set(failed)] };
  }

  /**
   * Runs a task in a folder of the root, and returns its result; false if the folder is gone, or a symlink leads to it. `at`:
   * returns the address of an entry of the folder. Throws Node's errors.
   */
  #inFolder(folder: string, task: (at: (name: string) => string) => boolean): boolean {
    try {
      return inDirectory(this.#root, folder === '.' || folder === '' ? '/' : `/${folder}`, task);
    } catch (error) {
      if (error instanceof FileSystemError || GONE.has(codeOf(error))) return false;
      throw error;
    }
  }

  /**
   * Moves an entry into the program's own files or, if that is not possible, renames it where it is. Returns whether it
   * existed.
   */
  #takeAway(place: string, name: string): boolean {
    if (!isThere(place)) return false;
    const kept = join(this.#own, 'removed');
    try {
      mkdirSync(kept, { recursive: true });
      renameSync(place, join(kept, `${name}-${randomUUID()}`));
    } catch {
      // The disk is full, or the repository is on another one. Git takes no notice of such a name.
      renameSync(place, `${place}.removed-${randomUUID()}`);
    }
    return true;
  }
}

/** The codes of errors for a folder that is gone, or that something else has replaced. */
const GONE: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);

const protectedIn = (folder: string): string[] => PROTECTED.map((name) => join(folder, name));

/** Checks whether a path exists, also as a link that leads nowhere. */
const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/** The time at which an entry was created, in milliseconds since 1970; 0 if there is none. */
const bornAt = (path: string): number => lstatSync(path, { throwIfNoEntry: false })?.birthtimeMs ?? 0;

function linkTarget(place: string): string | undefined {
  try {
    return readlinkSync(place);
  } catch {
    // It is gone, or is no link any more.
    return undefined;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // There is no such folder before the first note.
    return [];
  }
}

/** Writes a note, whole or not at all, and returns its path. */
function writeNote(folder: string, note: Note): string {
  const place = join(folder, `${randomUUID()}.json`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(`${place}.draft`, JSON.stringify(note), { mode: 0o600 });
  renameSync(`${place}.draft`, place);
  return place;
}

/** Reads a note; undefined if it is not whole, or comes from another version. Throws Node's errors. */
function readNote(place: string): Note | undefined {
  const text = readFileSync(place, 'utf8');
  try {
    return noteSchema.parse(JSON.parse(text));
  } catch {
    // It is a draft, or comes from another version.
    return undefined;
  }
}
