import type { Remote } from 'comlink';
import { EndableWorker } from '#lib/base/endable-worker.ts';
import { COMPILE_TIMEOUT_MS } from '../limits.ts';
import type { CodeProblem, CompiledCode } from './compile.ts';
import type { Compile } from './compiler-worker.ts';

type Compiled = CompiledCode | { problem: CodeProblem };

/** The error for code that takes too long to parse, which `compile` turns into a `problem`. */
class LateCode extends Error {
  override readonly name = 'LateCode';
}

/**
 * Compiles code that is to run in the sandbox. Does so in a worker, so that parsing does not block the page; if parsing takes
 * too long, the worker is terminated.
 */
export class CodeCompiler {
  readonly #worker = new EndableWorker<Compile>({
    start: () => new Worker(new URL('./compiler-worker.ts', import.meta.url), { type: 'module', name: 'compiler' }),
    failure: (message) => new Error(message || 'The worker that compiles code could not be started.'),
  });

  /**
   * Compiles the code of an evaluation. `declared`: the names of the bindings of earlier evaluations. The result is a `problem`
   * if the code is invalid or takes too long to parse. Rejects if the worker cannot be started, for example while the studio's
   * server is down.
   */
  async compile(source: string, declared: ReadonlySet<string>): Promise<Compiled> {
    const late = () => new LateCode(`The code takes more than ${COMPILE_TIMEOUT_MS / 1000} seconds to parse`);
    const task = (compile: Remote<Compile>): Promise<Compiled> => compile(source, declared);
    try {
      return await this.#worker.run(task, { timeoutMs: COMPILE_TIMEOUT_MS, late });
    } catch (error) {
      if (error instanceof LateCode) return { problem: { message: error.message, line: 1, column: 1 } };
      throw error;
    }
  }
}
