import { useEffect } from 'react';
import { closeTab, openFiles, openLive, openTab } from '#components/editor/open-files.ts';
import { endLiveWrite, hasLiveWrite, showLiveWrite } from '#components/runtime/live-writes.ts';
import type { ToolCallPart } from '#lib/messages/message.ts';
import { toolRegistry } from '#lib/tools/toolsets.ts';
import { resolvePath } from '#lib/vfs/paths.ts';
import type { CallState } from './call-state.ts';

const UNDER_WAY: ReadonlySet<CallState> = new Set(['writing', 'waiting', 'asking', 'running']);

/** Shows a file in the editor while the model writes it. Once it is written, the tab shows the file itself. */
export function useLiveTab(
  { toolName, toolCallId }: ToolCallPart,
  input: ReadonlyMap<string, unknown>,
  state: CallState,
): void {
  const view = toolRegistry.get(toolName)?.presentation.input;
  const isFile = view?.as === 'file';
  const content = isFile ? input.get(view.argument) : undefined;
  const path = isFile ? absolute(input.get(view.path)) : undefined;
  const isWrite = path !== undefined && typeof content === 'string';
  useEffect(() => {
    if (!isWrite) return;
    const isLive = hasLiveWrite(toolCallId);
    if (UNDER_WAY.has(state)) {
      // Do not show what was already there when the page was loaded.
      if (!isLive && state !== 'writing') return;
      showLiveWrite(toolCallId, { path, content });
      if (!isLive && !isEditing()) openLive(path, toolCallId);
    } else if (isLive) {
      const { activeId } = openFiles.getState();
      const wasShown = activeId === `live:${toolCallId}`;
      endLiveWrite(toolCallId);
      closeTab(`live:${toolCallId}`);
      if (wasShown && state === 'done') openTab(path);
    }
  }, [isWrite, toolCallId, path, content, state]);
  useEffect(() => () => endLiveWrite(toolCallId), [toolCallId]);
}

const isEditing = (): boolean => document.activeElement?.closest('.monaco-editor') != null;

function absolute(path: unknown): string | undefined {
  if (typeof path !== 'string' || path === '') return undefined;
  try {
    return resolvePath(path);
  } catch {
    return undefined;
  }
}
