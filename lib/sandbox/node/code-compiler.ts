import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { CodeProblem, CompiledCode } from '#lib/sandbox/compiler/compile.ts';
import { COMPILE_TIMEOUT_MS } from '#lib/sandbox/limits.ts';
import type { CompileRequest } from './compiler-thread.ts';

type Compiled = CompiledCode | { problem: CodeProblem };

/**
 * Compiles code in a worker thread, because some code takes a minute to parse. If it takes too long, the thread is
 * terminated. Compiles one piece of code at a time.
 */
export class CodeCompiler {
  readonly #timeoutMs: number;
  #thread: Worker | undefined;

  constructor(timeoutMs = COMPILE_TIMEOUT_MS) {
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Compiles code so that it can run as one of a session's evaluations, as the function `compile` does; code that is invalid
   * or takes too long has a `problem`. `declared`: the names of the bindings that earlier evaluations have declared. Rejects
   * if the signal fires, or if the thread fails.
   */
  async compile(source: string, declared: ReadonlySet<string>, abortSignal: AbortSignal): Promise<Compiled> {
    this.#thread ??= new Worker(new URL('./compiler-thread.ts', import.meta.url));
    const thread = this.#thread;
    const late = AbortSignal.timeout(this.#timeoutMs);
    const request: CompileRequest = { source, declared };
    // An idle thread does not keep this process running.
    thread.ref();
    thread.postMessage(request);
    try {
      const [compiled] = await once(thread, 'message', { signal: AbortSignal.any([late, abortSignal]) });
      return compiled;
    } catch (error) {
      this.end();
      if (!late.aborted) throw error;
      const message = `The code takes more than ${this.#timeoutMs / 1000} seconds to parse`;
      return { problem: { message, line: 1, column: 1 } };
    } finally {
      thread.unref();
    }
  }

  /** Terminates the thread. The next call of `compile` starts another one. */
  end(): void {
    void this.#thread?.terminate();
    this.#thread = undefined;
  }
}
