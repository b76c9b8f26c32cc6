'use client';

import { Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import { preloadMessageList } from '#components/chat/chat-pane.tsx';
import { preloadTools } from '#components/chat/tools-button.tsx';
import { Conversation, ConversationContext } from '#components/hooks/conversation.ts';
import { useShortcuts } from '#components/hooks/shortcuts.ts';
import { useMoveQuestion, useStorage, useStudio } from '#components/hooks/studio-provider.tsx';
import { beginTypeAhead } from '#components/hooks/type-ahead.ts';
import { useWasIdle, whenIdle } from '#components/hooks/when-idle.ts';
import {
  type PaletteMode,
  type SettingsSection,
  type Workbench,
  WorkbenchContext,
} from '#components/hooks/workbench.ts';
import { useMessages } from '#components/i18n/i18n.tsx';
import { preloadDialog } from '#components/ui/dialog.tsx';
import { ErrorBoundary } from '#components/ui/error-boundary.tsx';
import { focusComposer, hasNothingFocus } from '#components/ui/focus.ts';
import { lazyView } from '#components/ui/lazy-view.tsx';
import { preloadMenu } from '#components/ui/menu.tsx';
import { preloadSelect } from '#components/ui/select.tsx';
import type { PaneView } from '#studio/file-pane.ts';
import { loadThreadCode } from '#studio/load-thread-code.ts';
import { type NarrowPane, NarrowPanes } from './narrow-panes.tsx';
import { focusNextPane, focusPane } from './pane-focus.ts';
import type { SidePane } from './side-panes.tsx';
import { useDocumentTitle } from './use-document-title.ts';
import { usePanes } from './use-panes.ts';
import { WidePanes } from './wide-panes.tsx';

const loadChecks = async () => (await import('#components/editor/load-checks.ts')).loadChecks();

const SystemPromptDialog = lazyView(() => import('#components/chat/system-prompt-dialog.tsx'));
const MoveFilesDialog = lazyView(() => import('#components/files/move-files-dialog.tsx'));
const StorageDialog = lazyView(() => import('#components/settings/storage-dialog.tsx'));
const ConnectDialog = lazyView(() => import('#components/models/connect-dialog.tsx'));
const EditConnection = lazyView(async () => ({
  default: (await import('#components/models/edit-connection.tsx')).EditConnection,
}));
const UnlockDialog = lazyView(async () => ({
  default: (await import('#components/models/passphrase-dialogs.tsx')).UnlockDialog,
}));
const ModelDialog = lazyView(() => import('#components/models/model-dialog.tsx'));
const SettingsDialog = lazyView(() => import('#components/settings/settings-dialog.tsx'));
const CommandPalette = lazyView(() => import('#components/palette/command-palette.tsx'));
const PageLayers = lazyView(() => import('./page-layers.tsx'));

type Overlay =
  | { type: 'settings'; section?: SettingsSection }
  | { type: 'connect' | 'unlock' | 'system-prompt' }
  | { type: 'model' | 'connection'; id: string }
  | { type: 'palette'; mode: PaletteMode; onChosen?: () => void };

/** The studio's panes: three side by side, or one at a time if there is not enough room. */
export function StudioLayout() {
  const { threads, previews, tools, workspaces, tabs, filePane, languageServices } = useStudio();
  const panes = usePanes();
  const isNarrow = panes.width === 'narrow';
  /** The side pane that was last shown for each workspace, by its id; by default, the editor. */
  const [sides, setSides] = useState<Readonly<Record<string, SidePane>>>({});
  const { show, workspaceId } = panes;
  const side = Object.hasOwn(sides, workspaceId) ? (sides[workspaceId] ?? 'editor') : 'editor';
  const setSide = useCallback(
    (shown: SidePane) => setSides((before) => ({ ...before, [threads.workspaceId]: shown })),
    [threads],
  );
  const [overlay, setOverlay] = useState<Overlay>();
  const [pane, setPane] = useState<NarrowPane>('chat');
  const [conversation] = useState(() => new Conversation());

  const workbench = useMemo<Workbench>(() => {
    const showFiles = (view: PaneView) => {
      filePane.show(view);
      setPane('files');
      show('workspace', true);
      show('tree', true);
    };
    const showSide = (shown: SidePane) => {
      setSide(shown);
      setPane(shown);
      show('workspace', true);
    };
    return {
      openFile(path, place) {
        tabs.open(path, place);
        showSide('editor');
      },
      showChat: () => setPane('chat'),
      showEditor: () => showSide('editor'),
      showConsole: () => showSide('console'),
      showPreview: () => showSide('preview'),
      searchFiles: () => showFiles('search'),
      showTimeline: () => showFiles('timeline'),
      openSettings: (section) => setOverlay({ type: 'settings', ...(section !== undefined && { section }) }),
      editSystemPrompt: () => setOverlay({ type: 'system-prompt' }),
      connectModel: () => setOverlay({ type: 'connect' }),
      editConnection: (id) => setOverlay({ type: 'connection', id }),
      unlockKeys: () => setOverlay({ type: 'unlock' }),
      openModelSettings: (id) => setOverlay({ type: 'model', id }),
      openPalette(mode) {
        beginTypeAhead();
        setOverlay({ type: 'palette', mode });
      },
      chooseModel(onChosen) {
        beginTypeAhead();
        setOverlay({ type: 'palette', mode: 'models', onChosen });
      },
      openShortcuts: () => setOverlay({ type: 'settings', section: 'shortcuts' }),
      newThread(workspaceId) {
        void threads.continueIn(workspaceId ?? null);
        setPane('chat');
        // The message box may be hidden until the chat is shown, and what was pressed may have had the focus.
        requestAnimationFrame(focusComposer);
      },
      openThread(id) {
        void threads.select(id);
        setPane('chat');
      },
      findInThread() {
        const { selectedId } = threads.state.getState();
        if (selectedId === null) return;
        beginTypeAhead();
        conversation.find({ threadId: selectedId, query: '' });
      },
      moveInThread: (step, only) => conversation.list?.move(step, only),
      openMessage(threadId, messageId, query) {
        void threads.select(threadId);
        setPane('chat');
        conversation.find({ threadId, query, at: messageId });
      },
      toggleThreads() {
        setPane((before) => (before === 'threads' ? 'chat' : 'threads'));
        show('threads');
        // The button that was pressed may have made room for the list.
        requestAnimationFrame(() => hasNothingFocus() && focusPane('threads'));
      },
      toggleWorkspace() {
        setPane((before) => (before === 'chat' || before === 'threads' ? 'files' : 'chat'));
        show('workspace');
      },
      toggleTree: () => show('tree'),
      focusPane(pane) {
        setPane(pane === 'side' ? 'editor' : pane);
        if (pane === 'files' || pane === 'side') show('workspace', true);
        if (pane === 'files') show('tree', true);
        requestAnimationFrame(() => focusPane(pane));
      },
      focusNextPane,
    };
  }, [threads, tabs, filePane, conversation, show, setSide]);
  // If there is room, show the page that a model opens. Otherwise it would replace the chat.
  useEffect(
    () =>
      previews.onReveal((workspaceId) => {
        if (isNarrow || workspaces.state.getState().shown?.id !== workspaceId) return false;
        setSide('preview');
        show('workspace', true);
        return true;
      }),
    [previews, workspaces, isNarrow, show, setSide],
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
            preloadMessageList(),
            import('#studio/pasted.ts'),
            import('#studio/page/tab-presence.ts').then(({ announceTab }) => announceTab()),
            tools.catalogue(),
            loadThreadCode(),
            preloadMenu(),
            preloadSelect(),
            preloadDialog(),
            preloadTools(),
            SettingsDialog.preload(),
            ConnectDialog.preload(),
            CommandPalette.preload(),
            MoveFilesDialog.preload(),
          ]),
      ),
    [tools],
  );
  const wasIdle = useWasIdle();
  const closeOverlay = () => setOverlay(undefined);

  return (
    <WorkbenchContext value={workbench}>
      <SkipLink onUse={() => setPane('chat')} />
      <ConversationContext value={conversation}>
        {isNarrow ? (
          <NarrowPanes pane={pane} onPane={setPane} />
        ) : (
          <WidePanes
            layout={panes.layout}
            isWorkspaceShown={panes.isWorkspaceShown}
            side={side}
            onSide={setSide}
            onShown={show}
            onResize={panes.resize}
          />
        )}
      </ConversationContext>
      <ErrorBoundary resetKey={overlay}>
        {/* In a boundary of its own: while it loads, open dialogs must not be hidden, since one may have the focus. */}
        <Suspense>{wasIdle ? <PageLayers /> : null}</Suspense>
        <Suspense>
          <FileQuestions />
          <StorageWarning />
        </Suspense>
        <Suspense>
          {overlay?.type === 'settings' ? <SettingsDialog {...overlay} onClose={closeOverlay} /> : null}
          {overlay?.type === 'system-prompt' ? <SystemPromptDialog onClose={closeOverlay} /> : null}
          {overlay?.type === 'connect' ? <ConnectDialog onClose={closeOverlay} /> : null}
          {overlay?.type === 'connection' ? <EditConnection id={overlay.id} asksKey onClose={closeOverlay} /> : null}
          {overlay?.type === 'unlock' ? <UnlockDialog onClose={closeOverlay} /> : null}
          {overlay?.type === 'model' ? <ModelDialog id={overlay.id} onClose={closeOverlay} /> : null}
          {overlay?.type === 'palette' ? <CommandPalette {...overlay} onClose={closeOverlay} /> : null}
        </Suspense>
      </ErrorBoundary>
    </WorkbenchContext>
  );
}

/** A dialog that appears once each time the storage runs low. */
function StorageWarning() {
  const isNearlyFull = useStorage((use) => use.isNearlyFull);
  const [wasSeen, setSeen] = useState(false);
  useEffect(() => {
    if (!isNearlyFull) setSeen(false);
  }, [isNearlyFull]);
  return isNearlyFull && !wasSeen ? <StorageDialog onClose={() => setSeen(true)} /> : null;
}

/** Asks the user before files go back to an earlier state. */
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
