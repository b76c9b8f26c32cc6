import { expose, type ProxyMarked } from 'comlink';
import { initialize } from 'esbuild-wasm';
import type { BuildFiles, BuildOutcome } from '../built-page.ts';
import { PREVIEW_FILES } from '../packages.ts';
import { PageCompiler } from './page-compiler.ts';

/** The bundler, in a worker of its own: it is ended with what takes too long. */
class CompilerWorker {
  readonly #compiler = new PageCompiler();
  readonly #ready = start();
  /** One build after the other: they share what was built before. */
  #queue: Promise<unknown> = Promise.resolve();

  async compile(entry: string, files: BuildFiles & ProxyMarked): Promise<BuildOutcome> {
    await this.#ready;
    const build = this.#queue.then(() =>
      this.#compiler.compile(entry, {
        find: (paths) => files.find(paths),
        read: (path) => files.read(path),
      }),
    );
    this.#queue = build.catch(() => undefined);
    return build;
  }
}

async function start(): Promise<void> {
  const wasmModule = await WebAssembly.compileStreaming(fetch(`${PREVIEW_FILES}/esbuild.wasm`));
  await initialize({ wasmModule, worker: false });
}

export type CompilerApi = Pick<CompilerWorker, keyof CompilerWorker>;

expose(new CompilerWorker());
