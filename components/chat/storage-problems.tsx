'use client';

import { useAui } from '@assistant-ui/react';
import { useEffect, useState } from 'react';
import { useStudio, useThreads } from '#components/hooks/studio-provider.tsx';
import { useMessages } from '#components/i18n/i18n.tsx';
import { Button } from '#components/ui/button.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import type { Problem } from '#lib/messages/message.ts';
import { StorageError } from '#lib/threads/thread-store.ts';
import { FileSystemError } from '#lib/vfs/errors.ts';
import { problemOf } from '#studio/problem-of.ts';
import { putIntoComposer } from './user-message.ts';

/**
 * Says that a message was not sent, with the reason unless the user has cancelled, and puts the message back into the
 * message box.
 */
export function UnsentMessage() {
  const t = useMessages();
  const aui = useAui();
  const unsent = useThreads((state) => state.unsent);
  useEffect(() => {
    if (unsent !== undefined) void putIntoComposer(aui.composer, unsent.message);
  }, [aui, unsent]);
  if (unsent === undefined) return null;
  if (unsent.problem === undefined) {
    return (
      <p role="status" className="mb-2 text-muted text-sm">
        {t.composer.heldBack}
      </p>
    );
  }
  return <StorageNotice title={t.composer.unsent} problem={unsent.problem} />;
}

/** Shows failures of the storage that no other view reports: the latest unhandled rejection with such an error. */
export function StorageProblem() {
  const t = useMessages();
  const [problem, setProblem] = useState<Problem>();
  useEffect(() => {
    const onRejection = (event: PromiseRejectionEvent) => {
      const error: unknown = event.reason;
      if (!(error instanceof StorageError || error instanceof FileSystemError)) return;
      event.preventDefault();
      setProblem(problemOf(error));
    };
    addEventListener('unhandledrejection', onRejection);
    return () => removeEventListener('unhandledrejection', onRejection);
  }, []);
  if (problem === undefined) return null;
  return <StorageNotice title={t.errors.notStored} problem={problem} onClose={() => setProblem(undefined)} />;
}

/** Shows why the selected thread could not be opened, and offers to try again unless the thread does not exist. */
export function UnopenedThread() {
  const t = useMessages();
  const { threads } = useStudio();
  const failed = useThreads((state) => state.failed);
  const selectedId = useThreads((state) => state.selectedId);
  if (failed === undefined) return null;
  const select = () => void threads.select(selectedId);
  const action = failed.code === 'no-such-thread' ? { onClose: select } : { onRetry: select };
  return <StorageNotice title={t.errors.notOpened} problem={failed} {...action} />;
}

interface StorageNoticeProps {
  title: string;
  problem: Problem;
  onRetry?(): void;
  onClose?(): void;
}

function StorageNotice({ title, problem: { code, detail }, onRetry, onClose }: StorageNoticeProps) {
  const t = useMessages();
  return (
    <div role="alert" className="mb-2 rounded-md border border-failed/40 bg-failed-soft p-3 text-sm">
      <p className="font-medium">{title}</p>
      <p className="mt-1">{t.errors.codes[code] ?? t.errors.unknown}</p>
      <p className="mt-1 line-clamp-4 break-words font-mono text-xs">{detail}</p>
      <div className="mt-2 flex gap-2">
        {onRetry === undefined ? null : <Button onClick={onRetry}>{t.common.retry}</Button>}
        <CopyButton withText label={t.common.copyDetails} text={() => `${code}: ${detail}`} />
        {onClose === undefined ? null : <Button onClick={onClose}>{t.common.close}</Button>}
      </div>
    </div>
  );
}
