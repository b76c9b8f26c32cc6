import { type ChildProcess, spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';

/** The maximum time for a text to appear, in milliseconds. */
const APPEAR_TIMEOUT_MS = 15_000;

/** A program in a terminal, by the system's `script`. */
export class Terminal {
  readonly #child: ChildProcess;
  readonly #closed: Promise<number | null>;
  #shown = '';
  #read = 0;
  #onData: () => void = () => undefined;

  constructor(
    command: readonly string[],
    { cwd, env, columns = 80 }: { cwd: string; env: NodeJS.ProcessEnv; columns?: number },
  ) {
    const quoted = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
    this.#child = spawn('script', ['-qefc', `stty cols ${columns} rows 40; exec ${quoted}`, '/dev/null'], {
      cwd,
      env: { ...env, TERM: 'xterm' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#closed = new Promise((resolve) => this.#child.once('close', resolve));
    this.#child.stdout?.on('data', (data: Buffer) => {
      this.#shown += data.toString();
      this.#onData();
    });
  }

  /** Everything that was written so far, with its control sequences. */
  get raw(): string {
    return this.#shown;
  }

  /** The same as text. */
  get text(): string {
    return stripVTControlCharacters(this.#shown).replaceAll('\r', '');
  }

  /** Types keys; a line ends with `\r`. */
  type(keys: string): void {
    this.#child.stdin?.write(keys);
  }

  /** Waits until a text appears that was not waited for before. Rejects with what has appeared. */
  async see(text: string): Promise<void> {
    const until = Date.now() + APPEAR_TIMEOUT_MS;
    for (;;) {
      const at = this.text.indexOf(text, this.#read);
      if (at !== -1) {
        this.#read = at + text.length;
        return;
      }
      if (Date.now() > until) throw new Error(`“${text}” has not appeared. There is:\n${this.text.slice(this.#read)}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 200);
        this.#onData = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  /** Resolves with the exit code. */
  end(): Promise<number | null> {
    return this.#closed;
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }
}
