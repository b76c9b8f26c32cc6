/** The command that starts a tool server as a program of this machine. */
export interface ServerProgram {
  /** Its path, or its name in a folder of `PATH`. */
  command: string;
  args: readonly string[];
  /** All the variables that it gets. */
  env: Readonly<Record<string, string>>;
  /** Where it runs. */
  cwd: string;
}

/** Thrown when a program cannot be started or written to. The message is for people, and names no argument. */
export class ProgramError extends Error {
  override readonly name = 'ProgramError';
}
