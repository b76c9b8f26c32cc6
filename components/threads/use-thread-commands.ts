import { useStudio } from '#components/hooks/studio-provider.tsx';
import { useThreadTexts } from '#components/i18n/use-thread-texts.ts';
import { focusComposerIfNoFocus } from '#components/ui/focus.ts';
import { isTemporary } from '#lib/threads/temporary.ts';
import type { Thread } from '#lib/threads/thread.ts';
import { type Arrangement, arrangeThreads } from '#studio/arrange-threads.ts';
import { exportThreads } from '#studio/export-threads.ts';
import { download } from '#studio/page/download.ts';
import { workspacesOnlyOf } from '#studio/workspaces-only-of.ts';
import { useListActions } from './list-actions.ts';

/** The commands for one or more threads, in a thread's menu and in the bar of the selection. */
interface ThreadCommands {
  arrange(threads: readonly Thread[], arrangement: Arrangement): Promise<void>;
  /** Offers a file with the threads as a download. Says in the list if that fails. */
  exportAll(threads: readonly Thread[]): void;
  /** Deletes threads. If there are files that no other thread uses, asks first what to do with them. */
  remove(threads: readonly Thread[]): Promise<void>;
}

const idsOf = (threads: readonly Thread[]): string[] => threads.map(({ id }) => id);

/**
 * Returns the commands that arrange (such as pin or archive), export, and delete threads of the list. Deleting asks first if
 * there are files that no other thread uses.
 */
export function useThreadCommands(): ThreadCommands {
  const studio = useStudio();
  const texts = useThreadTexts();
  const { ask, noteArchived, report } = useListActions();
  const { store, threads: list, workspaces } = studio;
  return {
    async arrange(threads, arrangement) {
      await arrangeThreads(store, idsOf(threads), arrangement);
      if (arrangement === 'archive') noteArchived(threads);
    },
    exportAll(threads) {
      report(undefined);
      exportThreads(studio, threads).then(
        ({ blob, name }) => download(blob, name),
        (error: unknown) => report(texts.exportFailed(error instanceof Error ? error.message : String(error))),
      );
    },
    async remove(threads) {
      const ids = idsOf(threads);
      // The files of a temporary thread are always deleted with it.
      const own = workspacesOnlyOf(list.state.getState().threads, new Set(ids)).filter((id) => !isTemporary(id));
      const [workspaceId, ...others] = own;
      const isOne = workspaceId !== undefined && others.length === 0 && threads.length === 1;
      const files = isOne ? await workspaces.countFiles(workspaceId) : own.length;
      if (files !== undefined && files > 0) return ask({ type: 'delete', threads, files });
      // A workspace that cannot be read is kept.
      await list.delete(ids, { deletesWorkspace: files === 0 && isOne });
      focusComposerIfNoFocus();
    },
  };
}
