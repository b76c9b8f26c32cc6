'use client';

import { type ReactNode, useEffect, useState } from 'react';
import { useStudio, useWorkspace } from '#components/hooks/studio-provider.tsx';
import { useWorkbench } from '#components/hooks/workbench.ts';
import { useChangeTexts } from '#components/i18n/use-change-texts.ts';
import { Button } from '#components/ui/button.tsx';
import { visibleText } from '#components/ui/visible-text.ts';
import type { PathChange } from '#lib/vfs/file-changes.ts';
import type { WorkspaceHistory } from '#lib/vfs/history.ts';
import { textOrBytes } from '#lib/vfs/text.ts';
import { comparedContent } from '#studio/editing/compared-content.ts';
import { FileChange, type FileSides } from './file-change.tsx';
import { useChanges } from './use-changes.ts';

/** The number of files that are shown at first. */
const SHOWN_FILES = 5;

/** The size of the largest file whose content is compared, in bytes. */
const COMPARED_MAX_BYTES = 2_000_000;

interface CallChangesProps {
  calls: readonly string[];
  /** Shown if the history no longer has the changes. */
  fallback?: ReactNode;
}

/**
 * Shows the changes that calls of tools have made to files, file by file. `calls`: the ids of the calls. If the history no
 * longer has the changes, shows `fallback` and a notice.
 */
export default function CallChanges({ calls, fallback = null }: CallChangesProps) {
  const t = useChangeTexts();
  const workspace = useWorkspace();
  const { tabs } = useStudio();
  const { showEditor } = useWorkbench();
  const [shown, setShown] = useState(SHOWN_FILES);
  const changes = useChanges(workspace?.history, calls);
  if (changes === undefined) return null;
  if (changes.length === 0)
    return (
      <>
        {fallback}
        <p className="py-1 text-muted text-sm">{t.gone}</p>
      </>
    );
  const open = ({ path, before, after }: PathChange) => {
    tabs.openDiff(path, { before: comparedContent(before), after: comparedContent(after), label: t.byCall(path) });
    showEditor();
  };
  return (
    <>
      {changes.slice(0, shown).map((change) => (
        <ChangedFile key={change.path} change={change} history={workspace?.history} onOpen={() => open(change)} />
      ))}
      {changes.length > shown ? (
        <Button variant="ghost" onClick={() => setShown(changes.length)}>
          {t.moreFiles(changes.length - shown)}
        </Button>
      ) : null}
    </>
  );
}

interface ChangedFileProps {
  change: PathChange;
  history: WorkspaceHistory | undefined;
  onOpen(): void;
}

function ChangedFile({ change, history, onOpen }: ChangedFileProps) {
  const { path, before, after } = change;
  const t = useChangeTexts();
  const [sides, setSides] = useState<FileSides | 'unreadable'>();
  useEffect(() => {
    let isCurrent = true;
    const read = async (state: PathChange['before']): Promise<FileSides['before']> => {
      if (state?.type !== 'file' || history === undefined) return null;
      if (state.size > COMPARED_MAX_BYTES) return new Uint8Array();
      return textOrBytes(await history.read(state, path));
    };
    Promise.all([read(before), read(after)]).then(
      ([old, now]) => {
        if (isCurrent) setSides({ path, before: old, after: now });
      },
      () => {
        if (isCurrent) setSides('unreadable');
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [history, path, before, after]);
  if (sides === 'unreadable') return <p className="py-1 text-muted text-sm">{t.unreadable(visibleText(path))}</p>;
  return sides && <FileChange {...sides} onOpen={onOpen} />;
}
