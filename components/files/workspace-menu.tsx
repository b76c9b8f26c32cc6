'use client';

import { ChevronDown, Download, FolderSync, FolderUp, MessageSquarePlus, Pencil, Trash2, Upload } from 'lucide-react';
import { useState } from 'react';
import { useStudio, useThreads, useWorkspace, useWorkspaces } from '#components/hooks/studio-provider.tsx';
import { useWorkbench } from '#components/hooks/workbench.ts';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Menu } from '#components/ui/menu.tsx';
import { NameDialog } from '#components/ui/name-dialog.tsx';
import { isTemporary } from '#lib/threads/temporary.ts';
import { downloadZip } from '#studio/download-zip.ts';
import type { OpenedWorkspace } from '#studio/opened-workspace.ts';
import { workspaceName } from '#studio/workspace-name.ts';
import { chooseFiles } from './choose-files.ts';

/** The shown workspace's name, and the commands for the whole workspace. */
export function WorkspaceMenu() {
  const t = useAllMessages();
  const workspace = useWorkspace();
  const { workspaces, imports, filePane } = useStudio();
  const { newThread } = useWorkbench();
  const list = useWorkspaces((state) => state.list);
  const allThreads = useThreads((state) => state.threads);
  const [renaming, setRenaming] = useState(false);
  const [joining, setJoining] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const draftId = useWorkspaces((state) => state.draftId);
  if (workspace === undefined) return <span className="flex-1" />;
  const name = workspaceName(workspace.id, list, allThreads) ?? t.workspaces.unnamed;
  // A workspace that threads use is deleted with its last thread.
  const isUsed = workspace.id === draftId || allThreads.some(({ workspaceId }) => workspaceId === workspace.id);
  return (
    <span className="flex min-w-0 flex-1">
      <Menu
        align="start"
        trigger={
          <button
            type="button"
            aria-label={t.workspaces.options(name)}
            className="flex h-7 min-w-0 items-center gap-1 rounded-md px-2 text-sm hover:bg-hover"
          >
            <span dir="auto" className="truncate">
              {name}
            </span>
            <ChevronDown aria-hidden size={13} className="shrink-0 text-muted" />
          </button>
        }
        entries={[
          {
            label: t.files.newThread,
            icon: <MessageSquarePlus aria-hidden size={14} />,
            onSelect: () => newThread(workspace.id),
          },
          // A temporary workspace has no name of its own.
          ...(isTemporary(workspace.id)
            ? []
            : [
                {
                  label: t.files.renameWorkspace,
                  icon: <Pencil aria-hidden size={14} />,
                  onSelect: () => setRenaming(true),
                },
              ]),
          {
            label: t.files.importFiles,
            icon: <Upload aria-hidden size={14} />,
            onSelect: () => chooseFiles(imports, workspace, '/', 'files'),
          },
          {
            label: t.files.importFolder,
            icon: <FolderUp aria-hidden size={14} />,
            onSelect: () => chooseFiles(imports, workspace, '/', 'folder'),
          },
          ...('showDirectoryPicker' in window
            ? [
                {
                  label: t.files.joinFolder,
                  icon: <FolderSync aria-hidden size={14} />,
                  onSelect: () => setJoining(true),
                },
              ]
            : []),
          {
            label: t.files.exportZip,
            icon: <Download aria-hidden size={14} />,
            onSelect: () => void downloadZip(filePane, workspace, '/', `${name}.zip`),
          },
          ...(isUsed
            ? []
            : [
                {
                  label: t.files.deleteWorkspace,
                  icon: <Trash2 aria-hidden size={14} />,
                  danger: true,
                  onSelect: () => setDeleting(true),
                },
              ]),
        ]}
      />
      {deleting ? <DeleteDialog id={workspace.id} name={name} onClose={() => setDeleting(false)} /> : null}
      {joining ? <JoinFolderDialog workspace={workspace} onClose={() => setJoining(false)} /> : null}
      {renaming ? (
        <NameDialog
          title={t.files.renameWorkspace}
          label={t.files.workspaceName}
          name={name}
          maxLength={100}
          onRename={(text) => void workspaces.rename(workspace.id, text)}
          onClose={() => setRenaming(false)}
        />
      ) : null}
    </span>
  );
}

function DeleteDialog({ id, name, onClose }: { id: string; name: string; onClose(): void }) {
  const t = useAllMessages();
  const { threads, workspaces } = useStudio();
  const remove = async () => {
    onClose();
    await threads.continueIn(null);
    await workspaces.remove(id);
  };
  return (
    <Dialog open onOpenChange={onClose} title={t.files.deleteTitle(name)} description={t.files.deleteDetail}>
      <div className="flex justify-end gap-2">
        <Button data-initial-focus onClick={onClose}>
          {t.common.cancel}
        </Button>
        <Button variant="danger" onClick={() => void remove()}>
          {t.common.delete}
        </Button>
      </div>
    </Dialog>
  );
}

interface DirectoryPicker {
  showDirectoryPicker(options: { mode: 'readwrite' }): Promise<FileSystemDirectoryHandle>;
}

/** Explains what connecting a folder does, before the browser asks for one. */
function JoinFolderDialog({ workspace, onClose }: { workspace: OpenedWorkspace; onClose(): void }) {
  const t = useAllMessages();
  const { workspaces } = useStudio();
  const join = async () => {
    onClose();
    const picker = window as unknown as DirectoryPicker;
    // It rejects if the person cancels, or the browser refuses the folder, which it then explains itself.
    const handle = await picker.showDirectoryPicker({ mode: 'readwrite' }).catch(() => undefined);
    if (handle !== undefined) await workspaces.joinFolder(workspace, handle);
  };
  return (
    <Dialog open onOpenChange={onClose} title={t.folder.joinTitle} description={t.folder.joinDetail}>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{t.common.cancel}</Button>
        <Button variant="primary" data-initial-focus onClick={() => void join()}>
          {t.folder.join}
        </Button>
      </div>
    </Dialog>
  );
}
