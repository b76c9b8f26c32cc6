'use client';

import { type RefObject, useEffect, useRef, useState } from 'react';
import {
  type ImperativePanelHandle,
  Panel,
  PanelGroup,
  type PanelProps,
  PanelResizeHandle,
} from 'react-resizable-panels';
import { ChatPane } from '#components/chat/chat-pane.tsx';
import { useMessages } from '#components/i18n/i18n.tsx';
import { ThreadList } from '#components/threads/thread-list.tsx';
import { COMPOSER_ID, type FocusPlace, focusComposer, focusPlace, returnFocus } from '#components/ui/focus.ts';
import { Files, type SidePane, SidePanes } from './side-panes.tsx';

export type PanelRef = RefObject<ImperativePanelHandle | null>;

interface WidePanesProps {
  threadsPanel: PanelRef;
  workspacePanel: PanelRef;
  side: SidePane;
  onSide(side: SidePane): void;
}

/** Three panes side by side, of which two can be hidden. */
export function WidePanes({ threadsPanel, workspacePanel, side, onSide }: WidePanesProps) {
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
