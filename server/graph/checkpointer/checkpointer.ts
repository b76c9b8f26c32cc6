import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';

/**
 * The key of the fence in the configuration of a graph's run. A fence numbers an attempt to run a thread (`RunRef`): a
 * checkpoint is stored only if its run's fence is the thread's latest.
 */
export const FENCE_KEY = 'studio_fence';

/**
 * LangGraph's interface for storing checkpoints, with what else the studio needs: removing idle threads, and closing.
 * Implementations keep only each thread's newest checkpoint.
 */
export interface Checkpointer extends BaseCheckpointSaver {
  /** Removes threads whose newest checkpoint is older than `before` (milliseconds since the epoch); returns how many. */
  pruneIdle(before: number): Promise<number>;
  /** Resolves if the database answers; rejects with its error otherwise. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
