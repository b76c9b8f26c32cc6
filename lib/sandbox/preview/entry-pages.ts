import type { FileSystemReader } from '#lib/vfs/file-system.ts';
import { filesBelow, GENERATED_FOLDERS } from '#lib/vfs/files-below.ts';
import { ENTRIES_MAX } from './limits.ts';

/** Patterns for the paths of files that are offered as pages, the most likely type first. */
const KINDS = [/\.html?$/i, /\.(md|markdown)$/i, /\.svg$/i];

/**
 * The names of folders whose files are not offered as pages: those of tools, and output folders, where pages are copies of
 * others.
 */
const BUILT = new Set([...GENERATED_FOLDERS, 'dist', 'build', 'coverage']);

/** The files that a preview can show as pages, in words for the model. */
export const WHAT_IS_SHOWN = 'index.html and other .html, .md and .svg files';

/** The pages of a workspace. */
interface WorkspacePages {
  /** The files that can be shown: pages before Markdown and SVG files, and those near the root first. */
  entries: readonly string[];
  /** Whether there are JSX or TSX files. */
  hasReact: boolean;
}

/**
 * Finds the files in a workspace that a preview can show as pages: HTML, Markdown, and SVG files, in this order, at most
 * `ENTRIES_MAX`. Skips folders of tools and output. Also tells whether there are JSX or TSX files.
 */
export async function findEntries(fileSystem: FileSystemReader): Promise<WorkspacePages> {
  const found: { path: string; kind: number }[] = [];
  let hasReact = false;
  for await (const { path } of filesBelow(fileSystem, '/', BUILT)) {
    hasReact ||= /\.[jt]sx$/i.test(path);
    const kind = KINDS.findIndex((ending) => ending.test(path));
    if (kind >= 0) found.push({ path, kind });
  }
  const order = ({ path, kind }: (typeof found)[number]): number =>
    kind * 10_000 + path.split('/').length * 10 + (/\/index\.html?$/i.test(path) ? 0 : 1);
  found.sort((one, other) => order(one) - order(other) || (one.path < other.path ? -1 : 1));
  return { entries: found.slice(0, ENTRIES_MAX).map(({ path }) => path), hasReact };
}
