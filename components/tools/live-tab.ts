import { useEffect } from 'react';
import { useStudio } from '#components/hooks/studio-provider.tsx';
import type { ToolCallPart } from '#lib/messages/message.ts';
import type { ToolSpec } from '#lib/tools/core/spec.ts';
import { resolvePath } from '#lib/vfs/paths.ts';
import type { CallState } from './call-state.ts';

const UNDER_WAY: ReadonlySet<CallState> = new Set(['writing', 'waiting', 'asking', 'running']);

/**
 * Opens a tab in the editor with the file that a call writes, while the model writes the call, unless the user types in an
 * editor. Once the call is done, the tab shows the file itself; if the call fails, the tab is closed. `isReview`: whether a
 * review shows the changes instead, because the person decides about them.
 */
export function useLiveTab(
  tool: ToolSpec | undefined,
  { toolCallId }: ToolCallPart,
  input: ReadonlyMap<string, unknown>,
  state: CallState,
  isReview: boolean,
): void {
  const { liveWrites, tabs } = useStudio();
  const view = tool?.presentation.input;
  const isFile = view?.as === 'file';
  const content = isFile ? input.get(view.argument) : undefined;
  const path = isFile ? absolute(input.get(view.path)) : undefined;
  const isWrite = path !== undefined && typeof content === 'string';
  useEffect(() => {
    if (!isWrite) return;
    const isLive = liveWrites.has(toolCallId);
    if (UNDER_WAY.has(state) && !isReview) {
      // A call that was already written when the page was loaded is not shown.
      if (!isLive && state !== 'writing') return;
      liveWrites.show(toolCallId, { path, content, isComplete: state !== 'writing' });
      if (!isLive && !isEditing()) tabs.openLive(path, toolCallId);
    } else if (isLive) {
      liveWrites.end(toolCallId);
      tabs.closeLive(toolCallId, state === 'done' ? path : undefined);
    }
  }, [liveWrites, tabs, isWrite, toolCallId, path, content, state, isReview]);
  useEffect(
    () => () => {
      if (!liveWrites.has(toolCallId)) return;
      liveWrites.end(toolCallId);
      tabs.closeLive(toolCallId, undefined);
    },
    [liveWrites, tabs, toolCallId],
  );
}

/** Checks whether a code editor has the focus, so that the user may be typing there. */
export const isEditing = (): boolean => document.activeElement?.closest('.monaco-editor') != null;

function absolute(path: unknown): string | undefined {
  if (typeof path !== 'string' || path === '') return undefined;
  try {
    return resolvePath(path);
  } catch {
    // The text is not a valid path in a workspace, or is not complete yet.
    return undefined;
  }
}
