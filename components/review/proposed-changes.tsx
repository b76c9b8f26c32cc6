'use client';

import { useEffect } from 'react';
import { useChangeTexts } from '#components/i18n/use-change-texts.ts';
import { Spinner } from '#components/ui/spinner.tsx';
import type { ThreadSession } from '#lib/threads/thread-session.ts';
import { textOrBytes } from '#lib/vfs/text.ts';
import { FileChange } from './file-change.tsx';
import { useCallReview } from './use-call-review.ts';

/** How many files are shown. */
const SHOWN_FILES = 20;

interface ProposedChangesProps {
  session: ThreadSession;
  toolCallId: string;
  /** Told whether a file has changed since the model read it. */
  onStale(isStale: boolean): void;
}

/** What a call that waits for the user would change, file by file. */
export default function ProposedChanges({ session, toolCallId, onStale }: ProposedChangesProps) {
  const t = useChangeTexts();
  const { state } = useCallReview(session, toolCallId);
  const { files, isStale, problem } = state;
  useEffect(() => onStale(isStale), [isStale, onStale]);
  if (files === undefined) return <Spinner />;
  return (
    <>
      {problem === undefined ? null : (
        <p className="my-2 break-words text-failed">{t.fails(problem.split('\n', 1)[0] ?? '')}</p>
      )}
      {isStale ? <p className="my-2">{t.isStale}</p> : null}
      {problem === undefined && files.length === 0 ? <p className="my-2 text-muted">{t.nothing}</p> : null}
      {files.slice(0, SHOWN_FILES).map(({ path, proposed: { before, after } }) => (
        <FileChange key={path} path={path} before={textOrBytes(before)} after={textOrBytes(after)} />
      ))}
      {files.length > SHOWN_FILES ? <p className="text-muted">{t.moreFiles(files.length - SHOWN_FILES)}</p> : null}
    </>
  );
}
