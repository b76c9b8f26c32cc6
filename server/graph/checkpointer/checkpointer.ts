import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';

/** LangGraph's saver, kept to each thread's newest checkpoint, and what the studio needs beside it. */
export interface Checkpointer extends BaseCheckpointSaver {
  /** Removes threads whose newest checkpoint is older than `before` (milliseconds since the epoch); returns how many. */
  pruneIdle(before: number): Promise<number>;
  close(): Promise<void>;
}
