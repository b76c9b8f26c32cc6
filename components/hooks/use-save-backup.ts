import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { saveBackup } from '#studio/save-backup.ts';
import { useStudio } from './studio-provider.tsx';
import { useWorkbench } from './workbench.ts';

/** The reason why the last backup was not saved, which the settings show. */
const failure = createStore<{ reason: string | undefined }>(() => ({ reason: undefined }));

/** The reason why the last backup was not saved; undefined if it was, or if none was tried. */
export const useBackupFailure = (): string | undefined => useStore(failure, ({ reason }) => reason);

/** Returns a function that saves a backup. If that fails, it opens the settings, which say why. */
export function useSaveBackup(): () => void {
  const studio = useStudio();
  const { openSettings } = useWorkbench();
  return () => {
    failure.setState({ reason: undefined });
    saveBackup(studio).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      // The period is removed because the text that contains the reason has its own.
      failure.setState({ reason: reason.replace(/\.$/, '') });
      openSettings('data');
    });
  };
}
