'use client';

import { AppWindow, FolderClosed, MessageSquare, MessagesSquare, PenLine, SquareTerminal } from 'lucide-react';
import { type ReactNode, type RefObject, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import {
  type ImperativePanelHandle,
  Panel,
  PanelGroup,
  type PanelProps,
  PanelResizeHandle,
} from 'react-resizable-panels';
import { preloadToolCalls } from '#components/chat/assistant-message.tsx';
import { ChatPane } from '#components/chat/chat-pane.tsx';
import { EditorPane } from '#components/editor/editor-pane.tsx';
import { useShortcuts } from '#components/hooks/shortcuts.ts';
import { useMoveQuestion, useStorage, useStudio } from '#components/hooks/studio-provider.tsx';
import { type PaletteMode, type Workbench, WorkbenchContext } from '#components/hooks/workbench.ts';
import { useMessages } from '#components/i18n/i18n.tsx';
import { preloadMarkdown } from '#components/markdown/markdown.tsx';
import { beginTypeAhead } from '#components/palette/type-ahead.ts';
import { ThreadList } from '#components/threads/thread-list.tsx';
import { preloadDialog } from '#components/ui/dialog.tsx';
import { ErrorBoundary } from '#components/ui/error-boundary.tsx';
import { COMPOSER_ID, type FocusPlace, focusComposer, focusPlace, returnFocus } from '#components/ui/focus.ts';
import { lazyView } from '#components/ui/lazy-view.tsx';
import { preloadMenu } from '#components/ui/menu.tsx';
import { preloadSelect } from '#components/ui/select.tsx';
import type { PaneView } from '#studio/file-pane.ts';
import { loadSessions } from '#studio/threads.ts';
import { useDocumentTitle } from './use-document-title.ts';
import { useIsNarrow } from './use-is-narrow.ts';

const loadChecks = async () => (await import('#components/editor/check-files.ts')).checkFiles;

const ConsoleView = lazyView(() => import('#components/console/console-view.tsx'));
const FilePane = lazyView(() => import('#components/files/file-pane.tsx'));
const MoveFilesDialog = lazyView(() => import('#components/files/move-files-dialog.tsx'));
const StorageDialog = lazyView(() => import('#components/settings/storage-dialog.tsx'));
const PreviewView = lazyView(() => import('#components/preview/preview-view.tsx'));
const SettingsDialog = lazyView(() => import('#components/settings/settings-dialog.tsx'));
const CommandPalette = lazyView(() => import('#components/palette/command-palette.tsx'));
const ShortcutHelp = lazyView(() => import('#components/palette/shortcut-help.tsx'));

/** The pane next to the files. */
type SidePane = 'editor' | 'preview' | 'console';

type Overlay = { type: 'settings' } | { type: 'palette'; mode: PaletteMode } | { type: 'shortcuts' };
type NarrowPane = 'threads' | 'chat' | 'files' | SidePane;

/** The studio's panes: three side by side, or one at a time if there is not enough room. */
export function StudioLayout() {
  const { threads, previews, tools, workspaces, tabs, filePane, languageServices } = useStudio();
  const isNarrow = useIsNarrow();
  const [overlay, setOverlay] = useState<Overlay>();
  const [pane, setPane] = useState<NarrowPane>('chat');
  const [side, setSide] = useState<SidePane>('editor');
  const threadsPanel = useRef<ImperativePanelHandle>(null);
  const workspacePanel = useRef<ImperativePanelHandle>(null);

  const workbench = useMemo<Workbench>(() => {
    const toggle = (panel: PanelRef) => {
      if (panel.current?.isCollapsed()) panel.current.expand();
      else panel.current?.collapse();
    };
    const showFiles = (view: PaneView) => {
      filePane.show(view);
      setPane('files');
      workspacePanel.current?.expand();
    };
    const showSide = (shown: SidePane) => {
      setSide(shown);
      setPane(shown);
      workspacePanel.current?.expand();
    };
    return {
      openFile(path, place) {
        tabs.open(path, place);
        showSide('editor');
      },
      showEditor: () => showSide('editor'),
      showConsole: () => showSide('console'),
      showPreview: () => showSide('preview'),
      searchFiles: () => showFiles('search'),
      showTimeline: () => showFiles('timeline'),
      openSettings: () => setOverlay({ type: 'settings' }),
      openPalette(mode) {
        beginTypeAhead();
        setOverlay({ type: 'palette', mode });
      },
      openShortcuts: () => setOverlay({ type: 'shortcuts' }),
      newThread(workspaceId) {
        void threads.continueIn(workspaceId ?? null);
        setPane('chat');
      },
      openThread(id) {
        void threads.select(id);
        setPane('chat');
      },
      toggleThreads: () => toggle(threadsPanel),
      toggleWorkspace: () => toggle(workspacePanel),
    };
  }, [threads, tabs, filePane]);
  // If there is room, show the page that a model opens. Otherwise it would replace the chat.
  useEffect(
    () =>
      previews.onReveal((workspaceId) => {
        if (isNarrow || workspaces.state.getState().shown?.id !== workspaceId) return false;
        setSide('preview');
        return true;
      }),
    [previews, workspaces, isNarrow],
  );
  useShortcuts(workbench);
  useDocumentTitle();
  useEffect(() => tabs.restore(), [tabs]);
  useEffect(() => languageServices.provide(loadChecks), [languageServices]);
  useEffect(
    () =>
      whenIdle(
        () =>
          void Promise.all([
            preloadToolCalls(),
            tools.catalogue(),
            loadSessions(),
            preloadMenu(),
            preloadSelect(),
            preloadDialog(),
            preloadMarkdown(),
            preloadHighlighter(),
            SettingsDialog.preload(),
            CommandPalette.preload(),
            MoveFilesDialog.preload(),
          ]),
      ),
    [tools],
  );
  const closeOverlay = () => setOverlay(undefined);

  return (
    <WorkbenchContext value={workbench}>
      <SkipLink onUse={() => setPane('chat')} />
      {isNarrow ? (
        <NarrowPanes pane={pane} onPane={setPane} />
      ) : (
        <WidePanes threadsPanel={threadsPanel} workspacePanel={workspacePanel} side={side} onSide={setSide} />
      )}
      <ErrorBoundary resetKey={overlay}>
        <Suspense>
          <FileQuestions />
          <StorageWarning />
          {overlay?.type === 'settings' ? <SettingsDialog onClose={closeOverlay} /> : null}
          {overlay?.type === 'palette' ? <CommandPalette mode={overlay.mode} onClose={closeOverlay} /> : null}
          {overlay?.type === 'shortcuts' ? <ShortcutHelp onClose={closeOverlay} /> : null}
        </Suspense>
      </ErrorBoundary>
    </WorkbenchContext>
  );
}

/** The file pane. Its code is loaded when the browser is idle, or as soon as the pane is needed. */
function Files() {
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

/** Appears once each time storage runs low. */
function StorageWarning() {
  const isNearlyFull = useStorage((use) => use.isNearlyFull);
  const [wasSeen, setSeen] = useState(false);
  useEffect(() => {
    if (!isNearlyFull) setSeen(false);
  }, [isNearlyFull]);
  return isNearlyFull && !wasSeen ? <StorageDialog onClose={() => setSeen(true)} /> : null;
}

/** Asks the user before files are moved back. */
function FileQuestions() {
  const asked = useMoveQuestion();
  return asked === undefined ? null : <MoveFilesDialog {...asked} />;
}

/** The first tab stop: skips straight to the message box. */
function SkipLink({ onUse }: { onUse(): void }) {
  const t = useMessages();
  const skip = () => {
    onUse();
    // The message box may be hidden until the chat is shown.
    requestAnimationFrame(focusComposer);
  };
  return (
    <button
      type="button"
      onClick={skip}
      className="sr-only focus-visible:not-sr-only focus-visible:fixed focus-visible:top-2 focus-visible:left-2 focus-visible:z-50 focus-visible:rounded-md focus-visible:bg-accent focus-visible:px-3 focus-visible:py-1.5 focus-visible:text-accent-text focus-visible:text-sm"
    >
      {t.studio.skipToComposer}
    </button>
  );
}

/** If the highlighter cannot be loaded, code is shown as plain text. */
const preloadHighlighter = (): Promise<unknown> =>
  import('#components/markdown/highlighter.ts')
    .then((highlighter) => highlighter.preloadHighlighter())
    .catch(() => undefined);

/** Loads what users are likely to need next while the browser is idle. */
function whenIdle(work: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(work, 1_000);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(work);
  return () => cancelIdleCallback(handle);
}

type PanelRef = RefObject<ImperativePanelHandle | null>;

interface WidePanesProps {
  threadsPanel: PanelRef;
  workspacePanel: PanelRef;
  side: SidePane;
  onSide(side: SidePane): void;
}

function WidePanes({ threadsPanel, workspacePanel, side, onSide }: WidePanesProps) {
  const t = useMessages();
  return (
    <PanelGroup direction="horizontal" autoSaveId="roundtrip-studio:panes" className="h-dvh!">
      <CollapsiblePanel id="threads" order={1} panelRef={threadsPanel} defaultSize={17} minSize={12} maxSize={30}>
        <ThreadList />
      </CollapsiblePanel>
      <Divider label={t.panes.resizeThreads} />
      <Panel id="chat" order={2} defaultSize={43} minSize={30}>
        <ChatPane isNarrow={false} />
      </Panel>
      <Divider label={t.panes.resizeWorkspace} />
      <CollapsiblePanel id="workspace" order={3} panelRef={workspacePanel} defaultSize={40} minSize={24}>
        <PanelGroup direction="horizontal" autoSaveId="roundtrip-studio:workspace">
          <Panel id="files" order={1} defaultSize={32} minSize={20}>
            <Files />
          </Panel>
          <Divider label={t.panes.resizeFiles} />
          <Panel id="editor" order={2} defaultSize={68} minSize={30}>
            <SidePanes side={side} onSide={onSide} />
          </Panel>
        </PanelGroup>
      </CollapsiblePanel>
    </PanelGroup>
  );
}

/** The editor, the preview, and the console. Inactive ones are hidden, not unmounted, so that they keep their state. */
function SidePanes({ side, onSide }: { side: SidePane; onSide(side: SidePane): void }) {
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

function Console({ shown }: { shown: boolean }) {
  const t = useMessages();
  return (
    <FirstShown label={t.panes.console} shown={shown}>
      <ConsoleView />
    </FirstShown>
  );
}

function PreviewPane({ shown }: { shown: boolean }) {
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

/** A panel whose content is unreachable while collapsed, for the keyboard and for screen readers. */
/** A panel that can be hidden. If it has the focus then, the message box gets it until the panel is shown again. */
function CollapsiblePanel({ panelRef, children, ...props }: PanelProps & { panelRef: PanelRef }) {
  const [collapsed, setCollapsed] = useState(false);
  const content = useRef<HTMLDivElement>(null);
  const [left, setLeft] = useState<FocusPlace>();
  const onCollapse = () => {
    setCollapsed(true);
    if (content.current?.contains(document.activeElement)) setLeft(focusPlace());
  };
  useEffect(() => {
    if (left === undefined) return;
    if (collapsed) return focusComposer();
    setLeft(undefined);
    if (document.activeElement?.id !== COMPOSER_ID) return;
    (document.activeElement as HTMLElement).blur();
    returnFocus(left);
  }, [collapsed, left]);
  return (
    <Panel {...props} ref={panelRef} collapsible onCollapse={onCollapse} onExpand={() => setCollapsed(false)}>
      <div ref={content} hidden={collapsed} className="h-full">
        {children}
      </div>
    </Panel>
  );
}

function Divider({ label }: { label: string }) {
  return (
    <PanelResizeHandle
      aria-label={label}
      className="w-px bg-line outline-offset-0 transition-colors hover:bg-accent focus-visible:bg-accent data-[resize-handle-state=drag]:bg-accent"
    />
  );
}

function NarrowPanes({ pane, onPane }: { pane: NarrowPane; onPane(pane: NarrowPane): void }) {
  const t = useMessages();
  const tabs: { id: NarrowPane; label: string; icon: ReactNode }[] = [
    { id: 'threads', label: t.panes.threads, icon: <MessagesSquare aria-hidden size={18} /> },
    { id: 'chat', label: t.panes.chat, icon: <MessageSquare aria-hidden size={18} /> },
    { id: 'files', label: t.panes.files, icon: <FolderClosed aria-hidden size={18} /> },
    { id: 'editor', label: t.panes.editor, icon: <PenLine aria-hidden size={18} /> },
    { id: 'preview', label: t.panes.preview, icon: <AppWindow aria-hidden size={18} /> },
    { id: 'console', label: t.panes.console, icon: <SquareTerminal aria-hidden size={18} /> },
  ];
  return (
    <div className="flex h-dvh flex-col">
      {/* Hidden, not unmounted: a draft survives a look at the files. */}
      <div className="relative min-h-0 flex-1">
        <Pane shown={pane === 'threads'}>
          <ThreadList />
        </Pane>
        <Pane shown={pane === 'chat'}>
          <ChatPane isNarrow />
        </Pane>
        <Pane shown={pane === 'files'}>
          <Files />
        </Pane>
        <Pane shown={pane === 'editor'}>
          <EditorPane />
        </Pane>
        <LivePane shown={pane === 'preview'}>
          <PreviewPane shown={pane === 'preview'} />
        </LivePane>
        <Pane shown={pane === 'console'}>
          <Console shown={pane === 'console'} />
        </Pane>
      </div>
      <div role="tablist" aria-label={t.studio.name} className="flex shrink-0 border-line border-t">
        {tabs.map(({ id, label, icon }) => (
          <button
            key={id}
            type="button"
            role="tab"
            aria-selected={pane === id}
            onClick={() => onPane(id)}
            className={`flex h-12 flex-1 flex-col items-center justify-center text-xs ${pane === id ? 'text-accent' : 'text-muted'}`}
          >
            {icon}
            {label}
          </button>
        ))}
      </div>
    </div>
  );
}

function Pane({ shown, children }: { shown: boolean; children: ReactNode }) {
  return (
    <div hidden={!shown} className="h-full">
      {children}
    </div>
  );
}

/** A pane that keeps running while hidden: a page that is not rendered at all would freeze. */
function LivePane({ shown, children }: { shown: boolean; children: ReactNode }) {
  return (
    <div inert={!shown} className={shown ? 'h-full' : 'pointer-events-none absolute inset-0 -z-10 opacity-0'}>
      {children}
    </div>
  );
}
