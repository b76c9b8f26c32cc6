import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PathAccess } from '#lib/disk/disk-storage.ts';

/** The folder, within the one that is worked on, for what belongs to the program. */
const OWN_FOLDER = '.roundtrip';

/** What tools can read in it, if they know the name: long messages that summaries name. */
const MESSAGES = `/${OWN_FOLDER}/messages`;

/** What tools cannot change: the next use of git would run it, outside of any confinement. */
const GIT = /(^|\/)\.git\/(hooks|config)(\/|$)/;

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

/** Where the program keeps what belongs to it in a folder. */
export class OwnFiles {
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  readonly at = (...names: string[]): string => join(this.root, OWN_FOLDER, ...names);

  /** What programs that tools start may not read. */
  get hidden(): string[] {
    return ['sessions', 'journal', 'config.yaml'].map((name) => this.at(name));
  }

  /** What programs that tools start may not write. */
  get protected(): string[] {
    return ['hooks', 'config'].map((name) => join(this.root, '.git', name));
  }

  /** Creates the folder, and lets git ignore what is in it. Throws Node's errors. */
  create(): void {
    mkdirSync(this.at('sessions'), { recursive: true });
    const ignore = this.at('.gitignore');
    if (!existsSync(ignore)) writeFileSync(ignore, IGNORED);
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
