import { DraftFiles } from '#lib/threads/draft-files.ts';

let opened: Promise<DraftFiles> | undefined;
let last: Promise<unknown> = Promise.resolve();

/** Runs `use` on the stored draft files of this tab, after all earlier uses. Rejects with the errors of IndexedDB. */
function withFiles<T>(use: (files: DraftFiles) => Promise<T>): Promise<T> {
  opened ??= DraftFiles.open({
    onClosed: () => {
      opened = undefined;
    },
  });
  const current = opened;
  const done = last.then(async () => use(await current));
  // Its caller gets the error; the next use goes on.
  last = done.catch(() => undefined);
  return done;
}

/**
 * Stores the files of a thread's draft, which is a message that is not sent yet, in place of those stored before, so that
 * this tab has them again after a reload.
 */
export const keepFiles = (threadId: string, files: readonly File[]): Promise<void> =>
  withFiles((kept) => kept.set(threadId, files));

/**
 * Passes the stored files of drafts to `attach`, thread by thread: those that this tab had before it was reloaded and, if
 * `fromClosed`, those of tabs that were closed.
 */
export async function restoreDraftFiles(
  fromClosed: boolean,
  attach: (threadId: string, files: readonly File[]) => Promise<void> | void,
): Promise<void> {
  const all = await withFiles(async (kept) => {
    if (fromClosed) await kept.adopt();
    return kept.all();
  });
  for (const [threadId, files] of all) await attach(threadId, files);
}

/**
 * Waits for all uses of the stored draft files and closes their database, as the end of the page does, so that the next
 * page of this tab can take the files.
 */
export async function closeKeptFiles(): Promise<void> {
  await last;
  const closing = opened;
  opened = undefined;
  // One that could not be opened has nothing to close.
  (await closing?.catch(() => undefined))?.close();
}
