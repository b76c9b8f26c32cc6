import { proxy, type Remote } from 'comlink';
import { defined } from '#lib/base/defined.ts';
import { EndableWorker } from '#lib/base/endable-worker.ts';
import { messageOf } from '#lib/base/message-of.ts';
import { ToolFailure } from '#lib/tools/core/tool-call.ts';
import type { FileSystemReader } from '#lib/vfs/file-system.ts';
import type { BuildOutcome, FoundFiles, ScriptOutcome } from './built-page.ts';
import type { Bundler } from './compile/compiler-worker.ts';
import { BUILD_TIMEOUT_MS, FOUND_MAX_BYTES, PAGE_FILE_MAX_BYTES } from './limits.ts';
import { PREVIEW_FILES, packageFile } from './packages.ts';

/**
 * Builds pages in a worker, which is started for the first one, and fetches what they need from the studio's own build.
 */
export class PageBuilder {
  readonly #files: FoundFiles;
  readonly #worker = new EndableWorker<Bundler>({
    start: () =>
      new Worker(new URL('./compile/compiler-worker.ts', import.meta.url), { type: 'module', name: 'bundler' }),
    failure: (message) =>
      new ToolFailure(
        'failed',
        `The bundler could not be started. ${message} Try again when the studio’s server is reachable.`,
      ),
  });
  readonly #fetched = new Map<string, Promise<string>>();

  constructor(fileSystem: FileSystemReader) {
    this.#files = { ...buildFiles(fileSystem), package: (name) => this.package(name) };
  }

  /** Builds the page of the file `entry`. Rejects with `ToolFailure` if the bundler is unavailable or takes too long. */
  build(entry: string): Promise<BuildOutcome> {
    return this.#inTime<BuildOutcome>(entry, (bundler) => bundler.compile(entry, proxy(this.#files)));
  }

  /** Bundles a script for a worker of a page. Rejects with `ToolFailure` if the bundler is unavailable or takes too long. */
  buildScript(path: string): Promise<ScriptOutcome> {
    return this.#inTime<ScriptOutcome>(path, (bundler) => bundler.compileScript(path, proxy(this.#files)));
  }

  #inTime<T>(path: string, work: (bundler: Remote<Bundler>) => Promise<T>): Promise<T> {
    const late = () =>
      new ToolFailure('timed-out', `Building ${path} took more than ${BUILD_TIMEOUT_MS / 1000} seconds.`);
    return this.#worker.run(work, { timeoutMs: BUILD_TIMEOUT_MS, late });
  }

  /** Starts the bundler, and fetches the prelude and these packages unless they are already there. Does not wait for them. */
  prefetch(names: Iterable<string>): void {
    this.#worker.prepare();
    // Failed fetches are not kept; callers that need a text try again and get the error.
    for (const text of [this.prelude(), ...[...names].map((name) => this.package(name))]) text.catch(() => undefined);
  }

  /** The script that runs in a page's window before the page does. */
  prelude(): Promise<string> {
    return this.fetch('prelude.js');
  }

  /** The text of the module of a package in `PACKAGES`, from the studio's own build. */
  package(name: string): Promise<string> {
    return this.fetch(packageFile(name));
  }

  /** The text of a file below `PREVIEW_FILES`, which the studio's build made for previews; fetched once. */
  fetch(file: string): Promise<string> {
    const known = this.#fetched.get(file);
    if (known !== undefined) return known;
    const text = fetchText(file);
    this.#fetched.set(file, text);
    // The next one who needs it tries again.
    text.catch(() => this.#fetched.delete(file));
    return text;
  }

  close(): void {
    this.#worker.end();
  }
}

async function fetchText(file: string): Promise<string> {
  const response = await fetch(`${PREVIEW_FILES}/${file}`);
  if (!response.ok)
    throw new ToolFailure(
      'failed',
      `The studio’s server did not provide ${file}: it responded with ${response.status}.`,
    );
  return response.text();
}

function buildFiles(fileSystem: FileSystemReader): Omit<FoundFiles, 'package'> {
  return {
    async find(paths) {
      for (const path of paths) {
        // Most of the paths are only guesses.
        const stat = await fileSystem.stat(path).catch(() => undefined);
        if (stat?.type !== 'file') continue;
        const contents =
          // The compiler reads it again, and reports the error.
          stat.size <= FOUND_MAX_BYTES ? await fileSystem.readFile(path).catch(() => undefined) : undefined;
        return { path, ...defined({ contents }) };
      }
      return undefined;
    },
    async read(path) {
      try {
        return await fileSystem.readFile(path, { maxBytes: PAGE_FILE_MAX_BYTES });
      } catch (error) {
        return { problem: messageOf(error) };
      }
    },
  };
}
