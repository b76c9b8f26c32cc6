'use client';

import { useAui } from '@assistant-ui/react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { useMovedFiles, useStudio, useThreads, useWorkspace } from '#components/hooks/studio-provider.tsx';
import { useWorkbench } from '#components/hooks/workbench.ts';
import { useMessages } from '#components/i18n/i18n.tsx';
import { Button } from '#components/ui/button.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { visibleText } from '#components/ui/visible-text.ts';
import type { Problem } from '#lib/messages/message.ts';
import { StorageError } from '#lib/threads/thread-store.ts';
import { FileSystemError } from '#lib/vfs/errors.ts';
import { problemOf } from '#studio/threads.ts';
import { putIntoComposer } from './user-message.ts';

/** Why a message was not sent. The message itself goes back to the composer or editor. */
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

/** Reports storage failures that no other view reports. */
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

/** Why the open thread could not be opened. */
export function UnopenedThread() {
  const t = useMessages();
  const { threads } = useStudio();
  const failed = useThreads((state) => state.failed);
  const selectedId = useThreads((state) => state.selectedId);
  if (failed === undefined) return null;
  return <StorageNotice title={t.errors.notOpened} problem={failed} onRetry={() => void threads.select(selectedId)} />;
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

/** Shows what happened to the files in the last move, until the user dismisses it. */
export function MovedFiles() {
  const t = useMessages();
  const { moveQuestions } = useStudio();
  const moved = useMovedFiles();
  if (moved === undefined) return null;
  return (
    <div role="status" className="mb-2 flex items-center gap-2 rounded-md border border-line bg-sunken p-2 text-sm">
      <span className="flex-1">{t.movedFiles[moved.type]}</span>
      {moved.type === 'moved' ? <Button onClick={() => void moved.undo()}>{t.common.undo}</Button> : null}
      <Button onClick={() => moveQuestions.hideMoved()}>{t.common.close}</Button>
    </div>
  );
}

/** Shows where edits were saved that a file of the shown workspace could not take, until the user dismisses it. */
export function EditsBeside() {
  const t = useMessages();
  const { openFile } = useWorkbench();
  const shown = useWorkspace();
  const { beside } = useStudio().edits;
  const edits = useStore(beside, (state) => state.edits);
  return edits
    .filter(({ workspaceId }) => workspaceId === shown?.id)
    .map((edit) => (
      <div
        key={edit.beside}
        role="status"
        className="mb-2 flex flex-wrap items-center gap-2 rounded-md border border-line bg-waiting-soft p-2 text-sm"
      >
        <span className="min-w-48 flex-1 break-words">
          {t.editor.beside(visibleText(edit.path), visibleText(edit.beside))}
        </span>
        <Button onClick={() => openFile(edit.beside, 'here')}>{t.editor.openCurrent}</Button>
        <Button onClick={() => beside.setState({ edits: edits.filter((other) => other !== edit) })}>
          {t.common.close}
        </Button>
      </div>
    ));
}
