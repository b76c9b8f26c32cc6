import { existsSync, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A program that some tests use and npm does not install. */
interface MissingProgram {
  name: string;
  /** The consequence of its absence. */
  without: string;
  /** The way to install it. */
  install: string;
}

interface Program extends MissingProgram {
  /** Names of executables; the program is there if one of them is. */
  executables: readonly string[];
}

const CONFINED = 'tests of confined commands are skipped';

const PROGRAMS: readonly Program[] = [
  {
    name: 'PostgreSQL',
    executables: ['initdb'],
    without: 'PGlite takes its place, and tests that restart it are skipped',
    install: 'apt install postgresql',
  },
  {
    name: 'Redis',
    executables: ['redis-server', 'valkey-server'],
    without: 'tests of several processes are skipped',
    install: 'apt install redis-server',
  },
  { name: 'bubblewrap', executables: ['bwrap'], without: CONFINED, install: 'apt install bubblewrap' },
  { name: 'socat', executables: ['socat'], without: CONFINED, install: 'apt install socat' },
  { name: 'ripgrep', executables: ['rg'], without: CONFINED, install: 'apt install ripgrep' },
  {
    name: 'Python',
    executables: ['python3'],
    without: 'the test of the example in Python is skipped',
    install: 'apt install python3',
  },
];

/** Folders with programs of PostgreSQL's server, which Debian keeps off the path. */
const serverFolders = (): string[] => globSync('/usr/lib/postgresql/*/bin');

/** The programs that are not here. */
export function missingPrograms(env: Readonly<Record<string, string | undefined>> = process.env): MissingProgram[] {
  const folders = [...(env.PATH ?? '').split(delimiter), ...serverFolders()];
  return PROGRAMS.filter(
    ({ executables }) => !executables.some((name) => folders.some((folder) => existsSync(join(folder, name)))),
  ).map(({ name, without, install }) => ({ name, without, install }));
}
