import { useEffect, useState } from 'react';
import type { PathChange } from '#lib/vfs/file-changes.ts';
import type { WorkspaceHistory } from '#lib/vfs/history.ts';

/**
 * Returns the changes that calls, given by their ids, have made to files, as far as the history has them; undefined until
 * they are read, empty if they cannot be read.
 */
export function useChanges(
  history: WorkspaceHistory | undefined,
  calls: readonly string[],
): readonly PathChange[] | undefined {
  const [changes, setChanges] = useState<readonly PathChange[]>();
  const ids = calls.join('\n');
  useEffect(() => {
    let isCurrent = true;
    const show = (found: readonly PathChange[]) => {
      if (isCurrent) setChanges(found.filter(({ before, after }) => (after ?? before)?.type === 'file'));
    };
    history?.changesBy(ids.split('\n')).then(show, () => show([]));
    return () => {
      isCurrent = false;
    };
  }, [history, ids]);
  return changes;
}
