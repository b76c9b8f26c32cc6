'use client';

import { useStore } from 'zustand';
import {
  useMovedFiles,
  useSession,
  useStudio,
  useThreads,
  useWorkspace,
  useWorkspaces,
} from '#components/hooks/studio-provider.tsx';
import { useWorkbench } from '#components/hooks/workbench.ts';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { ProjectNotice } from '#components/project/project-notice.tsx';
import { Button } from '#components/ui/button.tsx';
import { visibleText } from '#components/ui/visible-text.ts';

/** Shows the notices above the message box that are rarely needed, for instance that another tab acts for the thread. */
export default function PaneNotices() {
  return (
    <>
      <BlockingTabsNotice />
      <MirrorNotice />
      <ProjectNotice />
      <MovedFiles />
      <EditsBeside />
    </>
  );
}

/** Shown while the workspace cannot be opened because another tab still uses its database. */
function BlockingTabsNotice() {
  const t = useAllMessages();
  const waitsFor = useWorkspaces((state) => state.waitsFor);
  if (waitsFor === undefined) return null;
  return (
    <p role="status" className="mb-2 break-words rounded-md bg-waiting-soft px-3 py-2 text-sm">
      {t.files.waitsFor(waitsFor.titles.map(visibleText), waitsFor.isOlder)}
    </p>
  );
}

/** Shown while another tab acts for the open thread. Offers to continue in this tab. */
function MirrorNotice() {
  const t = useAllMessages();
  const session = useThreads((state) => state.session);
  const isMirror = useSession(session, ({ role }) => role === 'mirror') ?? false;
  if (!isMirror || session === undefined) return null;
  return (
    <div role="status" className="mb-2 flex items-center gap-3 rounded-md bg-accent-soft px-3 py-2 text-sm">
      <span className="flex-1">{t.mirror.notice}</span>
      <Button onClick={() => void session.continueHere()}>{t.mirror.continueHere}</Button>
    </div>
  );
}

/** Shows, until the user dismisses it, what happened to the files when they last went back to an earlier state. */
function MovedFiles() {
  const t = useAllMessages();
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

/**
 * Shows, for each file of the shown workspace that could not take edits, the new file that has them, until the user
 * dismisses it.
 */
function EditsBeside() {
  const t = useAllMessages();
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
