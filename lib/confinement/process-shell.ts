import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '#lib/base/message-of.ts';
import { refusal } from '#lib/confinement/commands/command-rules.ts';
import type { Shell, ShellOutcome } from '#lib/tools/capabilities/shell.ts';
import { counted } from '#lib/tools/core/counted.ts';
import { ToolFailure } from '#lib/tools/core/tool-call.ts';
import type { Author } from '#lib/vfs/file-system.ts';
import { BoundedOutput } from './bounded-output.ts';
import type { Confinement } from './confinement.ts';
import { endProcess } from './end-process.ts';
import { withoutMachinePaths } from './environment.ts';
import { LATE_OUTPUT_MS } from './limits.ts';

/** Options of a shell. */
interface ProcessShellOptions {
  /** The folder in which commands run, real and absolute. */
  root: string;
  confinement: Confinement;
  /** The beginnings of commands that never run, such as `npm publish`. */
  deny: readonly string[];
  /** Calls `run`, which runs a command, and records what the command changes as changes by `author`. */
  note<T>(author: Author, run: () => Promise<T>): Promise<T>;
}

/**
 * Runs commands with the machine's own bash, in a confinement. `run` resolves with a command's output and exit code, whatever
 * the code is. It rejects with `ToolFailure`: `denied` for a command that must not run, `timed-out` or `aborted` after the
 * process group has been ended, and `failed` if bash cannot be started. Output is bounded, and has no paths of the machine.
 */
export class ProcessShell implements Shell {
  readonly #options: ProcessShellOptions;

  constructor(options: ProcessShellOptions) {
    this.#options = options;
  }

  async run(
    command: string,
    options: { cwd: string; author: Author; timeoutMs: number; abortSignal: AbortSignal },
  ): Promise<ShellOutcome> {
    const { root, deny, note } = this.#options;
    const reason = refusal(command, { deny }, { root, cwd: options.cwd });
    if (reason !== undefined) throw new ToolFailure('denied', `Not run. ${reason}`);
    return note(options.author, () => this.#run(command, options));
  }

  async #run(
    command: string,
    { cwd, timeoutMs, abortSignal }: { cwd: string; timeoutMs: number; abortSignal: AbortSignal },
  ): Promise<ShellOutcome> {
    const { root, confinement } = this.#options;
    abortSignal.throwIfAborted();
    const place = cwd === '/' ? root : join(root, cwd);
    const child = await confinement
      .start(['/bin/bash', '-c', command], { cwd: place, canWrite: true })
      .catch((error: unknown) => {
        const reason = messageOf(error);
        throw new ToolFailure('failed', `The command could not be started: ${withoutMachinePaths(reason, root)}`);
      });
    const [stdout, stderr] = [new BoundedOutput(), new BoundedOutput()];
    child.stdout?.on('data', (data: Buffer) => stdout.push(data));
    child.stderr?.on('data', (data: Buffer) => stderr.push(data));
    let end: 'timed-out' | 'aborted' | undefined;
    const endAs = (why: typeof end) => {
      end ??= why;
      endProcess(child);
    };
    const timer = setTimeout(() => endAs('timed-out'), timeoutMs);
    const onAbort = () => endAs('aborted');
    abortSignal.addEventListener('abort', onAbort, { once: true });
    const exitCode = await exitOf(child);
    clearTimeout(timer);
    abortSignal.removeEventListener('abort', onAbort);
    endProcess(child, { atOnce: true });
    const outcome = {
      stdout: withoutMachinePaths(stdout.toString(), root),
      stderr: withoutMachinePaths(stderr.toString(), root),
      exitCode,
    };
    if (end === 'aborted')
      throw new ToolFailure('aborted', 'Stopped by the user. Changes that it had already made are kept.');
    if (end === 'timed-out') throw new ToolFailure('timed-out', timedOut(timeoutMs, outcome));
    return outcome;
  }
}

/**
 * Resolves with the exit code when a process has ended and its output has arrived, or `LATE_OUTPUT_MS` after its end. The
 * code is 128 and the number of the signal if one has ended the process, such as 137 for SIGKILL.
 */
function exitOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once('exit', (code, name) => {
      const exitCode = code ?? 128 + constants.signals[name ?? 'SIGTERM'];
      const timer = setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
        resolve(exitCode);
      }, LATE_OUTPUT_MS);
      child.once('close', () => {
        clearTimeout(timer);
        resolve(exitCode);
      });
    });
  });
}

/** The number of characters, from the end, that the model gets of each output stream of a command that took too long. */
const SHOWN_MAX = 2_000;

function timedOut(timeoutMs: number, { stdout, stderr }: ShellOutcome): string {
  const printed = [stdout, stderr].map((text) => text.trim().slice(-SHOWN_MAX)).filter((text) => text !== '');
  const said = `The command was stopped after ${counted(timeoutMs / 1000, 'second')}. Changes that it had already made are kept.`;
  return printed.length === 0 ? said : `${said}\nPrinted so far:\n${printed.join('\n')}`;
}
