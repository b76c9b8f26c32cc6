/** The command that starts a tool server as a program of this machine. */
export interface ServerProgram {
  /** The path of the program, or its name in a folder of `PATH`. */
  command: string;
  args: readonly string[];
  /** All environment variables that the program gets. */
  env: Readonly<Record<string, string>>;
  /** The folder in which the program runs. */
  cwd: string;
}

/** Thrown when a program cannot be started or written to. The message is for people, and names no argument. */
export class ProgramError extends Error {
  override readonly name = 'ProgramError';
}
