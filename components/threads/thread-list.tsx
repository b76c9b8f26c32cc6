'use client';

import { Plus, Search, Settings } from 'lucide-react';
import { Suspense, useMemo, useRef, useState } from 'react';
import { useThreadFolders, useThreads } from '#components/hooks/studio-provider.tsx';
import { useWorkbench } from '#components/hooks/workbench.ts';
import { useMessages } from '#components/i18n/i18n.tsx';
import { useIsBackupDue } from '#components/settings/use-is-backup-due.ts';
import { Button } from '#components/ui/button.tsx';
import { ErrorBoundary } from '#components/ui/error-boundary.tsx';
import { lazyView, retriedUntilLoaded } from '#components/ui/lazy-view.tsx';
import type { Thread } from '#lib/threads/thread.ts';
import { type ListActions, ListActionsContext, type ThreadQuestion } from './list-actions.ts';
import { OptionsButton } from './options-button.tsx';
import { useThreadSelection } from './use-thread-selection.ts';

const BackupReminder = lazyView(retriedUntilLoaded(() => import('#components/settings/backup-reminder.tsx')));
const BulkBar = lazyView(retriedUntilLoaded(() => import('./bulk-bar.tsx')));
const Dialogs = lazyView(retriedUntilLoaded(() => import('./thread-dialogs.tsx')));
const FoundMessages = lazyView(() => import('./found-messages.tsx'));
const ListMenu = lazyView(retriedUntilLoaded(() => import('./list-menu.tsx')));
const ListNotices = lazyView(retriedUntilLoaded(() => import('./list-notices.tsx')));
// Loaded separately, because a first visit has no threads.
const ThreadGroups = lazyView(retriedUntilLoaded(() => import('./thread-groups.tsx')));

/** The list of threads, with its search, notices, and dialogs, and a button for a new thread. */
export function ThreadList() {
  const t = useMessages();
  const { newThread, openSettings } = useWorkbench();
  const threads = useThreads((state) => state.threads);
  const hasDeleted = useThreads((state) => state.justDeleted.length > 0);
  const [query, setQuery] = useState('');
  const [question, setQuestion] = useState<ThreadQuestion>();
  const [renaming, setRenaming] = useState<string>();
  const [archived, setArchived] = useState<readonly Thread[]>([]);
  const [problem, setProblem] = useState<string>();
  const wanted = query.trim().toLowerCase();
  const isBackupDue = useIsBackupDue();
  const isEmpty = useThreadFolders().length === 0 && threads.length === 0;
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  const visible = useRef<readonly string[]>([]);
  const { selected, toggle, selectTo, clear } = useThreadSelection(visible);
  const actions = useMemo<ListActions>(
    () => ({
      ask: setQuestion,
      rename: setRenaming,
      toggle,
      selectTo,
      clearSelection: clear,
      noteArchived: setArchived,
      report: setProblem,
    }),
    [toggle, selectTo, clear],
  );
  return (
    <ListActionsContext value={actions}>
      <div className="flex h-full min-h-0 flex-col bg-sunken">
        <div className="flex flex-col gap-2 p-2">
          <div className="flex items-center gap-1">
            <Button onClick={() => newThread()} className="min-w-0 flex-1">
              <Plus aria-hidden size={15} />
              {t.threads.newThread}
            </Button>
            <OptionsButton label={t.threads.listMenu} menu={(menu) => <ListMenu {...menu} />} />
          </div>
          <label className="flex min-h-8 items-center gap-2 rounded-md border border-line bg-surface px-2 focus-within:border-accent">
            <Search aria-hidden size={14} className="text-muted" />
            <input
              type="search"
              aria-label={t.threads.search}
              placeholder={t.threads.search}
              value={query}
              onChange={(event) => setQuery(event.target.value)}
              className="min-w-0 flex-1 bg-transparent text-sm outline-none placeholder:text-muted"
            />
          </label>
        </div>
        <nav ref={setScroller} aria-label={t.panes.threads} className="min-h-0 flex-1 overflow-y-auto px-2">
          {isEmpty ? (
            <p className="p-2 text-muted text-sm">{t.threads.noThreads}</p>
          ) : (
            <Suspense>
              <ThreadGroups {...{ wanted, selected, renaming, visible, scroller }} />
            </Suspense>
          )}
          {wanted === '' || threads.length === 0 ? null : (
            <ErrorBoundary resetKey={wanted}>
              <Suspense>
                <FoundMessages query={query.trim()} threads={threads} />
              </Suspense>
            </ErrorBoundary>
          )}
        </nav>
        {problem === undefined ? null : (
          <p role="alert" className="break-words px-3 pb-2 text-failed text-sm">
            {problem}
          </p>
        )}
        <Suspense>
          {selected.size === 0 ? null : <BulkBar threads={threads.filter(({ id }) => selected.has(id))} />}
        </Suspense>
        <div role="status" className="px-2 empty:hidden">
          <Suspense>{archived.length === 0 && !hasDeleted ? null : <ListNotices archived={archived} />}</Suspense>
        </div>
        <Suspense>{isBackupDue ? <BackupReminder /> : null}</Suspense>
        <div className="border-line border-t p-2">
          <button
            type="button"
            onClick={() => openSettings()}
            className="flex h-8 w-full items-center gap-2 rounded-md px-2 text-sm hover:bg-hover"
          >
            <Settings aria-hidden size={15} className="text-muted" />
            {t.settings.open}
          </button>
        </div>
        <Suspense>
          {question === undefined ? null : <Dialogs question={question} onClose={() => setQuestion(undefined)} />}
        </Suspense>
      </div>
    </ListActionsContext>
  );
}
