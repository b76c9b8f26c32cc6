'use client';

import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { EditorPane } from '#components/editor/editor-pane.tsx';
import { useMessages } from '#components/i18n/i18n.tsx';
import { ErrorBoundary } from '#components/ui/error-boundary.tsx';
import { lazyView } from '#components/ui/lazy-view.tsx';
import { whenIdle } from './when-idle.ts';

const ConsoleView = lazyView(() => import('#components/console/console-view.tsx'));
const FilePane = lazyView(() => import('#components/files/file-pane.tsx'));
const PreviewView = lazyView(() => import('#components/preview/preview-view.tsx'));

/** The panes next to the files. */
export type SidePane = 'editor' | 'preview' | 'console';

/** The editor, the preview, and the console. Inactive ones are hidden, not unmounted, so that they keep their state. */
export function SidePanes({ side, onSide }: { side: SidePane; onSide(side: SidePane): void }) {
  const t = useMessages();
  return (
    <div className="flex h-full flex-col">
      <div role="tablist" aria-label={t.panes.beside} className="flex h-8 shrink-0 border-line border-b">
        {(['editor', 'preview', 'console'] as const).map((id) => (
          <button
            key={id}
            type="button"
            role="tab"
            aria-selected={side === id}
            onClick={() => onSide(id)}
            className={`px-3 text-sm ${side === id ? 'border-accent border-b-2' : 'text-muted'}`}
          >
            {t.panes[id]}
          </button>
        ))}
      </div>
      <div className="relative min-h-0 flex-1">
        <Pane shown={side === 'editor'}>
          <EditorPane />
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

/** Content that is loaded when it is first shown. */
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

/** The file pane. Its code is loaded when the browser is idle, or as soon as the pane is needed. */
export function Files() {
  const t = useMessages();
  const [isWanted, setWanted] = useState(false);
  useEffect(() => whenIdle(() => setWanted(true)), []);
  const want = () => setWanted(true);
  return (
    <section aria-label={t.panes.files} onPointerEnter={want} onFocus={want} className="h-full">
      {isWanted ? (
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

/** A pane that keeps running while hidden: a page that is not rendered at all would freeze. */
export function LivePane({ shown, children }: { shown: boolean; children: ReactNode }) {
  return (
    <div inert={!shown} className={shown ? 'h-full' : 'pointer-events-none absolute inset-0 -z-10 opacity-0'}>
      {children}
    </div>
  );
}
