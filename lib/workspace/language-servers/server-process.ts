import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { END_GRACE_MS, ERROR_OUTPUT_CHARACTERS, LAST_OUTPUT_MS } from './limits.ts';
import { serverEnvironment } from './server-environment.ts';

/** The way in which a process has ended. `status`: in words, such as `exit code 1` or `signal SIGTERM`. */
export type ProcessEnd =
  /** It never ran; `code` is that of the operating system, such as ENOENT. */
  { type: 'not-started'; code: string } | { type: 'exited'; status: string };

/** A language server's process, with those that it has started. They are all ended together. */
export class ServerProcess {
  /** Resolves when the process has ended; never rejects. */
  readonly ended: Promise<ProcessEnd>;
  readonly #child: ChildProcessWithoutNullStreams;
  #errorOutput = '';
  #isOver = false;

  /**
   * Starts the process in a directory. `variables`: added to the environment of `serverEnvironment`. If the program cannot be
   * started, `ended` resolves at once.
   */
  constructor(
    [program = '', ...args]: readonly string[],
    directory: string,
    variables: Readonly<Record<string, string | undefined>> = {},
  ) {
    // As the leader of a group of its own, it can be ended with its children, and Ctrl+C in a terminal doesn't end it.
    const detached = process.platform !== 'win32';
    const env = { ...serverEnvironment(process.env), ...variables } as NodeJS.ProcessEnv;
    this.#child = spawn(program, args, { cwd: directory, env, detached, stdio: 'pipe', windowsHide: true });
    // Handled by `#waitForEnd`; without pipes, the rest of this constructor throws before that.
    this.#child.on('error', () => undefined);
    // A closed input is noticed by the process ending, or by `vscode-jsonrpc`, whose writes then fail.
    for (const stream of this.#child.stdio) stream?.on('error', () => undefined);
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#errorOutput = (this.#errorOutput + text).slice(-ERROR_OUTPUT_CHARACTERS);
    });
    this.ended = this.#waitForEnd();
  }

  /** Whether the process is known to have exited, though its last output may not have arrived. */
  get hasExited(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  get input(): Writable {
    return this.#child.stdin;
  }

  get output(): Readable {
    return this.#child.stdout;
  }

  /** The end of what the process has written to its standard error. */
  get errorOutput(): string {
    return this.#errorOutput.trim();
  }

  /** Ends the process by a signal, and by force if it is still there after a grace period. */
  async end(): Promise<void> {
    this.#signal('SIGTERM');
    if (!(await this.endsWithin(END_GRACE_MS))) this.#signal('SIGKILL');
    await this.ended;
  }

  /** Waits for the process to end by itself, but at most for `ms` milliseconds. Returns whether it has ended. */
  async endsWithin(ms: number): Promise<boolean> {
    const limit = new AbortController();
    try {
      // `limit` ends the timer only when nobody waits for it any more.
      const timer = setTimeout(ms, false, { signal: limit.signal }).catch(() => false);
      return await Promise.race([this.ended.then(() => true), timer]);
    } finally {
      limit.abort();
    }
  }

  async #waitForEnd(): Promise<ProcessEnd> {
    // An error also ends the wait for `exit` below, where it is handled.
    const closed = once(this.#child, 'close').catch(() => undefined);
    let end: ProcessEnd;
    try {
      const [code, signal] = await once(this.#child, 'exit');
      end = { type: 'exited', status: signal === null ? `exit code ${code}` : `signal ${signal}` };
      this.#signal('SIGKILL');
      // Its last words may still be on their way. A process that it has left behind could keep the pipes open.
      await Promise.race([closed, setTimeout(LAST_OUTPUT_MS, undefined, { ref: false })]);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
      end = { type: 'not-started', code };
    }
    this.#isOver = true;
    for (const stream of this.#child.stdio) stream?.destroy();
    return end;
  }

  /** Sends a signal to the process and its children. */
  #signal(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    // The number may belong to another process by now.
    if (pid === undefined || this.#isOver) return;
    try {
      if (process.platform === 'win32') this.#child.kill(signal);
      else process.kill(-pid, signal);
    } catch {
      // None of them is left.
    }
  }
}
