'use client';

import { AppWindow, FolderClosed, MessageSquare, MessagesSquare, PenLine, SquareTerminal } from 'lucide-react';
import type { ReactNode } from 'react';
import { ChatPane } from '#components/chat/chat-pane.tsx';
import { useMessages } from '#components/i18n/i18n.tsx';
import { ThreadList } from '#components/threads/thread-list.tsx';
import { useIsPrinting } from '#components/ui/use-is-printing.ts';
import { Console, Editor, Files, LivePane, Pane, PreviewPane, type SidePane } from './side-panes.tsx';

/** The panes of a narrow window. */
export type NarrowPane = 'threads' | 'chat' | 'files' | SidePane;

/** The studio in a narrow window: one pane at a time, with a bar to choose it. */
export function NarrowPanes({ pane, onPane }: { pane: NarrowPane; onPane(pane: NarrowPane): void }) {
  const t = useMessages();
  // A print has the conversation, whatever is shown.
  const isPrinting = useIsPrinting();
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
        <Pane shown={pane === 'chat' || isPrinting}>
          <ChatPane isNarrow />
        </Pane>
        <Pane shown={pane === 'files'}>
          <Files />
        </Pane>
        <Pane shown={pane === 'editor'}>
          <Editor />
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
