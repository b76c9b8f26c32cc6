import type { Author } from '#lib/vfs/file-system.ts';

/** What a command left behind. */
export interface ShellOutcome {
  stdout: string;
  stderr: string;
  exitCode: number;
}

/** Runs commands over the workspace, apart from the page. Rejects with `ToolFailure` `timed-out` or `aborted`. */
export interface Shell {
  /** What the command changes is the author's. `cwd` is absolute. */
  run(
    command: string,
    options: { cwd: string; author: Author; timeoutMs: number; abortSignal: AbortSignal },
  ): Promise<ShellOutcome>;
}
