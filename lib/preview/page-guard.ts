import type { ProtectedPaths } from '#lib/tools/core/path-rule.ts';
import { guardOf } from '#lib/tools/core/path-rules.ts';
import type { FileSystem } from '#lib/vfs/file-system.ts';
import { guardedFiles } from '#lib/vfs/guarded-file-system.ts';

/**
 * The files of a workspace as its preview reads them. A page that the user opens has all of them. One that a model opens
 * has only those that the user's rules do not protect, until the user opens a page again.
 */
export class PageGuard {
  readonly files: FileSystem;
  #paths: ProtectedPaths = NOTHING;
  /** The real paths that were read since the build of the page that is shown began. */
  #shown = new Set<string>();
  /** The same for the page that is being built. */
  #building = new Set<string>();

  constructor(fileSystem: FileSystem) {
    const guarded = guardedFiles(fileSystem, {
      refusal: (path, effect) => guardOf(this.#paths).refusal(path, effect),
    });
    const note = (path: string) => {
      const real = fileSystem.realPath(path);
      this.#shown.add(real);
      this.#building.add(real);
    };
    this.files = {
      ...guarded,
      readFile: async (path, options) => {
        const data = await guarded.readFile(path, options);
        note(path);
        return data;
      },
      readFiles: async (paths, options) => {
        const contents = await guarded.readFiles(paths, options);
        for (const path of paths) note(path);
        return contents;
      },
    };
  }

  /** From now on, these paths cannot be read. */
  protect(paths: ProtectedPaths): void {
    this.#paths = paths;
  }

  /** From now on, everything can be read. */
  lift(): void {
    this.#paths = NOTHING;
  }

  /** Must be called before a page is built. */
  beginBuild(): void {
    this.#building = new Set();
  }

  /** Must be called when the page that was built is loaded in place of the one before. */
  beginPage(): void {
    this.#shown = this.#building;
  }

  /** Whether the page that is shown has read, or was built from, what these rules protect. */
  hasRead(paths: ProtectedPaths): boolean {
    const guard = guardOf(paths);
    return [...this.#shown].some((path) => guard.refusal(path, 'read') !== undefined);
  }
}

const NOTHING: ProtectedPaths = { rules: [], approved: [] };
