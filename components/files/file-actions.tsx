'use client';

import { type FormEvent, useState } from 'react';
import { moveTabs, saveUnder } from '#components/editor/open-files.ts';
import { useMessages } from '#components/i18n/i18n.tsx';
import { useStudio } from '#components/runtime/studio-provider.tsx';
import { useWorkbench } from '#components/runtime/workbench.ts';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { FileSystemError } from '#lib/vfs/errors.ts';
import type { FileSystem } from '#lib/vfs/file-system.ts';
import { basename, joinPath, resolvePath } from '#lib/vfs/paths.ts';

/** Something the person wants to do to the workspace's entries. */
export type FileAction =
  | { type: 'new-file' | 'new-folder'; directory: string }
  | { type: 'rename'; path: string }
  | { type: 'delete'; path: string; isDirectory: boolean };

/** Asks for what an action needs, does it, and says what went wrong. */
export function FileActionDialog({ action, onClose }: { action: FileAction; onClose(): void }) {
  const t = useMessages();
  const { fileSystem } = useStudio();
  const { openFile } = useWorkbench();
  const [path, setPath] = useState(initialPath(action));
  const [problem, setProblem] = useState<string>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    try {
      if (action.type === 'new-file' && path.endsWith('/')) throw new FileSystemError('EISDIR', path);
      const target = resolvePath(path);
      if (action.type === 'rename') await saveUnder(action.path);
      await perform(fileSystem, action, target);
      if (action.type === 'rename') moveTabs(action.path, target);
      onClose();
      if (action.type === 'new-file') openFile(target);
    } catch (error) {
      const reason = error instanceof FileSystemError ? t.files.reasons[error.code] : undefined;
      setProblem(t.files.failed(reason ?? (error instanceof Error ? error.message : String(error))));
    }
  };
  const title =
    action.type === 'delete'
      ? t.files.deleteTitle(basename(action.path))
      : action.type === 'rename'
        ? t.files.renameTitle
        : action.type === 'new-file'
          ? t.files.newFile
          : t.files.newFolder;
  return (
    <Dialog open onOpenChange={onClose} title={title}>
      <form onSubmit={(event) => void submit(event)}>
        {action.type === 'delete' ? (
          <p className="text-sm">{action.isDirectory ? t.files.deleteFolder : t.files.deleteFile}</p>
        ) : (
          <label className="block text-sm">
            <span className="text-muted">{t.files.pathLabel}</span>
            <input
              value={path}
              onChange={(event) => setPath(event.target.value)}
              data-initial-focus
              className="mt-1 h-9 w-full rounded-md border border-line-strong bg-surface px-2 font-mono text-[13px]"
            />
          </label>
        )}
        {problem === undefined ? null : (
          <p role="alert" className="mt-2 text-failed text-sm">
            {problem}
          </p>
        )}
        <div className="mt-4 flex justify-end gap-2">
          <Button onClick={onClose} {...(action.type === 'delete' ? { 'data-initial-focus': true } : {})}>
            {t.common.cancel}
          </Button>
          <Button type="submit" variant={action.type === 'delete' ? 'danger' : 'primary'}>
            {action.type === 'delete' ? t.common.delete : action.type === 'rename' ? t.common.rename : t.files.create}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function initialPath(action: FileAction): string {
  return 'directory' in action ? joinPath(action.directory, '') : action.path;
}

async function perform(fileSystem: FileSystem, action: FileAction, target: string): Promise<void> {
  await fileSystem.transaction({ type: 'person' }, async (tx) => {
    if ('directory' in action) {
      if (action.type === 'new-folder') tx.mkdir(target);
      else tx.writeFile(target, new Uint8Array(), { ifVersion: 0 });
    } else if (action.type === 'rename') tx.rename(action.path, target);
    else tx.rm(action.path, { recursive: true });
  });
}
