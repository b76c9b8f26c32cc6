import { join, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Translates between a workspace's paths, such as `/src/a.ts`, and the machine's, which callers never see. */
export class WorkspacePaths {
  /** The workspace's folder on this machine, real and absolute. */
  readonly root: string;
  readonly #spellings: readonly RegExp[];

  constructor(root: string) {
    this.root = root;
    const isTop = root.endsWith(sep);
    const spellings = isTop ? [] : new Set([pathToFileURL(root).href, root, root.replaceAll('\\', '/')]);
    this.#spellings = Array.from(spellings, wholePath);
  }

  /** The `file:` URI of a workspace path. */
  uri(path: string): string {
    return pathToFileURL(join(this.root, path)).href;
  }

  /** The workspace path of a URI; undefined if it is not below the root. */
  path(uri: string): string | undefined {
    let place: string;
    try {
      place = fileURLToPath(uri);
    } catch {
      // Servers also have documents that are not files.
      return undefined;
    }
    const top = this.root.endsWith(sep) ? this.root : this.root + sep;
    return place.startsWith(top) ? `/${place.slice(top.length).replaceAll(sep, '/')}` : undefined;
  }

  /** Returns a text with the root removed from all of the machine's paths, so that they read as workspace paths. */
  hide(text: string): string {
    return this.#spellings.reduce(
      (hidden, spelling) =>
        hidden.replace(spelling, (match, offset: number, whole: string) =>
          /[/\\]/.test(whole.charAt(offset + match.length)) ? '' : '/',
        ),
      text,
    );
  }
}

/** Matches a path where it is neither the end nor the beginning of another: "/a" is not part of "/b/a" or "/a-b". */
function wholePath(path: string): RegExp {
  // `RegExp.escape` does not exist in Node 22.
  const escaped = path.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}_.-])${escaped}(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}_])`, 'gu');
}
