import { create } from 'zustand';

/** A file that the model is writing, as far as it has arrived. */
interface LiveWrite {
  path: string;
  content: string;
}

const useLiveWrites = create<ReadonlyMap<string, LiveWrite>>(() => new Map());

/** What has arrived of a call that writes a file; undefined once the call is complete. */
export const useLiveWrite = (toolCallId: string): LiveWrite | undefined =>
  useLiveWrites((writes) => writes.get(toolCallId));

export const hasLiveWrite = (toolCallId: string): boolean => useLiveWrites.getState().has(toolCallId);

export function showLiveWrite(toolCallId: string, write: LiveWrite): void {
  useLiveWrites.setState((writes) => new Map(writes).set(toolCallId, write), true);
}

export function endLiveWrite(toolCallId: string): void {
  useLiveWrites.setState((writes) => new Map([...writes].filter(([id]) => id !== toolCallId)), true);
}
