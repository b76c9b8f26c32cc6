'use client';

import { X } from 'lucide-react';
import { Suspense, useCallback, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { useStudio, useWorkspace } from '#components/hooks/studio-provider.tsx';
import { useWasIdle } from '#components/hooks/when-idle.ts';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { IconButton } from '#components/ui/button.tsx';
import { ErrorBoundary } from '#components/ui/error-boundary.tsx';
import { lazyView } from '#components/ui/lazy-view.tsx';
import { Spinner } from '#components/ui/spinner.tsx';
import { visibleText } from '#components/ui/visible-text.ts';
import { basename } from '#lib/vfs/paths.ts';
import type { OpenFile } from '#studio/editing/editor-tabs.ts';
import { withEditorTexts } from './editor-texts.ts';

const LiveView = lazyView(() => import('./live-view.tsx'));
const ReviewView = lazyView(() => withEditorTexts(() => import('./review-view.tsx')));
const DiscardDialog = lazyView(() => import('./discard-dialog.tsx'));
const NoFile = lazyView(() => import('./no-file.tsx'));
const EditorView = lazyView(() => withEditorTexts(() => import('./editor-view.tsx')));

/** The open files as tabs, and the editor, which is loaded with the first file. */
export default function EditorPane() {
  const t = useAllMessages();
  const workspace = useWorkspace();
  const wasIdle = useWasIdle();
  const { files, activeId } = useTabs(workspace?.id);
  const active = files.find(({ id }) => id === activeId);
  const [closing, setClosing] = useState<OpenFile>();
  const { tabs } = useStudio();
  const close = useCallback(
    (file: OpenFile) => {
      if (file.isStuck) setClosing(file);
      else tabs.close(file.id);
    },
    [tabs],
  );
  const closeActive = useCallback(() => {
    if (active !== undefined) close(active);
  }, [active, close]);
  useEffect(() => {
    const keepKeyboard = () => tabs.keepKeyboard();
    addEventListener('pointerdown', keepKeyboard, true);
    addEventListener('keydown', keepKeyboard, true);
    return () => {
      removeEventListener('pointerdown', keepKeyboard, true);
      removeEventListener('keydown', keepKeyboard, true);
    };
  }, [tabs]);
  return (
    <section translate="no" aria-label={t.panes.editor} className="flex h-full min-h-0 min-w-0 flex-col">
      <Tabs files={files} activeId={activeId} onClose={close} />
      <div data-own-focus className="min-h-0 flex-1">
        {active === undefined || workspace === undefined ? (
          <Suspense>{wasIdle ? <NoFile /> : null}</Suspense>
        ) : active.view.type === 'live' ? (
          <Suspense>
            <LiveView path={active.path} toolCallId={active.view.toolCallId} onClose={closeActive} />
          </Suspense>
        ) : (
          <ErrorBoundary resetKey={active.id}>
            <Suspense
              fallback={
                <p role="status" className="flex items-center justify-center gap-2 p-6 text-muted text-sm">
                  <Spinner />
                  {t.editor.loading}
                </p>
              }
            >
              {active.view.type === 'review' ? (
                <ReviewView path={active.path} toolCallId={active.view.toolCallId} onClose={closeActive} />
              ) : (
                <EditorView key={active.view.type} workspace={workspace} file={active} onClose={closeActive} />
              )}
            </Suspense>
          </ErrorBoundary>
        )}
      </div>
      <Suspense>
        {closing === undefined ? null : <DiscardDialog file={closing} onClose={() => setClosing(undefined)} />}
      </Suspense>
    </section>
  );
}

const NO_FILES: readonly OpenFile[] = [];

/** Returns the open files and the active one of a workspace; no files unless it is the one whose tabs are shown. */
function useTabs(workspaceId: string | undefined) {
  const { tabs } = useStudio();
  const { files, activeId, workspaceId: shown } = useStore(tabs.state);
  return workspaceId !== undefined && shown === workspaceId
    ? { files, activeId }
    : { files: NO_FILES, activeId: undefined };
}

interface TabsProps {
  files: readonly OpenFile[];
  activeId: string | undefined;
  onClose(file: OpenFile): void;
}

const scrollIntoView = (tab: HTMLElement | null) => tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' });

function Tabs({ files, activeId, onClose }: TabsProps) {
  const t = useAllMessages();
  const { tabs } = useStudio();
  if (files.length === 0) return null;
  return (
    <nav aria-label={t.editor.tabs} className="flex min-h-9 shrink-0 overflow-x-auto border-line border-b">
      {files.map((file) => {
        const { id, path, view, isDirty } = file;
        const isActive = id === activeId;
        const name = visibleText(basename(path));
        const title = view.type === 'file' ? name : t.editor.viewTitles[view.type](name);
        return (
          <div
            key={id}
            ref={isActive ? scrollIntoView : null}
            className={`flex shrink-0 items-center border-line border-r ${isActive ? 'bg-surface' : 'bg-sunken'}`}
          >
            <button
              type="button"
              title={path}
              aria-current={isActive ? 'true' : undefined}
              onClick={() => tabs.show(id)}
              onAuxClick={({ button }) => button === 1 && onClose(file)}
              className={`h-full pl-3 text-sm ${isActive ? '' : 'text-muted'} ${view.type === 'file' ? '' : 'italic'}`}
            >
              {title}
              {isDirty ? (
                <>
                  <span aria-hidden className="ml-1 text-accent">
                    ●
                  </span>
                  <span className="sr-only"> ({t.editor.unsaved})</span>
                </>
              ) : null}
            </button>
            <IconButton label={t.editor.closeTab(title)} size="small" onClick={() => onClose(file)}>
              <X aria-hidden size={13} />
            </IconButton>
          </div>
        );
      })}
    </nav>
  );
}
