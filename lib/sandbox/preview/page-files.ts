import { ToolFailure } from '#lib/tools/core/tool-call.ts';
import type { FileChange, FileSystem } from '#lib/vfs/file-system.ts';
import { dirname } from '#lib/vfs/paths.ts';
import { isWebAddress, needsNoFile, pathsOf } from './compile/addresses.ts';
import { findEntries, WHAT_IS_SHOWN } from './entry-pages.ts';
import { fileUrl } from './file-url.ts';
import { PAGE_FILE_MAX_BYTES } from './limits.ts';

/** Resolves a page's addresses to workspace files, and tracks which files the page has requested. */
export class PageFiles {
  readonly #fileSystem: FileSystem;
  readonly #read = new Set<string>();
  #hasReadChanged = false;

  constructor(fileSystem: FileSystem) {
    this.#fileSystem = fileSystem;
  }

  /** Whether any file that the page has requested since it was loaded has changed. */
  get hasReadChanged(): boolean {
    return this.#hasReadChanged;
  }

  /** Takes note of changes in the workspace; only those of files that the page has requested count. */
  noteChanges(changes: readonly Pick<FileChange, 'path'>[]): void {
    this.#hasReadChanged ||= changes.some(({ path }) => this.#read.has(path));
  }

  /** Takes note that the page has requested these paths, also if there are no such files. */
  noteRead(paths: Iterable<string>): void {
    for (const path of paths) this.#read.add(path);
  }

  /** Forgets which files were requested, and whether they have changed. Must be called when another page is loaded. */
  forgetRead(): void {
    this.#read.clear();
    this.#hasReadChanged = false;
  }

  async isFile(path: string): Promise<boolean> {
    // Most paths that are looked up are only guesses.
    const stat = await this.#fileSystem.stat(path).catch(() => undefined);
    return stat?.type === 'file';
  }

  /**
   * Returns the path of the page at a path: that of the file, of the folder's `index.html`, or with `.html` added. Rejects
   * with a `ToolFailure` that lists the available pages if there is none.
   */
  async pageNamed(path: string): Promise<string> {
    const found = await this.#pageAt(path);
    if (found !== undefined) return found;
    const { entries } = await findEntries(this.#fileSystem);
    const there = entries.join(', ') || `none; a preview shows ${WHAT_IS_SHOWN}`;
    throw new ToolFailure('failed', `There is no page ${path}. Available pages: ${there}.`);
  }

  /** The path of the workspace page that an address on the page `from` refers to; undefined if there is none. */
  async pageLinked(address: string, from: string): Promise<string | undefined> {
    if (isWebAddress(address) || needsNoFile(address)) return undefined;
    for (const path of pathsOf(address, dirname(from))) {
      const found = await this.#pageAt(path);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /**
   * Returns the file that code requests by path, as a data URL. As with bundlers, files in `/public` are also found at the
   * root. Rejects if there is no such file.
   */
  async readForPage(path: string): Promise<string> {
    let failure: unknown;
    for (const candidate of pathsOf(path, '/')) {
      try {
        this.noteRead([candidate]);
        return fileUrl(candidate, await this.#fileSystem.readFile(candidate, { maxBytes: PAGE_FILE_MAX_BYTES }));
      } catch (error) {
        failure ??= error;
      }
    }
    throw failure ?? new ToolFailure('failed', `${path} is outside the workspace.`);
  }

  /**
   * Returns the path of the file to which a path in code refers: the same path, or the one below `/public`. Rejects with
   * `ToolFailure` if there is none.
   */
  async fileForPage(path: string): Promise<string> {
    const paths = pathsOf(path, '/');
    this.noteRead(paths);
    for (const candidate of paths) if (await this.isFile(candidate)) return candidate;
    throw new ToolFailure('failed', `There is no file for "${path}". Looked for ${paths.join(' and ')}.`);
  }

  async #pageAt(path: string): Promise<string | undefined> {
    for (const candidate of [path, `${path === '/' ? '' : path}/index.html`, `${path}.html`])
      if (await this.isFile(candidate)) return candidate;
    return undefined;
  }
}
