'use client';

import { type FormEvent, useEffect, useState } from 'react';
import { useWorkbench } from '#components/hooks/workbench.ts';
import { fileReason } from '#components/i18n/file-reason.ts';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { useMarkdownTexts } from '#components/i18n/use-markdown-texts.ts';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { PathField } from '#components/ui/path-field.tsx';
import { FileSystemError } from '#lib/vfs/errors.ts';
import { resolvePath } from '#lib/vfs/paths.ts';
import type { OpenedWorkspace } from '#studio/opened-workspace.ts';

interface SaveCodeDialogProps {
  code: string;
  /** The file name that is suggested. */
  name: string;
  workspace: OpenedWorkspace;
  onClose(): void;
}

/**
 * Asks for a path (at first a free one with the file name `name`), writes code to a new file there, and opens it. An
 * existing file stays as it is.
 */
export default function SaveCodeDialog({ code, name, workspace: { fileSystem }, onClose }: SaveCodeDialogProps) {
  const t = useAllMessages();
  const texts = useMarkdownTexts();
  const { openFile } = useWorkbench();
  const [path, setPath] = useState<string>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    let isCurrent = true;
    // Nothing was typed before it is known which names are free.
    void freeName(fileSystem, name).then((free) => isCurrent && setPath(`/${free}`));
    return () => {
      isCurrent = false;
    };
  }, [fileSystem, name]);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const typed = path?.trim() ?? '';
    try {
      if (typed === '' || typed.endsWith('/')) throw new FileSystemError('EISDIR', typed);
      const target = resolvePath(typed);
      const text = code.endsWith('\n') ? code : `${code}\n`;
      await fileSystem.transaction({ type: 'person' }, async (tx) =>
        // Only a new file.
        tx.writeFile(target, new TextEncoder().encode(text), { ifVersion: 0 }),
      );
      onClose();
      openFile(target, 'here');
    } catch (error) {
      setProblem(error instanceof Error ? t.files.failed(fileReason(error, t), typed) : String(error));
    }
  };
  if (path === undefined) return null;
  return (
    <Dialog open onOpenChange={onClose} title={texts.saveCodeTitle}>
      <form onSubmit={(event) => void save(event)}>
        <PathField label={t.files.pathLabel} path={path} onChange={setPath} problem={problem} />
        <div className="mt-4 flex justify-end gap-2">
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button type="submit" variant="primary">
            {t.common.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Returns a name that nothing at the top of the workspace has, by adding a number to it if it is taken. */
async function freeName(fileSystem: Pick<OpenedWorkspace['fileSystem'], 'readdir'>, name: string): Promise<string> {
  const taken = new Set((await fileSystem.readdir('/').catch(() => [])).map((entry) => entry.name));
  const [, stem = name, extension = ''] = /^(.*?)(\.[^.]*)?$/.exec(name) ?? [];
  for (let n = 2, free = name; ; n++) {
    if (!taken.has(free)) return free;
    free = `${stem}-${n}${extension}`;
  }
}
