'use client';

import { Redo2, Undo2 } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { useKeptState } from '#components/hooks/kept-state.ts';
import { useStudio, useWorkspace } from '#components/hooks/studio-provider.tsx';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { useChangeTexts } from '#components/i18n/use-change-texts.ts';
import { Button } from '#components/ui/button.tsx';
import type { Version } from '#lib/vfs/file-system.ts';
import { countChanges } from '#lib/workspace/review/changed-lines.ts';
import CallChanges from './call-changes.tsx';
import { LineCounts } from './file-change.tsx';
import { undoProblem } from './undo-problem.ts';
import { useChanges } from './use-changes.ts';

interface TurnChangesProps {
  /** The name under which it is kept whether the changes are open or undone. */
  name: string;
  /** The ids of the turn's calls that have changed files. */
  calls: readonly string[];
}

/** Shows all changes to files in a turn together, to be looked at and undone. `calls`: the ids of the calls that made them. */
export default function TurnChanges({ name, calls }: TurnChangesProps) {
  const t = useAllMessages();
  const texts = useChangeTexts();
  const detailsId = useId();
  const { edits } = useStudio();
  const workspace = useWorkspace();
  const changes = useChanges(workspace?.history, calls);
  const [isOpen, setOpen] = useKeptState(`changes/${name}`, false);
  /** The commit that undid the changes; null if nothing was left to undo, undefined unless they are undone. */
  const [undone, setUndone] = useKeptState<Version | null | undefined>(`undone/${name}`, undefined);
  const [problem, setProblem] = useState<string>();
  const [counts, setCounts] = useState<{ added: number; removed: number }>();
  useEffect(() => {
    let isCurrent = true;
    if (changes !== undefined && workspace !== undefined)
      countChanges(changes, workspace.history).then(
        (counted) => {
          if (isCurrent) setCounts(counted);
        },
        // If contents cannot be read, no numbers of lines are shown.
        () => undefined,
      );
    return () => {
      isCurrent = false;
    };
  }, [changes, workspace]);
  if (workspace === undefined || changes === undefined || changes.length === 0) return null;
  const attempt = async (work: () => Promise<void>) => {
    setProblem(undefined);
    try {
      await edits.saveUnder(workspace.id, '/');
      await work();
    } catch (error) {
      setProblem(undoProblem(error, t));
    }
  };
  const undo = () =>
    attempt(async () => setUndone((await workspace.history.undoCalls({ type: 'person' }, calls)) ?? null));
  const redo = (commit: Version) =>
    attempt(async () => {
      await workspace.history.undo({ type: 'person' }, [commit]);
      setUndone(undefined);
    });
  return (
    // biome-ignore lint/a11y/useSemanticElements: a bar with its details, not a set of form fields
    <div role="group" aria-label={texts.turn} data-unsearched="" className="my-block rounded-md bg-sunken text-sm">
      <div className="flex flex-wrap items-center gap-2 py-1 pr-1 pl-3">
        <span>{texts.filesChanged(changes.length)}</span>
        {counts === undefined ? null : <LineCounts {...counts} />}
        <span className="flex-1" />
        {undone === undefined ? null : <span role="status">{texts.undone}</span>}
        <Button variant="ghost" aria-expanded={isOpen} aria-controls={detailsId} onClick={() => setOpen(!isOpen)}>
          {texts.look}
        </Button>
        {undone === undefined ? (
          <Button variant="ghost" onClick={() => void undo()}>
            <Undo2 aria-hidden size={14} />
            {texts.undo}
          </Button>
        ) : undone === null ? null : (
          <Button variant="ghost" onClick={() => void redo(undone)}>
            <Redo2 aria-hidden size={14} />
            {texts.redo}
          </Button>
        )}
      </div>
      {problem === undefined ? null : (
        <p role="alert" className="px-3 pb-2 text-failed">
          {problem}
        </p>
      )}
      <div id={detailsId} hidden={!isOpen} className="px-3 pb-1">
        {isOpen ? <CallChanges calls={calls} /> : null}
      </div>
    </div>
  );
}
