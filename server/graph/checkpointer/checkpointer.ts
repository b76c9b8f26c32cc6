import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';

/** LangGraph's saver, limited to each thread's newest checkpoint, plus what else the studio needs. */
export interface Checkpointer extends BaseCheckpointSaver {
  /** Removes threads whose newest checkpoint is older than `before` (milliseconds since the epoch); returns how many. */
  pruneIdle(before: number): Promise<number>;
  close(): Promise<void>;
}
