'use client';

import { FolderTree } from 'lucide-react';
import { type ReactNode, Suspense, useState } from 'react';
import { useTabsOfWorkspace } from '#components/hooks/studio-provider.tsx';
import { useWasIdle } from '#components/hooks/when-idle.ts';
import { useWorkbench } from '#components/hooks/workbench.ts';
import { useMessages } from '#components/i18n/i18n.tsx';
import { IconButton } from '#components/ui/button.tsx';
import { ErrorBoundary } from '#components/ui/error-boundary.tsx';
import { lazyView } from '#components/ui/lazy-view.tsx';

const ConsoleView = lazyView(() => import('#components/console/console-view.tsx'));
const EditorPane = lazyView(() => import('#components/editor/editor-pane.tsx'));
const FilePane = lazyView(() => import('#components/files/file-pane.tsx'));
const PreviewView = lazyView(() => import('#components/preview/preview-view.tsx'));

/**
 * The name of a pane that can be shown next to the tree of files. Unless the window is narrow, tabs choose one of these panes.
 */
export type SidePane = 'editor' | 'preview' | 'console';

interface SidePanesProps {
  side: SidePane;
  onSide(side: SidePane): void;
  isTreeShown: boolean;
}

/** The editor, the preview, and the console. Inactive ones are hidden, not unmounted, so that they keep their state. */
export function SidePanes({ side, onSide, isTreeShown }: SidePanesProps) {
  const t = useMessages();
  const { toggleTree } = useWorkbench();
  return (
    <div className="flex h-full flex-col">
      <div className="flex h-11 shrink-0 items-center gap-1 border-line border-b px-2">
        <IconButton
          label={isTreeShown ? t.panes.hideTree : t.panes.showTree}
          onClick={toggleTree}
          tone={isTreeShown ? 'accent' : 'muted'}
        >
          <FolderTree aria-hidden size={16} />
        </IconButton>
        <div role="tablist" aria-label={t.panes.beside} className="flex h-full">
          {(['editor', 'preview', 'console'] as const).map((id) => (
            <button
              key={id}
              type="button"
              role="tab"
              aria-selected={side === id}
              onClick={() => onSide(id)}
              className={`h-full border-b-2 px-3 pt-0.5 text-sm ${side === id ? 'border-accent font-medium' : 'border-transparent text-muted hover:text-text'}`}
            >
              {t.panes[id]}
            </button>
          ))}
        </div>
      </div>
      <div className="relative min-h-0 flex-1">
        <Pane shown={side === 'editor'}>
          <Editor />
        </Pane>
        <LivePane shown={side === 'preview'}>
          <PreviewPane shown={side === 'preview'} />
        </LivePane>
        <Pane shown={side === 'console'}>
          <Console shown={side === 'console'} />
        </Pane>
      </div>
    </div>
  );
}

/** The editor. Its code is loaded when a file is open, or when the browser is idle. */
export function Editor() {
  const hasFiles = useTabsOfWorkspace();
  const wasIdle = useWasIdle();
  return hasFiles || wasIdle ? (
    <ErrorBoundary>
      <Suspense>
        <EditorPane />
      </Suspense>
    </ErrorBoundary>
  ) : null;
}

export function Console({ shown }: { shown: boolean }) {
  const t = useMessages();
  return (
    <FirstShown label={t.panes.console} shown={shown}>
      <ConsoleView />
    </FirstShown>
  );
}

export function PreviewPane({ shown }: { shown: boolean }) {
  const t = useMessages();
  return (
    <FirstShown label={t.panes.preview} shown={shown}>
      <PreviewView shown={shown} />
    </FirstShown>
  );
}

/** Renders its children from when it is first shown, so that their code is loaded then. */
function FirstShown({ label, shown, children }: { label: string; shown: boolean; children: ReactNode }) {
  const [wasShown, setShown] = useState(shown);
  if (shown && !wasShown) setShown(true);
  return (
    <section aria-label={label} className="h-full">
      {wasShown ? (
        <ErrorBoundary>
          <Suspense>{children}</Suspense>
        </ErrorBoundary>
      ) : null}
    </section>
  );
}

/**
 * The file pane. Its code is loaded when the browser is idle, or earlier if the pointer or the focus moves into the pane, which
 * is empty until then.
 */
export function Files() {
  const t = useMessages();
  const wasIdle = useWasIdle();
  const [isNeeded, setNeeded] = useState(false);
  const want = () => setNeeded(true);
  return (
    <section aria-label={t.panes.files} onPointerEnter={want} onFocus={want} className="h-full">
      {wasIdle || isNeeded ? (
        <ErrorBoundary>
          <Suspense>
            <FilePane />
          </Suspense>
        </ErrorBoundary>
      ) : null}
    </section>
  );
}

/** A pane that keeps its state while hidden. */
export function Pane({ shown, children }: { shown: boolean; children: ReactNode }) {
  return (
    <div hidden={!shown} className="h-full">
      {children}
    </div>
  );
}

/**
 * A pane whose content keeps running while hidden. It is made transparent and not removed from the layout, because browsers
 * freeze a page in a frame that is not rendered.
 */
export function LivePane({ shown, children }: { shown: boolean; children: ReactNode }) {
  return (
    <div inert={!shown} className={shown ? 'h-full' : 'pointer-events-none absolute inset-0 -z-10 opacity-0'}>
      {children}
    </div>
  );
}
