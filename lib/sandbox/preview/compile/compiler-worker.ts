import { expose, type ProxyMarked } from 'comlink';
import { messageOf } from '#lib/base/message-of.ts';
import { SerialQueue } from '#lib/base/serial-queue.ts';
import type { BuildFiles, BuildOutcome, FoundFiles, ScriptOutcome, StripOutcome } from '../built-page.ts';
import { PREVIEW_FILES } from '../packages.ts';
import type { PageCompiler } from './page-compiler.ts';

// Fetched in parallel with the rest of the code.
const compiling = WebAssembly.compileStreaming(fetch(`${PREVIEW_FILES}/esbuild.wasm`));
const starting = start();
const loading = import('./page-compiler.ts').then(({ PageCompiler: Compiler }) => new Compiler(whenStarted));
// `giveUp` reports them to the page when a build needs what has failed.
for (const failing of [starting, loading]) failing.catch(() => undefined);

async function start(): Promise<void> {
  const [wasmModule, { initialize }] = await Promise.all([compiling, import('esbuild-wasm')]);
  await initialize({ wasmModule, worker: false });
}

/**
 * Resolves when the bundler has started, which takes a while and which many pages do not need. Calls `giveUp` if the bundler
 * cannot be started.
 */
const whenStarted = (): Promise<void> => starting.catch(giveUp);

/** Reports the error to the page, which terminates this worker and starts another one for the next build. Never resolves. */
function giveUp(error: unknown): Promise<never> {
  setTimeout(() => {
    throw error;
  });
  return new Promise<never>(() => undefined);
}

/** Builds run one after the other, because they share incremental results. */
const queue = new SerialQueue();

async function inTurn<T>(work: (compiler: PageCompiler) => Promise<T>): Promise<T | Failed> {
  const compiler = await loading.catch(giveUp);
  return queue
    .run(() => work(compiler))
    .catch((error: unknown): Failed => {
      const message = messageOf(error);
      return { type: 'failed', problems: [{ severity: 'error', message }] };
    });
}

type Failed = Extract<BuildOutcome, { type: 'failed' }>;

/** Wraps the page's files for one build: keeps the contents that `find` sends along, so that `read` need not request them. */
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

/** The bundler, in a separate worker, which is terminated if a build takes too long. */
const bundler = {
  compile: (entry: string, files: PageSideFiles): Promise<BuildOutcome> =>
    inTurn((compiler) => compiler.compile(entry, near(files))),
  compileScript: (path: string, files: PageSideFiles): Promise<ScriptOutcome> =>
    inTurn((compiler) => compiler.compileScript(path, near(files))),
  stripTypes: (code: string): Promise<StripOutcome> => inTurn((compiler) => compiler.stripTypes(code)),
};

/**
 * The functions of the bundler's worker, which the page calls over Comlink: those of `PageCompiler`, whose calls run one after
 * the other.
 */
export type Bundler = typeof bundler;

expose(bundler);
