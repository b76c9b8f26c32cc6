import { messageOf } from '#lib/base/message-of.ts';
import type { ConsoleRecord } from '#lib/sandbox/console-record.ts';
import { SandboxSession } from '#lib/sandbox/sandbox-session.ts';
import type { JavaScriptOutcome } from '#lib/tools/capabilities/rendered-value.ts';
import type { EvaluationOptions, JavaScriptEvaluator } from '#lib/tools/capabilities/sandbox.ts';
import { ToolFailure } from '#lib/tools/core/tool-call.ts';
import { CodeCompiler } from './code-compiler.ts';
import { KernelProcess, type StartProcess } from './kernel-process.ts';

/** Options that a sandbox needs from its host. */
interface ProcessSandboxOptions {
  /** Called when a session begins. The arguments for Node are `NODE_ARGUMENTS` and the script. */
  start: StartProcess;
}

/**
 * Runs JavaScript on a host without a browser: in a process of its own, with one session at a time. The only boundary is the
 * confinement in which the caller starts the process. The process should have no network and no environment variables, nothing
 * to write, and nothing to read except Node and the studio's code.
 */
export class ProcessSandbox implements JavaScriptEvaluator {
  readonly #session: SandboxSession<KernelProcess>;
  readonly #compiler = new CodeCompiler();
  readonly #closing = new AbortController();

  constructor({ start }: ProcessSandboxOptions) {
    this.#session = new SandboxSession<KernelProcess>({
      openFrame: (abortSignal) =>
        this.#attempt(abortSignal, async (signal) => ({
          frame: await KernelProcess.start(start, signal),
          setting: { place: 'process' },
        })),
      compile: (source, declared, abortSignal) =>
        this.#attempt(abortSignal, (signal) => this.#compiler.compile(source, declared, signal)),
    });
  }

  /** The record of what ran and what happened, for users. */
  get record(): ConsoleRecord {
    return this.#session.record;
  }

  /**
   * Runs code in the session, and starts the session's process if none is running. Resolves with the code's value and output;
   * rejects with `ToolFailure`, also if the code throws.
   */
  evaluate(code: string, options: EvaluationOptions): Promise<JavaScriptOutcome> {
    return this.#session.evaluate(code, options);
  }

  /** Ends the session and its process, even during an evaluation. Nothing can be evaluated afterwards. */
  close(): void {
    this.#closing.abort(new ToolFailure('aborted', 'The sandbox was closed.'));
    this.#session.reset();
    this.#compiler.end();
  }

  /** Runs a task until the signal fires or the sandbox is closed. Rejects with the signal's reason or `ToolFailure`. */
  async #attempt<T>(abortSignal: AbortSignal, task: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const signal = AbortSignal.any([abortSignal, this.#closing.signal]);
    try {
      signal.throwIfAborted();
      return await task(signal);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      const reason = messageOf(error);
      throw new ToolFailure('failed', `The sandbox did not start. ${reason}`);
    }
  }
}
