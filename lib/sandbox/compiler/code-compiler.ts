import { type Remote, wrap } from 'comlink';
import { COMPILE_TIMEOUT_MS } from '../limits.ts';
import type { CodeProblem, CompiledCode } from './compile.ts';
import type { Compile } from './compiler-worker.ts';

/** Compiles code in a worker, so that it does not block the page. If it takes too long, the worker is terminated. */
export class CodeCompiler {
  #running: { worker: Worker; compile: Remote<Compile>; failed: Promise<never> } | undefined;

  /** Rejects if the worker cannot be started, for example while the server is down. */
  async compile(source: string, declared: ReadonlySet<string>): Promise<CompiledCode | { problem: CodeProblem }> {
    const { compile, failed } = this.#start();
    const late = Promise.withResolvers<{ problem: CodeProblem }>();
    const timer = setTimeout(() => {
      this.close();
      const message = `The code takes more than ${COMPILE_TIMEOUT_MS / 1000} seconds to parse`;
      late.resolve({ problem: { message, line: 1, column: 1 } });
    }, COMPILE_TIMEOUT_MS);
    try {
      return await Promise.race([compile(source, declared), failed, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Terminates the worker; the next code starts another. */
  close(): void {
    this.#running?.worker.terminate();
    this.#running = undefined;
  }

  #start() {
    if (this.#running !== undefined) return this.#running;
    const worker = new Worker(new URL('./compiler-worker.ts', import.meta.url), { type: 'module', name: 'compiler' });
    const { promise: failed, reject } = Promise.withResolvers<never>();
    failed.catch(() => this.close());
    worker.onerror = ({ message }) =>
      reject(new Error(message || 'The worker that compiles code could not be started.'));
    this.#running = { worker, compile: wrap<Compile>(worker), failed };
    return this.#running;
  }
}
