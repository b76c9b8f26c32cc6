import { existsSync, lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Protection } from '#lib/confinement/confinement.ts';
import type { PathAccess } from '#lib/disk/disk-storage.ts';
import { findRepositories } from './repositories.ts';

/** The folder, within the one that is worked on, for what belongs to the program. */
const OWN_FOLDER = '.roundtrip';

/** What tools can read in it, if they know the name: long messages that summaries name. */
const MESSAGES = `/${OWN_FOLDER}/messages`;

/** What tools cannot change: the next use of git would run programs that it names, outside of any confinement. */
const GIT = /(^|\/)\.git(\/|$)/;

/** What programs cannot change or create in it: they may commit and the like. */
const GIT_PROTECTED = ['hooks', 'config', 'config.worktree', 'commondir'];

const IGNORED = 'sessions/\njournal/\nmessages/\n';

/**
 * What tools may do with a path of the folder. They see nothing else that belongs to the program: they could read other
 * conversations, or give themselves permissions. Letter case makes no difference, because some disks do not keep it.
 */
export function accessOf(path: string): PathAccess {
  const plain = path.toLowerCase();
  if (plain === `/${OWN_FOLDER}` || plain === MESSAGES || plain.startsWith(`${MESSAGES}/`)) return 'unlisted';
  if (plain.startsWith(`/${OWN_FOLDER}/`)) return 'hidden';
  return GIT.test(plain) ? 'read-only' : 'open';
}

/** Thrown for a folder that cannot be used; the message says why. */
export class FolderError extends Error {
  override readonly name = 'FolderError';
}

/** Where the program keeps what belongs to it in a folder. */
export class OwnFiles {
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  readonly at = (...names: string[]): string => join(this.root, OWN_FOLDER, ...names);

  /** What programs that tools start may not read. */
  get hidden(): string[] {
    return ['sessions', 'journal'].map((name) => this.at(name));
  }

  /** What programs that tools start may not change. */
  get protection(): Protection {
    const { folders, files } = findRepositories(this.root);
    const git = join(this.root, '.git');
    return {
      unwritable: [this.at(), ...files, ...folders.flatMap(protectedIn)],
      immovable: folders.filter((folder) => folder === git),
    };
  }

  /**
   * Runs something, and removes what it has created in existing repositories for git to run, also if it fails.
   * `onRemoved`: called with the removed paths, from the root.
   */
  async guardGit<T>(run: () => Promise<T>, onRemoved: (paths: readonly string[]) => void): Promise<T> {
    const absent = findRepositories(this.root)
      .folders.flatMap(protectedIn)
      .filter((place) => !isThere(place));
    try {
      return await run();
    } finally {
      const created = absent.filter(isThere);
      for (const place of created) rmSync(place, { recursive: true, force: true });
      if (created.length > 0) onRemoved(created.map((place) => relative(this.root, place)));
    }
  }

  /**
   * Creates the folder, and lets git ignore what is in it. Throws `FolderError` if it leads elsewhere or cannot be
   * created.
   */
  create(): void {
    this.check();
    try {
      mkdirSync(this.at('sessions'), { recursive: true });
      const ignore = this.at('.gitignore');
      if (!existsSync(ignore)) writeFileSync(ignore, IGNORED);
    } catch (error) {
      const reason = error instanceof Error && 'code' in error ? error.code : error;
      throw new FolderError(`${this.at()} cannot be written (${reason}). Change that, or choose another folder.`);
    }
  }

  /** Throws `FolderError` if what belongs to the program leads elsewhere: it would write there, outside of the folder. */
  check(): void {
    for (const place of [this.at(), ...['sessions', 'journal', 'messages', '.gitignore'].map((name) => this.at(name))])
      if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink())
        throw new FolderError(`${place} is a symbolic link. Replace it by a folder, or delete it.`);
  }

  /** Writes files for tools to read, unless they are there. `path`: from the root of the folder. Throws Node's errors. */
  saveMissing(files: readonly { path: string; text: string }[]): void {
    for (const { path, text } of files) {
      if (!path.startsWith(`${MESSAGES}/`)) throw new RangeError(`Not a file for messages: ${path}`);
      const place = join(this.root, path);
      mkdirSync(dirname(place), { recursive: true });
      if (!existsSync(place)) writeFileSync(place, text, { mode: 0o600 });
    }
  }
}

const protectedIn = (folder: string): string[] => GIT_PROTECTED.map((name) => join(folder, name));

/** Whether there is something, also a link that leads nowhere. */
const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
