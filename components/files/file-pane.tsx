'use client';

import { FilePlus, FolderPlus, FolderTree, History, Search } from 'lucide-react';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { useStudio, useWorkspace, useWorkspaces } from '#components/hooks/studio-provider.tsx';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { Button, IconButton } from '#components/ui/button.tsx';
import { ErrorBoundary } from '#components/ui/error-boundary.tsx';
import { lazyView } from '#components/ui/lazy-view.tsx';
import { Spinner } from '#components/ui/spinner.tsx';
import { visibleText } from '#components/ui/visible-text.ts';
import type { PaneView } from '#studio/file-pane.ts';
import type { OpenedWorkspace } from '#studio/opened-workspace.ts';
import { followWorkspace } from '#studio/workspace-tree.ts';
import { type FileAction, FileActionDialog } from './file-actions.tsx';
import { FileTree } from './file-tree.tsx';
import { FolderBar } from './folder-bar.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { WorkspaceMenu } from './workspace-menu.tsx';
import { ZipDialog } from './zip-dialog.tsx';

const SearchView = lazyView(() => import('./search-view.tsx'));
const TimelineView = lazyView(() => import('./timeline-view.tsx'));

/** The pane with the open thread's workspace: its files, the file search, and the history. */
export default function FilePane() {
  const t = useAllMessages();
  const workspace = useWorkspace();
  const { filePane, tree } = useStudio();
  const view = useStore(filePane.state, (state) => state.view);
  useEffect(() => (workspace === undefined ? undefined : followWorkspace(tree, workspace)), [tree, workspace]);
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex h-11 shrink-0 items-center border-line border-b px-1">
        <WorkspaceMenu />
      </div>
      <div className="flex min-h-9 shrink-0 flex-wrap items-center px-1">
        <ViewSwitch view="tree" current={view} icon={<FolderTree aria-hidden size={15} />} />
        <ViewSwitch view="search" current={view} icon={<Search aria-hidden size={15} />} />
        <ViewSwitch view="timeline" current={view} icon={<History aria-hidden size={15} />} />
        <span className="flex-1" />
        {view === 'tree' && workspace !== undefined ? <NewEntries workspace={workspace} /> : null}
      </div>
      {workspace === undefined ? null : <FolderBar workspace={workspace} />}
      {workspace === undefined ? (
        <NotOpen />
      ) : (
        <ErrorBoundary resetKey={view}>
          <Suspense fallback={<Opening text={t.common.loading} />}>
            {view === 'tree' ? <FileTree key={workspace.id} workspace={workspace} /> : null}
            {view === 'search' ? <SearchView key={workspace.id} workspace={workspace} /> : null}
            {view === 'timeline' ? <TimelineView key={workspace.id} workspace={workspace} /> : null}
          </Suspense>
        </ErrorBoundary>
      )}
      <ImportDialog />
      <ZipDialog />
    </div>
  );
}

function NewEntries({ workspace }: { workspace: OpenedWorkspace }) {
  const t = useAllMessages();
  const [action, setAction] = useState<FileAction>();
  return (
    <div className="flex">
      <IconButton label={t.files.newFile} onClick={() => setAction({ type: 'new-file', directory: '/' })}>
        <FilePlus aria-hidden size={15} />
      </IconButton>
      <IconButton label={t.files.newFolder} onClick={() => setAction({ type: 'new-folder', directory: '/' })}>
        <FolderPlus aria-hidden size={15} />
      </IconButton>
      {action === undefined ? null : (
        <FileActionDialog workspace={workspace} action={action} onClose={() => setAction(undefined)} />
      )}
    </div>
  );
}

function ViewSwitch({ view, current, icon }: { view: PaneView; current: PaneView; icon: ReactNode }) {
  const t = useAllMessages();
  const { filePane } = useStudio();
  return (
    <IconButton
      label={t.files.views[view]}
      aria-pressed={view === current}
      tone={view === current ? 'accent' : 'muted'}
      onClick={() => filePane.show(view)}
    >
      {icon}
    </IconButton>
  );
}

function NotOpen() {
  const t = useAllMessages();
  const { workspaces } = useStudio();
  const problem = useWorkspaces((state) => state.problem);
  const waitsFor = useWorkspaces((state) => state.waitsFor);
  if (problem === undefined) {
    const text = waitsFor && t.files.waitsFor(waitsFor.titles.map(visibleText), waitsFor.isOlder);
    return <Opening text={text ?? t.files.opening} />;
  }
  return (
    <div role="alert" className="p-3 text-sm">
      <p>{t.files.notOpened}</p>
      <p className="mt-1 break-words font-mono text-muted text-xs">{problem}</p>
      <Button className="mt-2" onClick={() => void workspaces.retry()}>
        {t.common.retry}
      </Button>
    </div>
  );
}

function Opening({ text }: { text: string }) {
  return (
    <p role="status" className="flex items-center gap-2 p-3 text-muted text-sm">
      <Spinner />
      {text}
    </p>
  );
}
