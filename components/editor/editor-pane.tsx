'use client';

import { X } from 'lucide-react';
import { Suspense } from 'react';
import { useStore } from 'zustand';
import { useMessages } from '#components/i18n/i18n.tsx';
import { IconButton } from '#components/ui/button.tsx';
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
  return (
    <section aria-label={t.panes.editor} className="flex h-full min-h-0 min-w-0 flex-col">
      <Tabs files={files} activePath={activePath} />
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
              <EditorView path={activePath} />
            </Suspense>
          </ErrorBoundary>
        )}
      </div>
    </section>
  );
}

function Tabs({ files, activePath }: { files: readonly OpenFile[]; activePath: string | undefined }) {
  const t = useMessages();
  if (files.length === 0) return <div className="h-9 shrink-0 border-line border-b" />;
  return (
    <nav aria-label={t.editor.tabs} className="flex h-9 shrink-0 overflow-x-auto border-line border-b">
      {files.map(({ path, isDirty }) => (
        <div
          key={path}
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
          <IconButton label={t.editor.closeTab(basename(path))} className="size-7" onClick={() => closeTab(path)}>
            <X aria-hidden size={13} />
          </IconButton>
        </div>
      ))}
    </nav>
  );
}
