'use client';

import { useStore } from 'zustand';
import { useStudio } from '#components/hooks/studio-provider.tsx';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { visibleText } from '#components/ui/visible-text.ts';
import { describeFileProblem } from './file-problem.ts';

/** The most paths that are listed. */
const NAMED_MAX = 50;

/** Says why a zip could not be made, or which of its names not every system allows. */
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
          <ul className="mt-2 max-h-40 overflow-y-auto font-mono text-[13px] text-muted">
            {notice.paths.slice(0, NAMED_MAX).map((path) => (
              <li key={path} className="truncate">
                {visibleText(path)}
              </li>
            ))}
          </ul>
          {notice.paths.length > NAMED_MAX ? (
            <p className="text-muted">{t.files.moreFiles(notice.paths.length - NAMED_MAX)}</p>
          ) : null}
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
