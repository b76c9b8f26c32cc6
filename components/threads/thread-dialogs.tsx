'use client';

import { Folder, FolderMinus } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useStudio, useThreadFolders } from '#components/hooks/studio-provider.tsx';
import { useMessages } from '#components/i18n/i18n.tsx';
import { useThreadTexts } from '#components/i18n/use-thread-texts.ts';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Field } from '#components/ui/field.tsx';
import { focusComposerIfNoFocus } from '#components/ui/focus.ts';
import type { Thread } from '#lib/threads/thread.ts';
import { arrangeThreads } from '#studio/arrange-threads.ts';
import { FOLDER_NAME_MAX } from '#studio/thread-folders.ts';
import { type ThreadQuestion, useListActions } from './list-actions.ts';

/**
 * The dialog that asks a question of the list of threads, and acts on the answer: deletes or moves threads, or creates a
 * folder.
 */
export default function ThreadDialog({ question, onClose }: { question: ThreadQuestion; onClose(): void }) {
  switch (question.type) {
    case 'delete':
      return <DeleteDialog {...question} onClose={onClose} />;
    case 'move':
      return <MoveDialog {...question} onClose={onClose} />;
    default:
      return <NewFolderDialog onClose={onClose} />;
  }
}

/** Asks how to delete threads: workspaces that no other thread uses are deleted only if the user chooses so. */
function DeleteDialog({ threads, files, onClose }: { threads: readonly Thread[]; files: number; onClose(): void }) {
  const t = useMessages();
  const texts = useThreadTexts();
  const studio = useStudio();
  const remove = (deletesWorkspace: boolean) => {
    onClose();
    const ids = threads.map(({ id }) => id);
    void studio.threads.delete(ids, { deletesWorkspace }).then(focusComposerIfNoFocus);
  };
  const [first, ...others] = threads;
  const isOne = others.length === 0;
  const title = isOne ? texts.deleteTitle(first?.title || t.threads.untitled) : texts.deleteManyTitle(threads.length);
  return (
    <Dialog open onOpenChange={onClose} title={title}>
      <p className="text-sm">{isOne ? texts.deleteDetail(files) : texts.deleteManyDetail(files)}</p>
      <div className="mt-4 flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{t.common.cancel}</Button>
        <Button data-initial-focus onClick={() => remove(false)}>
          {isOne ? texts.keepFiles : texts.keepManyFiles}
        </Button>
        <Button variant="danger" onClick={() => remove(true)}>
          {isOne ? texts.deleteFiles : texts.deleteManyFiles}
        </Button>
      </div>
    </Dialog>
  );
}

/** Asks where to move threads: to a folder, to a new folder, or out of their folders. */
function MoveDialog({ threads, onClose }: { threads: readonly Thread[]; onClose(): void }) {
  const t = useMessages();
  const texts = useThreadTexts();
  const { store, threadFolders } = useStudio();
  const { clearSelection } = useListActions();
  const folders = useThreadFolders();
  const moveTo = async (folderId: string | undefined) => {
    onClose();
    clearSelection();
    await arrangeThreads(
      store,
      threads.map(({ id }) => id),
      folderId === undefined ? 'release' : { folderId },
    );
    focusComposerIfNoFocus();
  };
  const [first, ...others] = threads;
  const title =
    others.length === 0 ? texts.moveTitle(first?.title || t.threads.untitled) : texts.moveManyTitle(threads.length);
  const buttonClass = 'flex h-9 w-full items-center gap-2 rounded-md px-2 text-left text-sm hover:bg-hover';
  return (
    <Dialog open onOpenChange={onClose} title={title}>
      <ul className="max-h-64 overflow-y-auto">
        <li>
          <button type="button" onClick={() => void moveTo(undefined)} className={buttonClass}>
            <FolderMinus aria-hidden size={15} className="shrink-0 text-muted" />
            {texts.noFolder}
          </button>
        </li>
        {folders.map(({ id, name }) => (
          <li key={id}>
            <button type="button" onClick={() => void moveTo(id)} className={buttonClass}>
              <Folder aria-hidden size={15} className="shrink-0 text-muted" />
              <span className="truncate">{name}</span>
            </button>
          </li>
        ))}
      </ul>
      <NewFolderForm
        action={texts.createAndMove}
        onCreate={(name) => void threadFolders.create(name).then((id) => moveTo(id))}
        onCancel={onClose}
      />
    </Dialog>
  );
}

function NewFolderDialog({ onClose }: { onClose(): void }) {
  const texts = useThreadTexts();
  const { threadFolders } = useStudio();
  return (
    <Dialog open onOpenChange={onClose} title={texts.newFolderTitle}>
      <NewFolderForm
        action={texts.createFolder}
        onCreate={(name) => {
          onClose();
          void threadFolders.create(name);
        }}
        onCancel={onClose}
      />
    </Dialog>
  );
}

interface NewFolderFormProps {
  action: string;
  onCreate(name: string): void;
  onCancel(): void;
}

function NewFolderForm({ action, onCreate, onCancel }: NewFolderFormProps) {
  const t = useMessages();
  const texts = useThreadTexts();
  const [name, setName] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== '') onCreate(name);
  };
  return (
    <form onSubmit={submit} className="mt-2 text-sm">
      <Field
        label={texts.folderName}
        value={name}
        maxLength={FOLDER_NAME_MAX}
        data-initial-focus
        onChange={(event) => setName(event.target.value)}
      />
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={onCancel}>{t.common.cancel}</Button>
        <Button type="submit" variant="primary" disabled={name.trim() === ''}>
          {action}
        </Button>
      </div>
    </form>
  );
}
