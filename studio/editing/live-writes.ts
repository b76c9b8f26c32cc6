import { createStore, type StoreApi } from 'zustand/vanilla';

/** A file that the model is writing, with the part of it that has arrived. */
interface LiveWrite {
  path: string;
  content: string;
  /** Whether the whole file has arrived, and the call waits to write it. */
  isComplete: boolean;
}

/**
 * The files that the model is writing, each with the text that has arrived so far, by the id of the call. None of it is in the
 * workspace yet. `end` removes the entry of a call that has ended; it deletes no file.
 */
export class LiveWrites {
  readonly state: StoreApi<ReadonlyMap<string, LiveWrite>> = createStore(() => new Map());

  has(toolCallId: string): boolean {
    return this.state.getState().has(toolCallId);
  }

  show(toolCallId: string, write: LiveWrite): void {
    this.state.setState((writes) => new Map(writes).set(toolCallId, write), true);
  }

  end(toolCallId: string): void {
    if (!this.has(toolCallId)) return;
    this.state.setState((writes) => new Map([...writes].filter(([id]) => id !== toolCallId)), true);
  }
}
