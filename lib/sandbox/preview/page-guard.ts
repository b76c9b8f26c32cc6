import type { ProtectedPaths } from '#lib/tools/permission/path-rule.ts';
import { guardOf } from '#lib/tools/permission/path-rules.ts';
import type { FileSystem } from '#lib/vfs/file-system.ts';
import { guardedFiles } from '#lib/vfs/guarded-file-system.ts';

/** The entries of the substitutes for `localStorage` and `sessionStorage` that a previewed page has. */
export type PageStorage = Record<'local' | 'session', Record<string, string>>;

/**
 * The files of a workspace as its preview reads them, and what its pages have stored. A page that the user opens has all
 * files. A page that a model opens, and those after it until the user opens a page again, have only files that the user's
 * rules do not protect. Their storage is separate, because pages of the user may have stored what they read.
 */
export class PageGuard {
  readonly files: FileSystem;
  #paths: ProtectedPaths = NOTHING;
  /** The rules under which the last build began, if they still apply; `NOTHING` if they have changed since. */
  #building: ProtectedPaths = NOTHING;
  /** The rules that applied throughout the build of the page that is shown; `NOTHING` if they changed meanwhile. */
  #shown: ProtectedPaths = NOTHING;
  readonly #open: PageStorage = { local: {}, session: {} };
  #guarded: { paths: ProtectedPaths; storage: PageStorage } | undefined;

  constructor(fileSystem: FileSystem) {
    this.files = guardedFiles(fileSystem, {
      refusal: (path, effect) => guardOf(this.#paths).refusal(path, effect),
    });
  }

  /** From now on, `files` leaves out what these rules protect, and nothing else. */
  protect(paths: ProtectedPaths): void {
    if (!areEqual(paths, this.#paths)) this.#change(paths);
  }

  /** From now on, `files` has all files. A page that is shown under protection must be stopped before. */
  lift(): void {
    this.#change(NOTHING);
  }

  #change(paths: ProtectedPaths): void {
    this.#paths = paths;
    // The current build has read files under the old and the new protection.
    this.#building = NOTHING;
  }

  /** Notes the current rules as those of the build. Must be called before a page is built. */
  beginBuild(): void {
    this.#building = this.#paths;
  }

  /**
   * Notes the rules of the last build as those of the page that is shown. Must be called when the page that was built is
   * loaded in place of the one before.
   */
  beginPage(): void {
    this.#shown = this.#building;
  }

  /** Whether the page that is shown was built, and has run, without some files, because of the user's rules. */
  get isShownProtected(): boolean {
    return this.#shown !== NOTHING;
  }

  /** Whether the page that is shown was built, and has run, under the rules that apply now. */
  get isShownCurrent(): boolean {
    return areEqual(this.#shown, this.#paths);
  }

  /** Checks whether the page that is shown was built, and has run, without the files that these rules protect. */
  isShownUnder(paths: ProtectedPaths): boolean {
    return areEqual(this.#shown, paths);
  }

  /** Checks whether the last build was made without the files that these rules protect. */
  isBuiltUnder(paths: ProtectedPaths): boolean {
    return areEqual(this.#building, paths);
  }

  /**
   * The storage for the page that was built last, which the page may change. Pages built without rules share one; pages built
   * under rules have another, which is empty again when the rules have changed.
   */
  get storage(): PageStorage {
    if (this.#building === NOTHING) return this.#open;
    if (this.#guarded === undefined || !areEqual(this.#guarded.paths, this.#building))
      this.#guarded = { paths: this.#building, storage: { local: {}, session: {} } };
    return this.#guarded.storage;
  }
}

const NOTHING: ProtectedPaths = { rules: [], approved: [] };

const areEqual = (one: ProtectedPaths, other: ProtectedPaths): boolean => JSON.stringify(one) === JSON.stringify(other);
