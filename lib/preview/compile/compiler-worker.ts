import { expose, type ProxyMarked } from 'comlink';
import type { BuildFiles, BuildOutcome } from '../built-page.ts';
import { PREVIEW_FILES } from '../packages.ts';

// On its way while the rest of the code is.
const compiling = WebAssembly.compileStreaming(fetch(`${PREVIEW_FILES}/esbuild.wasm`));
const starting = start();
// The page hears of it, ends this worker, and begins another with the next build.
starting.catch((error: unknown) =>
  setTimeout(() => {
    throw error;
  }),
);

async function start() {
  const [wasmModule, { initialize }, { PageCompiler }] = await Promise.all([
    compiling,
    import('esbuild-wasm'),
    import('./page-compiler.ts'),
  ]);
  await initialize({ wasmModule, worker: false });
  return new PageCompiler();
}

/** One build after the other: they share what was built before. */
let queue: Promise<unknown> = Promise.resolve();

/** The bundler, in a worker of its own: it is ended with what takes too long. */
async function compile(entry: string, files: BuildFiles & ProxyMarked): Promise<BuildOutcome> {
  const compiler = await starting.catch(() => new Promise<never>(() => undefined));
  const build = queue
    .then(() => compiler.compile(entry, { find: (paths) => files.find(paths), read: (path) => files.read(path) }))
    .catch((error: unknown): BuildOutcome => {
      const message = error instanceof Error ? error.message : String(error);
      return { type: 'failed', problems: [{ severity: 'error', message }] };
    });
  queue = build;
  return build;
}

export type Compile = typeof compile;

expose(compile);
