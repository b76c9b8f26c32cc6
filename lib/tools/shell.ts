/** What a command left behind. */
export interface ShellOutcome {
  stdout: string;
  stderr: string;
  exitCode: number;
}

/** Runs commands over the workspace, apart from the page. Rejects with `ToolFailure` `timed-out` or `aborted`. */
export interface Shell {
  /** What the command changes is committed with the call as its author. `cwd` is absolute. */
  run(
    command: string,
    options: { cwd: string; toolCallId: string; timeoutMs: number; abortSignal: AbortSignal },
  ): Promise<ShellOutcome>;
}
