import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { KernelConnection, KernelEnd, KernelListener } from '#lib/sandbox/kernel-connection.ts';
import { MESSAGE_MAX_CHARS } from '#lib/sandbox/limits.ts';
import { MessageReader } from '#lib/sandbox/message-reader.ts';
import type { PageMessage } from '#lib/sandbox/protocol.ts';
import { PROCESS_START_TIMEOUT_MS, STDERR_MAX_CHARS } from './limits.ts';

/**
 * Starts Node with the script at the path `script`, with pipes for stdin, stdout and stderr, and decides what the process can
 * access. `KernelProcess` ends the process with SIGKILL, with everything in the process group that it leads.
 */
export type StartProcess = (script: string) => Promise<ChildProcess>;

const KERNEL_SCRIPT = fileURLToPath(new URL('./kernel/kernel.ts', import.meta.url));

/**
 * A process with a kernel, the script that runs code in it, and the pipes to it, which carry one message per line. Nothing
 * from it is trusted: code can write to stdout, too. A message that is invalid or too large ends the process, and so do too
 * many messages. Since a process can send nothing past its pipes, `expectEvaluation` and `settled` do nothing.
 */
export class KernelProcess implements KernelConnection {
  readonly #child: ChildProcess;
  readonly #stdin: Writable;
  readonly #reader = new MessageReader();
  #listener: KernelListener;
  #isOpen = true;
  #hasStarted = false;
  /** The beginning of a line whose end has not arrived. */
  #line = '';
  #stderr = '';

  /**
   * Starts a process, and resolves when its kernel is ready. Rejects with the reason if that fails, or with the signal's
   * reason.
   */
  static async start(start: StartProcess, abortSignal: AbortSignal): Promise<KernelProcess> {
    abortSignal.throwIfAborted();
    const ready = Promise.withResolvers<void>();
    const fail = (reason: string) => ready.reject(new Error(reason));
    const timer = setTimeout(() => fail('Its process did not respond.'), PROCESS_START_TIMEOUT_MS);
    const onAbort = () => ready.reject(abortSignal.reason);
    abortSignal.addEventListener('abort', onAbort, { once: true });
    const listener: KernelListener = {
      onMessage: ({ type }) => type === 'ready' && ready.resolve(),
      onEnd: fail,
    };
    const starting = start(KERNEL_SCRIPT).then((child) => new KernelProcess(child, listener));
    starting.catch(ready.reject);
    try {
      await ready.promise;
      const kernel = await starting;
      kernel.#hasStarted = true;
      return kernel;
    } catch (error) {
      // A process that was never started need not be ended.
      starting.then((kernel) => kernel.close()).catch(() => undefined);
      throw error;
    } finally {
      clearTimeout(timer);
      abortSignal.removeEventListener('abort', onAbort);
    }
  }

  private constructor(child: ChildProcess, listener: KernelListener) {
    const { stdin, stdout, stderr } = child;
    if (stdin === null || stdout === null || stderr === null) {
      kill(child);
      throw new Error('Its process has no pipes for stdin, stdout and stderr.');
    }
    this.#child = child;
    this.#stdin = stdin;
    this.#listener = listener;
    readText(stdout, (text) => this.#take(text));
    readText(stderr, (text) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_MAX_CHARS);
    });
    // The process has ended, which is reported with a better reason.
    stdin.on('error', () => undefined);
    child.on('error', ({ message }) => this.#end(`${message}.`, 'gone'));
    // Unlike `exit`, comes after everything that the process has written.
    child.on('close', (code, signal) => this.#end(this.#endReason(code, signal), 'gone'));
  }

  listen(listener: KernelListener): void {
    this.#listener = listener;
  }

  send(message: PageMessage): void {
    if (this.#stdin.writable) this.#stdin.write(`${JSON.stringify(message)}\n`);
  }

  expectEvaluation(): void {
    // An evaluation can send nothing past the pipe.
  }

  async settled(): Promise<void> {
    // A pipe keeps the order: everything sent before the outcome has arrived before it.
  }

  close(): void {
    this.#isOpen = false;
    kill(this.#child);
    this.#child.stdin?.destroy();
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
  }

  #take(text: string): void {
    const [first = '', ...others] = text.split('\n');
    this.#line += first;
    for (const other of others) {
      this.#receive(this.#line);
      this.#line = other;
    }
    // The reader refuses it. Waiting for the rest would take ever more memory.
    if (this.#line.length > MESSAGE_MAX_CHARS) this.#receive(this.#line);
  }

  #receive(line: string): void {
    if (!this.#isOpen) return;
    const message = this.#reader.read(line);
    if (typeof message === 'string') this.#end(message, 'broke-rule');
    else this.#listener.onMessage(message);
  }

  #endReason(code: number | null, signal: NodeJS.Signals | null): string {
    const how = signal ?? `exit code ${code}`;
    if (!this.#hasStarted) return `Its process ended (${how}). ${this.#stderr}`.trim();
    if (/heap out of memory/.test(this.#stderr)) return 'The code used too much memory.';
    return `The process that ran the code ended unexpectedly (${how}). It may have used too much memory.`;
  }

  #end(reason: string, end: KernelEnd): void {
    if (!this.#isOpen) return;
    this.close();
    this.#listener.onEnd(reason, end);
  }
}

function readText(stream: Readable, onText: (text: string) => void): void {
  stream.setEncoding('utf8');
  stream.on('data', onText);
  // A pipe that breaks ends like one that is closed.
  stream.on('error', () => undefined);
}

/** Ends a process, and the group that it leads, if it leads one. */
function kill(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It leads no group, or nothing of the group is left.
  }
  child.kill('SIGKILL');
}
