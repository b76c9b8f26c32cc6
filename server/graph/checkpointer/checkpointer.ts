import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';

/**
 * LangGraph's interface for storing checkpoints, with what else the studio needs: removing idle threads, and closing.
 * Implementations keep only each thread's newest checkpoint.
 */
export interface Checkpointer extends BaseCheckpointSaver {
  /** Removes threads whose newest checkpoint is older than `before` (milliseconds since the epoch); returns how many. */
  pruneIdle(before: number): Promise<number>;
  close(): Promise<void>;
}
