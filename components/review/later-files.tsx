'use client';

import { useEffect, useState } from 'react';
import { useChangeTexts } from '#components/i18n/use-change-texts.ts';
import { visibleText } from '#components/ui/visible-text.ts';
import type { ThreadSession } from '#lib/threads/thread-session.ts';
import { textOrBytes } from '#lib/vfs/text.ts';
import { countLines, hunksBetween } from '#lib/workspace/review/hunks.ts';
import { changeKind, type ProposedFile } from '#lib/workspace/review/proposal.ts';
import type { PendingReview } from '#studio/pending-reviews.ts';
import { LineCounts } from './file-change.tsx';

/** The number of calls whose changes are computed in advance. Of others, only the paths are shown. */
const COMPARED_MAX = 10;

/**
 * Shows the files of the calls in `later`, which the user reviews after the current one: for the first of these calls, with
 * the changes that they would make now, for the others only the paths.
 */
export function LaterFiles({ session, later }: { session: ThreadSession; later: readonly PendingReview[] }) {
  return later.map((call, index) => (
    <FilesOfCall key={call.toolCallId} session={session} call={call} isCompared={index < COMPARED_MAX} />
  ));
}

interface FilesOfCallProps {
  session: ThreadSession;
  call: PendingReview;
  isCompared: boolean;
}

function FilesOfCall({ session, call: { toolCallId, paths }, isCompared }: FilesOfCallProps) {
  const t = useChangeTexts();
  const [files, setFiles] = useState<readonly ProposedFile[]>([]);
  useEffect(() => {
    if (!isCompared) return;
    const ended = new AbortController();
    // If it rejects, because the changes depend on those of earlier calls, only the paths are shown.
    session.proposal(toolCallId, ended.signal).then(
      (proposal) => {
        if (!ended.signal.aborted) setFiles(proposal.files);
      },
      () => undefined,
    );
    return () => ended.abort();
  }, [session, toolCallId, isCompared]);
  const style = 'flex items-center gap-1.5 px-2 text-[13px] text-muted';
  if (files.length === 0)
    return paths.map((path) => (
      <span key={path} className={style}>
        <span className="break-all font-mono">{visibleText(path)}</span>
      </span>
    ));
  return files.map((file) => {
    const kind = changeKind(file);
    const [before, after] = [textOrBytes(file.before) ?? '', textOrBytes(file.after) ?? ''];
    return (
      <span key={file.path} className={style}>
        <span className="break-all font-mono">{visibleText(file.path)}</span>
        {kind === 'changed' ? null : <span className="text-xs">{t.kinds[kind]}</span>}
        {typeof before === 'string' && typeof after === 'string' ? (
          <span className="text-xs">
            <LineCounts {...countLines(hunksBetween(before, after))} />
          </span>
        ) : null}
      </span>
    );
  });
}
