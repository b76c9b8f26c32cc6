import { parentPort } from 'node:worker_threads';
import { compile } from '#lib/sandbox/compiler/compile.ts';

/**
 * The message to the compiler's thread: the code to compile, and the names of the bindings that earlier evaluations have
 * declared. The thread answers with the result of `compile`.
 */
export interface CompileRequest {
  source: string;
  declared: ReadonlySet<string>;
}

parentPort?.on('message', ({ source, declared }: CompileRequest) => parentPort?.postMessage(compile(source, declared)));
