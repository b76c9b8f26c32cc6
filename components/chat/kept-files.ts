import { DraftFiles } from '#lib/threads/draft-files.ts';

let opened: Promise<DraftFiles> | undefined;
let last: Promise<unknown> = Promise.resolve();

/** Uses the files of this tab's drafts after what was done with them before. Rejects with IndexedDB's errors. */
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

/** Keeps these files of a thread's draft, and no others, for the page that follows in this tab. */
export const keepFiles = (threadId: string, files: readonly File[]): Promise<void> =>
  withFiles((kept) => kept.set(threadId, files));

/** Gives back what the page before has kept and, if `fromClosed`, what tabs have that were closed. */
export async function takeFiles(
  fromClosed: boolean,
  attach: (threadId: string, files: readonly File[]) => Promise<void> | void,
): Promise<void> {
  const all = await withFiles(async (kept) => {
    if (fromClosed) await kept.adopt();
    return kept.all();
  });
  for (const [threadId, files] of all) await attach(threadId, files);
}

/** Ends what is under way, as the end of the page does, so that another page of this tab can take the files. */
export async function closeKept(): Promise<void> {
  await last;
  const closing = opened;
  opened = undefined;
  // One that could not be opened has nothing to close.
  (await closing?.catch(() => undefined))?.close();
}
