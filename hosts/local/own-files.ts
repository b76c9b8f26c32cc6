import { existsSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Protection } from '#lib/confinement/confinement.ts';
import { MESSAGES_FOLDER } from '#lib/messages/said.ts';
import { looksLikeRepository, OWN_FOLDER } from '#lib/vfs/folder-access.ts';
import { isWithin } from '#lib/vfs/paths.ts';
import { GitGuard } from './git-guard.ts';
import { BegunTurns } from './session/begun-turns.ts';
import { isInFolder, ownTurnsFile } from './trust/own-places.ts';

const IGNORED = 'sessions/\njournal/\nmessages/\nguards/\nremoved/\nstaging/\n';

/** Names that git looks for in a directory that may be a repository. */
const REPOSITORY_NAMES = ['HEAD', 'objects', 'refs'];

/** Thrown for a folder that cannot be used; the message says why. */
export class FolderError extends Error {
  override readonly name = 'FolderError';
}

/** The program's own files in a folder: `.roundtrip` and what is in it. */
export class OwnFiles {
  /** The folder: real and absolute. */
  readonly root: string;
  readonly git: GitGuard;
  /** The turns that were begun in this folder. Only their pending calls may run. */
  readonly turns: BegunTurns;

  constructor(root: string, env: Readonly<Record<string, string | undefined>> = process.env) {
    this.root = root;
    this.git = new GitGuard(root, join(root, OWN_FOLDER), env);
    const turns = ownTurnsFile(env, root);
    // A folder that has the person's own files in it is theirs.
    this.turns = new BegunTurns(isInFolder(root, turns) ? this.at('journal', 'begun.json') : turns);
  }

  /** Returns the absolute path of an entry of `.roundtrip`; without names, that of `.roundtrip` itself. */
  readonly at = (...names: string[]): string => join(this.root, OWN_FOLDER, ...names);

  /** The folder in which changes are prepared, from the root. Commands cannot write there. */
  readonly staging = `/${OWN_FOLDER}/staging`;

  /** The paths that programs started by tools may not read. */
  get hidden(): string[] {
    return ['sessions', 'journal', 'staging', 'removed'].map((name) => this.at(name));
  }

  /** The paths that programs started by tools may not change. Throws `TooManyRepositories`. */
  get protection(): Protection {
    const { unwritable, immovable } = this.git.protection;
    return { unwritable: [this.at(), ...unwritable], immovable };
  }

  /**
   * Returns a function that checks whether git would run the file at a path, or takes it for a part of a repository that is not
   * named `.git`. The path begins with `/` for the root. The function reuses its answers, so that many paths can be checked.
   */
  gitCheck(): (path: string) => boolean {
    const { uses } = this.git;
    const known = new Map<string, boolean>();
    const isIn = (directory: string): boolean => {
      const answer =
        known.get(directory) ??
        (looksLikeRepository(REPOSITORY_NAMES.filter((name) => existsSync(join(this.root, directory, name)))) ||
          (directory !== '/' && isIn(dirname(directory))));
      known.set(directory, answer);
      return answer;
    };
    // Letter case makes no difference, because some disks do not keep it.
    const plain = uses.map((use) => use.toLowerCase());
    return (path) => plain.some((use) => isWithin(path.toLowerCase(), use)) || isIn(dirname(path));
  }

  /**
   * Creates `.roundtrip`, and lets git ignore sessions, the journal, and the like in it. Throws `FolderError` if it leads
   * elsewhere or cannot be created.
   */
  create(): void {
    this.check();
    try {
      // One by one: where nothing can be created, such as in /proc, Node would try again and again.
      for (const place of [this.at(), this.at('sessions')]) if (!existsSync(place)) mkdirSync(place);
      const ignore = this.at('.gitignore');
      if (!existsSync(ignore)) writeFileSync(ignore, IGNORED);
    } catch (error) {
      const reason = error instanceof Error && 'code' in error ? error.code : error;
      throw new FolderError(`${this.at()} cannot be written (${reason}). Change that, or choose another folder.`);
    }
  }

  /**
   * Throws `FolderError` if an entry of `.roundtrip` that the program writes to is a symlink, which can lead out of the folder.
   */
  check(): void {
    const found = CHECKED.map(({ names, depth }) => findLink(this.at(...names), depth)).find(
      (place) => place !== undefined,
    );
    if (found !== undefined)
      throw new FolderError(`${found} is a symbolic link. Replace it by what it leads to, or delete it.`);
  }

  /**
   * Writes files with long messages, which tools can read. Files that are there already stay as they are. `path`: from the root
   * of the folder, below `MESSAGES_FOLDER`. Throws `RangeError` for any other path, and Node's errors.
   */
  saveMissing(files: readonly { path: string; text: string }[]): void {
    for (const { path, text } of files) {
      if (!path.startsWith(`${MESSAGES_FOLDER}/`)) throw new RangeError(`Not a file for messages: ${path}`);
      const place = join(this.root, path);
      mkdirSync(dirname(place), { recursive: true });
      if (!existsSync(place)) writeFileSync(place, text, { mode: 0o600 });
    }
  }
}

/**
 * The entries of `.roundtrip` that are checked for symlinks: all that are written to. `depth`: 0 for the entry alone, 1 also
 * for what is directly in it. What commits and commands have put aside may be symlinks.
 */
const CHECKED: readonly { names: readonly string[]; depth: 0 | 1 }[] = [
  { names: [], depth: 0 },
  { names: ['.gitignore'], depth: 0 },
  { names: ['config.yaml'], depth: 0 },
  { names: ['staging'], depth: 0 },
  { names: ['removed'], depth: 0 },
  { names: ['guards'], depth: 1 },
  { names: ['sessions'], depth: 1 },
  { names: ['messages'], depth: 1 },
  { names: ['journal'], depth: 1 },
  { names: ['journal', 'contents'], depth: 1 },
];

/** Returns the path of the first symlink at a place or, with a depth of 1, directly in it; undefined if there is none. */
function findLink(place: string, depth: 0 | 1): string | undefined {
  const stat = lstatSync(place, { throwIfNoEntry: false });
  if (stat?.isSymbolicLink()) return place;
  if (!stat?.isDirectory() || depth === 0) return undefined;
  const link = readdirSync(place, { withFileTypes: true }).find((entry) => entry.isSymbolicLink());
  return link && join(place, link.name);
}
