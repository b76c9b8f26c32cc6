import { useCallback, useState } from 'react';
import type { AllMessages } from '#components/i18n/catalog.ts';
import { fileReason } from '#components/i18n/file-reason.ts';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { visibleText } from '#components/ui/visible-text.ts';
import { ArchiveError, type ArchiveProblem } from '#lib/vfs/archive/archive-error.ts';
import { FileSystemError } from '#lib/vfs/errors.ts';

/** Returns a text for the user that says why a file operation failed. */
export function describeFileProblem(error: unknown, t: AllMessages): string {
  if (error instanceof ArchiveError) return t.files.refused(describeArchiveProblem(error.problem, t));
  if (!(error instanceof FileSystemError))
    return t.files.failed(error instanceof Error ? error.message : String(error), '');
  return t.files.failed(fileReason(error, t), visibleText(error.path));
}

/** Describes what is wrong with an archive, as the reason in a longer message. */
export function describeArchiveProblem(problem: ArchiveProblem, t: AllMessages): string {
  // A path in an archive can contain anything.
  const shown = 'path' in problem ? { ...problem, path: visibleText(problem.path) } : problem;
  return (t.files.archive[problem.type] as (problem: ArchiveProblem) => string)(shown);
}

interface FileProblem {
  text: string | undefined;
  attempt(work: () => Promise<void>): void;
  clear(): void;
}

/**
 * Returns `attempt`, which runs an operation on files, and `text`, which says why the last operation failed; undefined if it
 * did not, or once the next one begins or `clear` is called.
 */
export function useFileProblem(): FileProblem {
  const t = useAllMessages();
  const [text, setText] = useState<string>();
  const attempt = useCallback(
    (work: () => Promise<void>) => {
      setText(undefined);
      work().catch((error: unknown) => setText(describeFileProblem(error, t)));
    },
    [t],
  );
  const clear = useCallback(() => setText(undefined), []);
  return { text, attempt, clear };
}
