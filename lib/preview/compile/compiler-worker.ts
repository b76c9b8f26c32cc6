import { expose, type ProxyMarked } from 'comlink';
import type { BuildFiles, BuildOutcome, FoundFiles, ScriptOutcome } from '../built-page.ts';
import { PREVIEW_FILES } from '../packages.ts';
import type { PageCompiler } from './page-compiler.ts';

// On its way while the rest of the code is.
const compiling = WebAssembly.compileStreaming(fetch(`${PREVIEW_FILES}/esbuild.wasm`));
const starting = start();
const loading = import('./page-compiler.ts').then(({ PageCompiler: Compiler }) => new Compiler(whenStarted));
for (const failing of [starting, loading]) failing.catch(() => undefined);

async function start(): Promise<void> {
  const [wasmModule, { initialize }] = await Promise.all([compiling, import('esbuild-wasm')]);
  await initialize({ wasmModule, worker: false });
}

/** Many pages do without the bundler, which takes a while to be there. */
const whenStarted = (): Promise<void> => starting.catch(giveUp);

/** The page hears of it, ends this worker, and begins another with the next build. */
function giveUp(error: unknown): Promise<never> {
  setTimeout(() => {
    throw error;
  });
  return new Promise<never>(() => undefined);
}

/** One build after the other: they share what was built before. */
let queue: Promise<unknown> = Promise.resolve();

async function inTurn<T>(work: (compiler: PageCompiler) => Promise<T>): Promise<T | Failed> {
  const compiler = await loading.catch(giveUp);
  const build = queue
    .then(() => work(compiler))
    .catch((error: unknown): Failed => {
      const message = error instanceof Error ? error.message : String(error);
      return { type: 'failed', problems: [{ severity: 'error', message }] };
    });
  queue = build;
  return build;
}

type Failed = Extract<BuildOutcome, { type: 'failed' }>;

/** The page's side of it, for one build: what is found is read next, and came along. */
function near(files: PageSideFiles): BuildFiles {
  const found = new Map<string, Uint8Array>();
  return {
    async find(paths) {
      const { path, contents } = (await files.find(paths)) ?? {};
      if (path !== undefined && contents !== undefined) found.set(path, contents);
      return path;
    },
    read: async (path) => found.get(path) ?? files.read(path),
    package: (name) => files.package(name),
  };
}

type PageSideFiles = FoundFiles & ProxyMarked;

/** The bundler, in a worker of its own: it is ended with what takes too long. */
const bundler = {
  compile: (entry: string, files: PageSideFiles): Promise<BuildOutcome> =>
    inTurn((compiler) => compiler.compile(entry, near(files))),
  compileScript: (path: string, files: PageSideFiles): Promise<ScriptOutcome> =>
    inTurn((compiler) => compiler.compileScript(path, near(files))),
};

export type Bundler = typeof bundler;

expose(bundler);
