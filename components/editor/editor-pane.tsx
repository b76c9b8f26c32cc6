'use client';

import { X } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useStore } from 'zustand';
import { useMessages } from '#components/i18n/i18n.tsx';
import { Button, IconButton } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { ErrorBoundary } from '#components/ui/error-boundary.tsx';
import { lazyView } from '#components/ui/lazy-view.tsx';
import { Spinner } from '#components/ui/spinner.tsx';
import { basename } from '#lib/vfs/paths.ts';
import { closeTab, type OpenFile, openFiles, openTab } from './open-files.ts';

const EditorView = lazyView(() => import('./editor-view.tsx'));

/** The open files as tabs, and the editor, which is loaded with the first of them. */
export function EditorPane() {
  const t = useMessages();
  const { files, activePath } = useStore(openFiles);
  const [closing, setClosing] = useState<string>();
  const close = (path: string) => {
    if (files.some((file) => file.path === path && file.isStuck)) setClosing(path);
    else closeTab(path);
  };
  return (
    <section aria-label={t.panes.editor} className="flex h-full min-h-0 min-w-0 flex-col">
      <Tabs files={files} activePath={activePath} onClose={close} />
      <div className="min-h-0 flex-1">
        {activePath === undefined ? (
          <p className="p-6 text-center text-muted text-sm">{t.editor.none}</p>
        ) : (
          <ErrorBoundary resetKey={activePath}>
            <Suspense
              fallback={
                <p role="status" className="flex items-center justify-center gap-2 p-6 text-muted text-sm">
                  <Spinner />
                  {t.editor.loading}
                </p>
              }
            >
              <EditorView path={activePath} onClose={() => close(activePath)} />
            </Suspense>
          </ErrorBoundary>
        )}
      </div>
      {closing === undefined ? null : <DiscardDialog path={closing} onClose={() => setClosing(undefined)} />}
    </section>
  );
}

/** Edits that the workspace could not take are dropped only when the person says so. */
function DiscardDialog({ path, onClose }: { path: string; onClose(): void }) {
  const t = useMessages();
  const discard = () => {
    onClose();
    closeTab(path);
  };
  return (
    <Dialog open onOpenChange={onClose} title={t.editor.discardTitle(basename(path))}>
      <p className="text-sm">{t.editor.discardDetail}</p>
      <div className="mt-4 flex justify-end gap-2">
        <Button data-initial-focus onClick={onClose}>
          {t.common.cancel}
        </Button>
        <Button variant="danger" onClick={discard}>
          {t.editor.discard}
        </Button>
      </div>
    </Dialog>
  );
}

interface TabsProps {
  files: readonly OpenFile[];
  activePath: string | undefined;
  onClose(path: string): void;
}

const scrollIntoView = (tab: HTMLElement | null) => tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' });

function Tabs({ files, activePath, onClose }: TabsProps) {
  const t = useMessages();
  if (files.length === 0) return <div className="h-9 shrink-0 border-line border-b" />;
  return (
    <nav aria-label={t.editor.tabs} className="flex h-9 shrink-0 overflow-x-auto border-line border-b">
      {files.map(({ path, isDirty }) => (
        <div
          key={path}
          ref={path === activePath ? scrollIntoView : null}
          className={`flex shrink-0 items-center border-line border-r ${path === activePath ? 'bg-surface' : 'bg-sunken'}`}
        >
          <button
            type="button"
            title={path}
            aria-current={path === activePath ? 'true' : undefined}
            onClick={() => openTab(path)}
            className={`h-full pl-3 text-sm ${path === activePath ? '' : 'text-muted'}`}
          >
            {basename(path)}
            {isDirty ? (
              <>
                <span aria-hidden className="ml-1 text-accent">
                  ●
                </span>
                <span className="sr-only"> ({t.editor.unsaved})</span>
              </>
            ) : null}
          </button>
          <IconButton label={t.editor.closeTab(basename(path))} className="size-7" onClick={() => onClose(path)}>
            <X aria-hidden size={13} />
          </IconButton>
        </div>
      ))}
    </nav>
  );
}
