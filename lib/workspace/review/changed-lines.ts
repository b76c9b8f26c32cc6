import type { ChangedAmount } from '#lib/tools/core/tool-call.ts';
import { TEXT_MAX_BYTES } from '#lib/tools/files/text-limit.ts';
import type { PathChange } from '#lib/vfs/file-changes.ts';
import type { WorkspaceHistory } from '#lib/vfs/history.ts';
import { decodeUtf8 } from '#lib/vfs/text.ts';
import { countLines, hunksBetween } from './hunks.ts';

/** The maximum number of files whose lines are counted. */
const COUNTED_FILES_MAX = 1_000;

/**
 * Counts the changed files, and the lines that were added and removed in them. Files with the same text as before do not count.
 * Lines are counted only in the first `COUNTED_FILES_MAX` files, and not in binary or very large ones.
 */
export async function countChanges(
  changes: readonly PathChange[],
  history: Pick<WorkspaceHistory, 'read'>,
): Promise<ChangedAmount> {
  const files = changes.filter(({ before, after }) => (after ?? before)?.type === 'file');
  const counted = { files: files.length, added: 0, removed: 0 };
  for (const { path, before, after } of files.slice(0, COUNTED_FILES_MAX)) {
    const [old, now] = await Promise.all([textOf(before, path, history), textOf(after, path, history)]);
    if (old === undefined || now === undefined) continue;
    // It was written again as it was.
    if (old === now && before !== undefined && after !== undefined) counted.files--;
    const { added, removed } = countLines(hunksBetween(old, now));
    counted.added += added;
    counted.removed += removed;
  }
  return counted;
}

/** The text of a file in this state; empty if there was no file, undefined if it is no text or too long. */
async function textOf(
  state: PathChange['before'],
  path: string,
  history: Pick<WorkspaceHistory, 'read'>,
): Promise<string | undefined> {
  if (state === undefined) return '';
  if (state.type !== 'file' || state.size > TEXT_MAX_BYTES) return undefined;
  return decodeUtf8(await history.read(state, path));
}
