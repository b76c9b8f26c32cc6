import type { RunnableConfig } from '@langchain/core/runnables';
import { type Checkpoint, type CheckpointMetadata, MemorySaver } from '@langchain/langgraph-checkpoint';
import type { Checkpointer } from './checkpointer.ts';
import { JsonSerializer } from './json-serializer.ts';

/** Keeps checkpoints in memory, only the newest one of each thread. They last as long as the process. */
export class LatestMemorySaver extends MemorySaver implements Checkpointer {
  #savedAt = new Map<string, number>();

  constructor() {
    super(new JsonSerializer());
  }

  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
  ): Promise<RunnableConfig> {
    const saved = await super.put(config, checkpoint, metadata);
    const { thread_id: threadId, checkpoint_ns: namespace } = saved.configurable as {
      thread_id: string;
      checkpoint_ns: string;
    };
    const checkpoints = this.storage[threadId]?.[namespace] ?? {};
    for (const id of Object.keys(checkpoints)) {
      if (id === checkpoint.id) continue;
      delete checkpoints[id];
      delete this.writes[JSON.stringify([threadId, namespace, id])];
    }
    this.#savedAt.set(threadId, Date.now());
    return saved;
  }

  override async deleteThread(threadId: string): Promise<void> {
    await super.deleteThread(threadId);
    this.#savedAt.delete(threadId);
  }

  async pruneIdle(before: number): Promise<number> {
    const idle = [...this.#savedAt].filter(([, savedAt]) => savedAt < before).map(([threadId]) => threadId);
    for (const threadId of idle) await this.deleteThread(threadId);
    return idle.length;
  }

  async ping(): Promise<void> {}

  async close(): Promise<void> {}
}

/** Opens a checkpointer in memory: a new, empty one for each call. */
export const open = async (): Promise<Checkpointer> => new LatestMemorySaver();
