'use client';

import { useStore } from 'zustand';
import { useStudio } from '#components/hooks/studio-provider.tsx';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { describeFileProblem } from './file-problem.ts';
import { PathList } from './path-list.tsx';

/** Says why a zip of files could not be made, or, once it is made, which of its paths Windows does not allow. */
export function ZipDialog() {
  const t = useAllMessages();
  const { filePane } = useStudio();
  const notice = useStore(filePane.state, (state) => state.zipNotice);
  const close = () => filePane.state.setState({ zipNotice: undefined });
  if (notice === undefined) return null;
  return (
    <Dialog open onOpenChange={close} title={t.files.zipTitle}>
      {notice.type === 'failed' ? (
        <p role="alert" className="text-failed text-sm">
          {describeFileProblem(notice.error, t)}
        </p>
      ) : (
        <div className="text-sm">
          <p>{t.files.unportable(notice.paths.length)}</p>
          <PathList paths={notice.paths} />
        </div>
      )}
      <div className="mt-4 flex justify-end">
        <Button data-initial-focus onClick={close}>
          {t.common.close}
        </Button>
      </div>
    </Dialog>
  );
}
