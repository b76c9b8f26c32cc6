'use client';

import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import {
  type ImperativePanelGroupHandle,
  Panel,
  PanelGroup,
  type PanelProps,
  PanelResizeHandle,
} from 'react-resizable-panels';
import { ChatPane } from '#components/chat/chat-pane.tsx';
import type { PaneName } from '#components/hooks/workbench.ts';
import { useMessages } from '#components/i18n/i18n.tsx';
import { ThreadList } from '#components/threads/thread-list.tsx';
import { type FocusPlace, focusComposer, focusPlace, returnFocusFromComposer } from '#components/ui/focus.ts';
import type { HidablePane, WidthLayout } from './layout-store.ts';
import { Files, type SidePane, SidePanes } from './side-panes.tsx';
import { SidebarHeader } from './sidebar-header.tsx';
import { ThreadRail } from './thread-rail.tsx';

interface WidePanesProps {
  layout: WidthLayout;
  isWorkspaceShown: boolean;
  side: SidePane;
  onSide(side: SidePane): void;
  /** Called when the person drags a pane shut, or open again. */
  onShown(pane: HidablePane, isShown: boolean): void;
  onResize(pane: HidablePane, size: number): void;
}

/**
 * The threads, the chat, and the workspace side by side. All but the chat can be hidden. `onShown`: called when the person
 * drags a pane shut, or open again.
 */
export function WidePanes({ layout, isWorkspaceShown, side, onSide, onShown, onResize }: WidePanesProps) {
  const t = useMessages();
  const { threads, tree, workspaceSize } = layout;
  const threadsSize = threads.isShown ? threads.size : 0;
  const workspace = isWorkspaceShown ? workspaceSize : 0;
  const panes = useLayout([threadsSize, 100 - threadsSize - workspace, workspace]);
  const treeSize = tree.isShown ? tree.size : 0;
  const beside = useLayout([treeSize, 100 - treeSize]);
  return (
    <div className="flex h-dvh">
      {threads.isShown ? null : <ThreadRail />}
      <PanelGroup
        ref={panes}
        direction="horizontal"
        className="min-w-0 flex-1"
        onLayout={([first = 0, , third = 0]) => {
          if (first > 0) onResize('threads', first);
          if (third > 0) onResize('workspace', third);
        }}
      >
        <HidablePanel
          id="threads"
          order={1}
          isShown={threads.isShown}
          defaultSize={threadsSize}
          minSize={11}
          maxSize={32}
          onShown={onShown}
        >
          <div className="flex h-full flex-col bg-sunken">
            <SidebarHeader />
            <div className="min-h-0 flex-1">
              <ThreadList />
            </div>
          </div>
        </HidablePanel>
        <Divider label={t.panes.resizeThreads} isHidden={!threads.isShown} />
        <Panel id="chat" order={2} defaultSize={100 - threadsSize - workspace} minSize={28}>
          <div data-pane="chat" className="h-full">
            <ChatPane isNarrow={false} />
          </div>
        </Panel>
        <Divider label={t.panes.resizeWorkspace} isHidden={!isWorkspaceShown} />
        <HidablePanel
          id="workspace"
          order={3}
          isShown={isWorkspaceShown}
          defaultSize={workspace}
          minSize={26}
          onShown={onShown}
        >
          <PanelGroup
            ref={beside}
            direction="horizontal"
            onLayout={([first = 0]) => {
              if (first > 0) onResize('tree', first);
            }}
          >
            <HidablePanel
              id="tree"
              order={1}
              isShown={tree.isShown}
              defaultSize={treeSize}
              minSize={16}
              maxSize={60}
              onShown={onShown}
            >
              <Files />
            </HidablePanel>
            <Divider label={t.panes.resizeFiles} isHidden={!tree.isShown} />
            <Panel id="side" order={2} defaultSize={100 - treeSize} minSize={40}>
              <div data-pane="side" className="h-full">
                <SidePanes side={side} onSide={onSide} isTreeShown={tree.isShown} />
              </div>
            </Panel>
          </PanelGroup>
        </HidablePanel>
      </PanelGroup>
    </div>
  );
}

/** Sets the sizes of a group's panels, in percent, whenever `sizes` changes. Returns the ref for the group. */
function useLayout(sizes: number[]) {
  const group = useRef<ImperativePanelGroupHandle>(null);
  const wanted = sizes.join();
  useEffect(() => {
    const now = group.current?.getLayout() ?? [];
    const next = wanted.split(',').map(Number);
    // Sizes that come from dragging are rounded.
    if (now.length === next.length && now.every((size, index) => Math.abs(size - (next[index] ?? 0)) < 0.1)) return;
    group.current?.setLayout(next);
  }, [wanted]);
  return group;
}

/** The `data-pane` names of the panes that can be hidden. The workspace has none, because it consists of two panes. */
const PANE_NAMES: Record<HidablePane, PaneName | undefined> = {
  threads: 'threads',
  tree: 'files',
  workspace: undefined,
};

type HidablePanelProps = Omit<PanelProps, 'id' | 'children'> & {
  id: HidablePane;
  isShown: boolean;
  onShown(pane: HidablePane, isShown: boolean): void;
  children: ReactNode;
};

/**
 * A panel that can be hidden. If it has the focus when it is hidden, the focus moves to the message box, and moves back
 * when the panel is shown again.
 */
function HidablePanel({ id, isShown, onShown, children, ...props }: HidablePanelProps) {
  const content = useRef<HTMLDivElement>(null);
  const left = useRef<FocusPlace>(undefined);
  // In a layout effect, before the browser takes the focus from hidden elements.
  useLayoutEffect(() => {
    if (isShown || !content.current?.contains(document.activeElement)) return;
    left.current = focusPlace();
    focusComposer();
  }, [isShown]);
  useEffect(() => {
    const place = left.current;
    if (!isShown || place === undefined) return;
    left.current = undefined;
    return returnFocusFromComposer(place);
  }, [isShown]);
  return (
    <Panel
      {...props}
      id={id}
      collapsible
      onCollapse={() => isShown && onShown(id, false)}
      onExpand={() => !isShown && onShown(id, true)}
    >
      <div ref={content} hidden={!isShown} data-pane={PANE_NAMES[id]} className="h-full">
        {children}
      </div>
    </Panel>
  );
}

function Divider({ label, isHidden }: { label: string; isHidden: boolean }) {
  return (
    <PanelResizeHandle
      aria-label={label}
      hidden={isHidden}
      disabled={isHidden}
      className="w-px bg-line outline-offset-0 transition-colors hover:bg-accent focus-visible:bg-accent data-[resize-handle-state=drag]:bg-accent"
    />
  );
}
