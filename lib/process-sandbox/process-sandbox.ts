import type { CodeProblem, CompiledCode } from '#lib/sandbox/compiler/compile.ts';
import type { ConsoleRecord } from '#lib/sandbox/console-record.ts';
import { type OpenedFrame, SandboxSession } from '#lib/sandbox/sandbox-session.ts';
import type { JavaScriptOutcome } from '#lib/tools/capabilities/rendered-value.ts';
import type { EvaluationOptions, JavaScriptEvaluator } from '#lib/tools/capabilities/sandbox.ts';
import { ToolFailure } from '#lib/tools/core/tool-call.ts';
import { CodeCompiler } from './code-compiler.ts';
import { KernelProcess, type StartProcess } from './kernel-process.ts';

/** What a sandbox needs of its host. */
export interface ProcessSandboxOptions {
  /** Called when a session begins. The arguments for Node are `NODE_ARGUMENTS` and the script. */
  start: StartProcess;
}

/**
 * Runs JavaScript on a host without a browser: in a process of its own, with one session at a time. The confinement in
 * which the caller starts the process is the only boundary. It should have no network and no environment variables,
 * nothing to write, and nothing to read except Node and the studio's code.
 */
export class ProcessSandbox implements JavaScriptEvaluator {
  readonly #start: StartProcess;
  readonly #session: SandboxSession<KernelProcess>;
  readonly #compiler = new CodeCompiler();
  readonly #closing = new AbortController();

  constructor({ start }: ProcessSandboxOptions) {
    this.#start = start;
    this.#session = new SandboxSession<KernelProcess>({
      openFrame: (abortSignal) => this.#open(abortSignal),
      compile: (source, declared, abortSignal) => this.#compile(source, declared, abortSignal),
    });
  }

  /** What ran and what happened, for users. */
  get record(): ConsoleRecord {
    return this.#session.record;
  }

  evaluate(code: string, options: EvaluationOptions): Promise<JavaScriptOutcome> {
    return this.#session.evaluate(code, options);
  }

  /** Ends the session and its process, even during an evaluation. Nothing can be evaluated afterwards. */
  close(): void {
    this.#closing.abort(new ToolFailure('aborted', 'The sandbox was closed.'));
    this.#session.reset();
    this.#compiler.end();
  }

  async #open(abortSignal: AbortSignal): Promise<OpenedFrame<KernelProcess>> {
    const signal = this.#untilClosed(abortSignal);
    try {
      return { frame: await KernelProcess.start(this.#start, signal), setting: { place: 'process' } };
    } catch (error) {
      throw signal.aborted ? error : notStarted(error);
    }
  }

  async #compile(
    source: string,
    declared: ReadonlySet<string>,
    abortSignal: AbortSignal,
  ): Promise<CompiledCode | { problem: CodeProblem }> {
    const signal = this.#untilClosed(abortSignal);
    try {
      return await this.#compiler.compile(source, declared, signal);
    } catch (error) {
      throw signal.aborted ? signal.reason : notStarted(error);
    }
  }

  /** Fires when the sandbox is closed, too. */
  #untilClosed(abortSignal: AbortSignal): AbortSignal {
    const signal = AbortSignal.any([abortSignal, this.#closing.signal]);
    signal.throwIfAborted();
    return signal;
  }
}

const notStarted = (error: unknown): ToolFailure =>
  new ToolFailure('failed', `The sandbox did not start. ${error instanceof Error ? error.message : String(error)}`);
