import { useEffect } from 'react';
import { useStudio } from '#components/hooks/studio-provider.tsx';
import type { ToolCallPart } from '#lib/messages/message.ts';
import type { ToolSpec } from '#lib/tools/core/spec.ts';
import { resolvePath } from '#lib/vfs/paths.ts';
import type { CallState } from './call-state.ts';

const UNDER_WAY: ReadonlySet<CallState> = new Set(['writing', 'waiting', 'asking', 'running']);

/**
 * Shows a file in the editor while the model writes it. Once it is written, the tab shows the file itself. `isReview`: the
 * call only proposes it, and a review shows that.
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
      // Do not show what was already there when the page was loaded.
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

/** Checks whether the user types in an editor. */
export const isEditing = (): boolean => document.activeElement?.closest('.monaco-editor') != null;

function absolute(path: unknown): string | undefined {
  if (typeof path !== 'string' || path === '') return undefined;
  try {
    return resolvePath(path);
  } catch {
    // It is no path in a workspace, or not all of it is written yet.
    return undefined;
  }
}
