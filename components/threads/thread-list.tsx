'use client';

import { Ellipsis, MessageCircleQuestion, Pencil, Plus, Search, Settings, Trash2 } from 'lucide-react';
import { type MouseEvent, Suspense, useState } from 'react';
import { useStudio, useThreads } from '#components/hooks/studio-provider.tsx';
import { useWorkbench } from '#components/hooks/workbench.ts';
import type { Messages } from '#components/i18n/catalog.ts';
import { useMessages } from '#components/i18n/i18n.tsx';
import { BackupReminder } from '#components/settings/backup-reminder.tsx';
import { Button, IconButton } from '#components/ui/button.tsx';
import { ErrorBoundary } from '#components/ui/error-boundary.tsx';
import { catchFocus } from '#components/ui/focus.ts';
import { lazyView } from '#components/ui/lazy-view.tsx';
import { Menu } from '#components/ui/menu.tsx';
import { Spinner } from '#components/ui/spinner.tsx';
import type { Thread } from '#lib/threads/thread.ts';
import { threadUrl } from '#studio/page/navigation.ts';

const FoundMessages = lazyView(() => import('./found-messages.tsx'));
const Dialogs = lazyView(() => import('./thread-dialogs.tsx'));

/** All threads, newest first, and a button for a new one. */
export function ThreadList() {
  const t = useMessages();
  const { newThread, openSettings } = useWorkbench();
  const threads = useThreads((state) => state.threads);
  const [query, setQuery] = useState('');
  const [renaming, setRenaming] = useState<Thread>();
  const [deleting, setDeleting] = useState<{ thread: Thread; files: number }>();
  const wanted = query.trim().toLowerCase();
  const found = threads.filter(({ title }) => title.toLowerCase().includes(wanted));
  return (
    <div className="flex h-full min-h-0 flex-col bg-sunken">
      <div className="flex flex-col gap-2 p-2">
        <Button onClick={() => newThread()} className="w-full">
          <Plus aria-hidden size={15} />
          {t.threads.newThread}
        </Button>
        <label className="flex h-8 items-center gap-2 rounded-md border border-line bg-surface px-2 focus-within:border-accent">
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
      <nav aria-label={t.panes.threads} className="min-h-0 flex-1 overflow-y-auto px-2">
        {found.length === 0 ? (
          wanted === '' ? (
            <p className="p-2 text-muted text-sm">{t.threads.noThreads}</p>
          ) : null
        ) : (
          groupByDay(found, t).map(({ day, entries }) => (
            <section key={day}>
              <h2 className="px-2 pt-3 pb-1 font-semibold text-muted text-xs">{day}</h2>
              <ul>
                {entries.map((thread) => (
                  <ThreadEntry
                    key={thread.id}
                    thread={thread}
                    onRename={() => setRenaming(thread)}
                    onAskDelete={(files) => setDeleting({ thread, files })}
                  />
                ))}
              </ul>
            </section>
          ))
        )}
        {wanted === '' || threads.length === 0 ? null : (
          <ErrorBoundary resetKey={wanted}>
            <Suspense>
              <FoundMessages query={query.trim()} threads={threads} />
            </Suspense>
          </ErrorBoundary>
        )}
      </nav>
      <UndoDelete />
      <BackupReminder />
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
        {renaming === undefined ? null : (
          <Dialogs type="rename" thread={renaming} onClose={() => setRenaming(undefined)} />
        )}
        {deleting === undefined ? null : <Dialogs type="delete" {...deleting} onClose={() => setDeleting(undefined)} />}
      </Suspense>
    </div>
  );
}

function ThreadEntry({ thread, onRename, onAskDelete }: ThreadEntryProps) {
  const t = useMessages();
  const { threads, workspaces } = useStudio();
  const { openThread } = useWorkbench();
  const isOpen = useThreads((state) => state.selectedId === thread.id);
  const title = thread.title || t.threads.untitled;
  const onDelete = async () => {
    const files = threads.hasFilesOfItsOwn(thread) ? await workspaces.countFiles(thread.workspaceId) : undefined;
    if (files === undefined) await threads.delete(thread.id, { deletesWorkspace: false });
    else if (files === 0) await threads.delete(thread.id, { deletesWorkspace: true });
    else return onAskDelete(files);
    catchFocus();
  };
  const onClick = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    openThread(thread.id);
  };
  return (
    <li
      className={`group/thread relative flex items-center rounded-md pr-1 focus-within:pr-8 hover:pr-8 pointer-coarse:pr-8 ${isOpen ? 'bg-active' : 'hover:bg-hover'}`}
    >
      <a
        href={threadUrl(thread.id)}
        aria-current={isOpen ? 'page' : undefined}
        onClick={onClick}
        className="flex h-8 min-w-0 flex-1 items-center rounded-md px-2 text-sm"
      >
        <span className="truncate">{title}</span>
      </a>
      <ActivityMark thread={thread} />
      <Menu
        trigger={
          <IconButton
            label={t.threads.options(title)}
            size="small"
            className="absolute right-0.5 opacity-0 focus-visible:opacity-100 group-hover/thread:opacity-100 data-[state=open]:opacity-100 pointer-coarse:opacity-100"
          >
            <Ellipsis aria-hidden size={14} />
          </IconButton>
        }
        entries={[
          { label: t.common.rename, icon: <Pencil aria-hidden size={14} />, onSelect: onRename },
          {
            label: t.common.delete,
            icon: <Trash2 aria-hidden size={14} />,
            danger: true,
            onSelect: () => void onDelete(),
          },
        ]}
      />
    </li>
  );
}

interface ThreadEntryProps {
  thread: Thread;
  onRename(): void;
  /** Asks what to do with the thread's files; `files` is their number. */
  onAskDelete(files: number): void;
}

function ActivityMark({ thread }: { thread: Thread }) {
  const t = useMessages();
  if (thread.activity === 'settled') return null;
  const words = t.threads.activity[thread.activity];
  return (
    <span title={words} className={`mr-1 ${thread.activity === 'asking' ? 'text-waiting' : 'text-running'}`}>
      {thread.activity === 'asking' ? <MessageCircleQuestion aria-hidden size={15} /> : <Spinner size={13} />}
      <span className="sr-only">{words}</span>
    </span>
  );
}

function UndoDelete() {
  const t = useMessages();
  const { threads } = useStudio();
  const deleted = useThreads((state) => state.justDeleted);
  return (
    <div role="status" className="px-2 empty:hidden">
      {deleted === undefined ? null : (
        <p className="mb-2 flex items-center gap-2 rounded-md border border-line bg-raised px-2 py-1 text-sm">
          <span className="min-w-0 flex-1 truncate">{t.threads.deleted(deleted.title || t.threads.untitled)}</span>
          <Button onClick={() => void threads.undoDelete()}>{t.common.undo}</Button>
        </p>
      )}
    </div>
  );
}

function groupByDay(threads: readonly Thread[], t: Messages): { day: string; entries: Thread[] }[] {
  const midnight = new Date().setHours(0, 0, 0, 0);
  const dayOf = (time: number): string =>
    time >= midnight ? t.threads.today : time >= midnight - 86_400_000 ? t.threads.yesterday : t.threads.earlier;
  const groups: { day: string; entries: Thread[] }[] = [];
  for (const thread of threads) {
    const day = dayOf(thread.updatedAt);
    const last = groups.at(-1);
    if (last?.day === day) last.entries.push(thread);
    else groups.push({ day, entries: [thread] });
  }
  return groups;
}
