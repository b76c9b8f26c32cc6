import { useCallback, useState } from 'react';
import type { Messages } from '#components/i18n/en.ts';
import { useMessages } from '#components/i18n/i18n.tsx';
import { ArchiveError } from '#lib/archive/archive-error.ts';
import { FileSystemError } from '#lib/vfs/errors.ts';

/** Why something could not be done to the files, in the person's words. */
export function describeFileProblem(error: unknown, t: Messages): string {
  if (error instanceof ArchiveError) return t.files.refused(error.message);
  const reason = error instanceof FileSystemError ? t.files.reasons[error.code] : undefined;
  return t.files.failed(reason ?? (error instanceof Error ? error.message : String(error)));
}

/** What went wrong with the last thing that was attempted, until the next one. */
export function useFileProblem(): { text: string | undefined; attempt(work: () => Promise<void>): void } {
  const t = useMessages();
  const [text, setText] = useState<string>();
  const attempt = useCallback(
    (work: () => Promise<void>) => {
      setText(undefined);
      work().catch((error: unknown) => setText(describeFileProblem(error, t)));
    },
    [t],
  );
  return { text, attempt };
}
