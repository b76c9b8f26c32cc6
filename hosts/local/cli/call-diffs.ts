import { TEXT_MAX_BYTES } from '#lib/tools/files/text-limit.ts';
import { decodeUtf8 } from '#lib/vfs/text.ts';
import type { Change } from '#lib/workspace/journal/entries.ts';
import type { LocalFolder } from '../local-folder.ts';
import { diffOf } from './diff-view.ts';

/** The change of one path, for people to read. */
export interface ShownDiff {
  path: string;
  type: 'created' | 'changed' | 'deleted';
  /** The hunks of a unified diff; empty if they cannot be computed, as for files that are binary or too large. */
  diff: string;
}

/** Returns changes of files and symbolic links as diffs, in the order of their paths. Changes of folders are left out. */
export function diffsOf(folder: Pick<LocalFolder, 'journal'>, changes: readonly Change[]): ShownDiff[] {
  const textOf = (state: Change['before']): string | undefined => {
    if (state === null) return '';
    const data = state.hash === undefined ? undefined : folder.journal.contents.get(state.hash);
    return data === undefined || data.byteLength > TEXT_MAX_BYTES ? undefined : decodeUtf8(data);
  };
  return changes
    .filter(({ before, after }) => (before ?? after)?.type !== 'directory' || (after ?? before)?.type !== 'directory')
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
    .map(({ path, before, after }) => {
      const [old, now] = [textOf(before), textOf(after)];
      const type = before === null ? 'created' : after === null ? 'deleted' : 'changed';
      const diff = old === undefined || now === undefined ? undefined : diffOf(old, now);
      return { path, type, diff: diff ?? '' };
    });
}
