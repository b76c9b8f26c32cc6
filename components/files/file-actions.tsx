'use client';

import { type FormEvent, useState } from 'react';
import { useStudio } from '#components/hooks/studio-provider.tsx';
import { useWorkbench } from '#components/hooks/workbench.ts';
import type { AllMessages } from '#components/i18n/catalog.ts';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { FieldProblem, PathField } from '#components/ui/path-field.tsx';
import { visibleText } from '#components/ui/visible-text.ts';
import { FileSystemError } from '#lib/vfs/errors.ts';
import { basename, dirname, joinPath, resolvePath } from '#lib/vfs/paths.ts';
import { deletePaths, type Editing, movePath } from '#studio/editing/entry-actions.ts';
import type { OpenedWorkspace } from '#studio/opened-workspace.ts';
import { describeFileProblem } from './file-problem.ts';

/** An action on files or folders of the workspace that the user has started. */
export type FileAction =
  | { type: 'new-file' | 'new-folder'; directory: string }
  | { type: 'rename'; path: string }
  | { type: 'delete'; paths: readonly string[]; isDirectory: boolean };

interface FileActionDialogProps {
  workspace: OpenedWorkspace;
  action: FileAction;
  onClose(): void;
}

/**
 * A dialog that asks for the path that an action needs, or for confirmation of a deletion, then performs the action, and
 * opens the file if it is a new one. If the action fails, the dialog says why.
 */
export function FileActionDialog({ workspace, action, onClose }: FileActionDialogProps) {
  const t = useAllMessages();
  const { openFile } = useWorkbench();
  const { edits, tabs } = useStudio();
  const [path, setPath] = useState(initialPath(action));
  const [problem, setProblem] = useState<string>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    try {
      if (action.type === 'new-file' && path.endsWith('/')) throw new FileSystemError('EISDIR', path);
      const typed = action.type === 'delete' ? '/' : resolvePath(path);
      // White space around a name can't be seen. A name that was there before stays as it is.
      const isOld = basename(typed) === basename(initialPath(action));
      const name = isOld ? basename(typed) : basename(typed).trim();
      if (typed !== '/' && name === '') throw new Error(t.files.noName);
      const target = typed === '/' ? typed : joinPath(dirname(typed), name);
      await perform({ edits, tabs }, workspace, action, target);
      onClose();
      if (action.type === 'new-file') openFile(target, 'here');
    } catch (error) {
      setProblem(describeFileProblem(error, t));
    }
  };
  const title =
    action.type === 'delete'
      ? deleteTitle(action.paths, t)
      : action.type === 'rename'
        ? t.files.moveTitle
        : action.type === 'new-file'
          ? t.files.newFile
          : t.files.newFolder;
  return (
    <Dialog open onOpenChange={onClose} title={title}>
      <form onSubmit={(event) => void submit(event)}>
        {action.type === 'delete' ? (
          <>
            <DeleteDetail paths={action.paths} isDirectory={action.isDirectory} />
            {problem === undefined ? null : <FieldProblem>{problem}</FieldProblem>}
          </>
        ) : (
          <PathField label={t.files.pathLabel} path={path} onChange={setPath} problem={problem} />
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

/** The number of entries to be deleted that are listed by name. */
const NAMED_ENTRIES = 10;

function DeleteDetail({ paths, isDirectory }: { paths: readonly string[]; isDirectory: boolean }) {
  const t = useAllMessages();
  if (paths.length === 1) return <p className="text-sm">{isDirectory ? t.files.deleteFolder : t.files.deleteFile}</p>;
  return (
    <>
      <p className="text-sm">{t.files.deleteSeveralDetail}</p>
      <ul className="mt-2 font-mono text-[13px] text-muted">
        {paths.slice(0, NAMED_ENTRIES).map((path) => (
          <li key={path} className="truncate">
            {visibleText(path)}
          </li>
        ))}
        {paths.length > NAMED_ENTRIES ? <li>{t.moves.more(paths.length - NAMED_ENTRIES)}</li> : null}
      </ul>
    </>
  );
}

function deleteTitle([first = '', ...others]: readonly string[], t: AllMessages): string {
  return others.length === 0 ? t.files.deleteTitle(basename(first)) : t.files.deleteSeveralTitle(others.length + 1);
}

function initialPath(action: FileAction): string {
  if (action.type === 'delete') return '';
  return 'directory' in action ? joinPath(action.directory, '') : action.path;
}

async function perform(
  editing: Editing,
  workspace: OpenedWorkspace,
  action: FileAction,
  target: string,
): Promise<void> {
  if (action.type === 'rename') return movePath(editing, workspace, action.path, target);
  if (action.type === 'delete') return deletePaths(workspace, action.paths);
  await workspace.fileSystem.transaction({ type: 'person' }, async (tx) => {
    if (action.type === 'new-folder') tx.mkdir(target);
    else tx.writeFile(target, new Uint8Array(), { ifVersion: 0 });
  });
}
