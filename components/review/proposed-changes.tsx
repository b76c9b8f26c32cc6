'use client';

import { useEffect } from 'react';
import { useChangeTexts } from '#components/i18n/use-change-texts.ts';
import { Spinner } from '#components/ui/spinner.tsx';
import type { ThreadSession } from '#lib/threads/thread-session.ts';
import { textOrBytes } from '#lib/vfs/text.ts';
import { changeKind, type UncomparedFile } from '#lib/workspace/review/proposal.ts';
import type { ReviewedPath } from '#studio/reviews.ts';
import { FileChange } from './file-change.tsx';
import { UnshownFiles } from './unshown-files.tsx';
import { useCallReview } from './use-call-review.ts';

/** The number of files that are shown. */
const SHOWN_FILES = 20;

interface ProposedChangesProps {
  session: ThreadSession;
  toolCallId: string;
  /** Called with whether a file of the call has changed since the model read it. */
  onStale(isStale: boolean): void;
}

const toUnshown = ({ path, proposed }: ReviewedPath): UncomparedFile => ({ path, change: changeKind(proposed) });

/**
 * Shows the changes that a call would make, file by file, while it waits for the user. `onStale`: called with whether they
 * also contain changes that were made since the model read the file.
 */
export default function ProposedChanges({ session, toolCallId, onStale }: ProposedChangesProps) {
  const t = useChangeTexts();
  const { state } = useCallReview(session, toolCallId);
  const { files, uncompared, isStale, problem } = state;
  useEffect(() => onStale(isStale), [isStale, onStale]);
  if (files === undefined) return <Spinner />;
  const unshown = [...files.slice(SHOWN_FILES).map(toUnshown), ...uncompared];
  return (
    <>
      {problem === undefined ? null : (
        <p className="my-2 break-words text-failed">{t.fails(problem.split('\n', 1)[0] ?? '')}</p>
      )}
      {isStale ? <p className="my-2">{t.isStale}</p> : null}
      {problem === undefined && files.length + uncompared.length === 0 ? (
        <p className="my-2 text-muted">{t.nothing}</p>
      ) : null}
      {files.slice(0, SHOWN_FILES).map(({ path, proposed: { before, after } }) => (
        <FileChange key={path} path={path} before={textOrBytes(before)} after={textOrBytes(after)} />
      ))}
      <UnshownFiles files={unshown} total={files.length + uncompared.length} note={t.alsoChange(unshown.length)} />
    </>
  );
}
