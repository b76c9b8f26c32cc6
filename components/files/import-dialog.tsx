'use client';

import { useStore } from 'zustand';
import { useStudio } from '#components/hooks/studio-provider.tsx';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Spinner } from '#components/ui/spinner.tsx';
import { visibleText } from '#components/ui/visible-text.ts';
import type { Importing } from '#studio/imports.ts';
import { describeFileProblem } from './file-problem.ts';
import { PathList } from './path-list.tsx';

/**
 * Shows the progress and outcome of an import, and asks what to do if files already exist. Renders nothing while there is
 * no import.
 */
export function ImportDialog() {
  const t = useAllMessages();
  const { imports } = useStudio();
  const importing = useStore(imports.state, (state) => state.importing);
  const close = () => imports.close();
  if (importing === undefined) return null;
  return (
    <Dialog open onOpenChange={close} title={t.files.importTitle}>
      {importing.type === 'failed' ? (
        <p role="alert" className="text-failed text-sm">
          {describeFileProblem(importing.error, t)}
        </p>
      ) : null}
      {importing.type === 'reading' ? (
        <p role="status" className="flex items-center gap-2 text-sm">
          <Spinner />
          {t.files.importing}
        </p>
      ) : null}
      {importing.type === 'asking' ? (
        <>
          <p className="text-sm">{t.files.importExisting(importing.read.existing.length, importing.read.files.size)}</p>
          <PathList paths={importing.read.existing} />
        </>
      ) : null}
      {importing.type === 'partly' ? <Outcome {...importing} /> : null}
      <div className="mt-4 flex justify-end gap-2">
        <Button data-initial-focus onClick={close}>
          {importing.type === 'failed' || importing.type === 'partly' ? t.common.close : t.common.cancel}
        </Button>
        {importing.type === 'asking' ? (
          <>
            <Button onClick={() => importing.finish('skip')}>{t.files.importSkip}</Button>
            <Button variant="danger" onClick={() => importing.finish('replace')}>
              {t.files.importReplace}
            </Button>
          </>
        ) : null}
      </div>
    </Dialog>
  );
}

/** The maximum number of failed entries that are listed by name. */
const NAMED_MAX = 50;

/** Says how many files were imported, and lists those that failed and why. */
function Outcome({ count, failed, systemFiles }: Extract<Importing, { type: 'partly' }>) {
  const t = useAllMessages();
  return (
    <div role="status" className="text-sm">
      <p>{t.files.imported(count)}</p>
      {failed.length === 0 ? null : (
        <>
          <p className="mt-2 text-failed">{t.files.notImported(failed.length)}</p>
          <ul className="mt-1 max-h-40 overflow-y-auto">
            {failed.slice(0, NAMED_MAX).map(({ name, problem }) => (
              <li key={name} className="flex gap-2">
                <span className="min-w-0 truncate font-mono text-[13px]">{visibleText(name)}</span>
                <span className="shrink-0 text-muted">{t.files.importProblems[problem]}</span>
              </li>
            ))}
          </ul>
          {failed.length > NAMED_MAX ? (
            <p className="text-muted">{t.files.moreFiles(failed.length - NAMED_MAX)}</p>
          ) : null}
        </>
      )}
      {systemFiles === 0 ? null : <p className="mt-2 text-muted">{t.files.systemFiles(systemFiles)}</p>}
    </div>
  );
}
