import './global-buffer.ts';
import { Bash } from 'just-bash';
import type { ShellOutcome } from '#lib/tools/capabilities/shell.ts';
import type { Author, FileSystem } from '#lib/vfs/file-system.ts';
import { createBashFileSystem } from './bash-file-system.ts';
import { containedRedirections } from './contained-redirections.ts';

/** The most that a command may print, in bytes; the shell terminates one that prints more. */
const MAX_OUTPUT_BYTES = 10_000_000;

/** The most protected paths that the error output of one command names. */
const REFUSALS_MAX = 10;

const REFUSED = 'Refused: a command cannot delete the whole workspace. Delete specific files or folders by path.\n';

/**
 * The limit of the numbers of commands, iterations and work units, set so high that the time limit ends a runaway command
 * instead.
 */
const UNCOUNTED = 100_000_000;

/**
 * Runs a bash command on a workspace, and returns its output and exit code. Its changes are commits by the author. There is no
 * network, and no access to anything outside of the workspace. A command that tries to delete the whole workspace at once is
 * refused, which its error output and exit code say.
 */
export async function runBash(
  command: string,
  { cwd, author, fileSystem }: { cwd: string; author: Author; fileSystem: FileSystem },
): Promise<ShellOutcome> {
  let isRefused = false;
  const refusals = new Set<string>();
  const fs = await createBashFileSystem(fileSystem, author, {
    onWhole: () => {
      isRefused = true;
    },
    onProtected: ({ path, detail }) => {
      if (refusals.size < REFUSALS_MAX) refusals.add(`Refused: ${path}: ${detail}.\n`);
    },
  });
  const bash = new Bash({
    fs,
    cwd,
    env: { HOME: '/', TMPDIR: '/tmp' },
    executionLimits: {
      maxCommandCount: UNCOUNTED,
      maxLoopIterations: UNCOUNTED,
      maxAwkIterations: UNCOUNTED,
      maxSedIterations: UNCOUNTED,
      maxWorkUnits: UNCOUNTED,
      maxOutputSize: MAX_OUTPUT_BYTES,
    },
  });
  bash.registerTransformPlugin(containedRedirections);
  const { stdout, stderr, exitCode } = await bash.exec(command, { cwd }).catch((error: unknown) => {
    // An error of the file system that the shell does not take for one of a command, such as in code for `eval`.
    if (!(error instanceof Error && 'code' in error)) throw error;
    return { stdout: '', stderr: `${error.message}\n`, exitCode: 1 };
  });
  const explained = stderr + [...refusals].join('');
  if (!isRefused) return { stdout, stderr: explained, exitCode };
  return { stdout, stderr: `${explained}${REFUSED}`, exitCode: exitCode === 0 ? 1 : exitCode };
}
