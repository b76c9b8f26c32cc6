import type { AllMessages } from '#components/i18n/catalog.ts';
import { timelineTexts } from '#components/i18n/timeline-texts.ts';
import { FileSystemError } from '#lib/vfs/errors.ts';

/** The maximum number of paths that are named as preventing an undo. */
const NAMED_PATHS = 5;

/** Returns a text for the user that says why changes of files could not be undone. */
export function undoProblem(error: unknown, t: AllMessages): string {
  const texts = t.timeline ?? timelineTexts;
  if (error instanceof FileSystemError && error.code === 'ESTALE') {
    const named = t.controls.listed(error.paths.slice(0, NAMED_PATHS));
    const others = error.paths.length - NAMED_PATHS;
    return texts.changedSince(others > 0 ? `${named} ${t.moves.more(others)}` : named);
  }
  if (error instanceof FileSystemError && error.code === 'EINVAL') return texts.gone;
  return error instanceof Error ? error.message : String(error);
}
