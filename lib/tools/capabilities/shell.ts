import type { Author } from '#lib/vfs/file-system.ts';
import type { ProtectedPaths } from '../permission/path-rule.ts';

/** The outcome of a command. */
export interface ShellOutcome {
  stdout: string;
  stderr: string;
  exitCode: number;
}

/** Runs commands on the workspace, isolated from the studio's page. Rejects with `ToolFailure` `timed-out` or `aborted`. */
export interface Shell {
  /** Runs a command in the directory `cwd`, an absolute path. Changes to files by the command are attributed to `author`. */
  run(
    command: string,
    options: { cwd: string; author: Author; timeoutMs: number; abortSignal: AbortSignal },
  ): Promise<ShellOutcome>;
  /**
   * Returns the same shell without access to what the user's rules about paths protect. If this method is absent, no command
   * runs while rules protect paths.
   */
  under?(paths: ProtectedPaths): Shell;
}
