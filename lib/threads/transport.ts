import type { StudioChunk } from '#lib/messages/chunk.ts';
import type { ChatRequest } from '#lib/wire/chat.ts';
import type { ThreadStateAnswer } from '#lib/wire/thread-state.ts';

/**
 * Thrown if the server responds with problem details (JSON that describes an error, as in RFC 9457), or with the status of a
 * failure.
 */
export class ServerProblem extends Error {
  override readonly name = 'ServerProblem';
  readonly status: number;
  /** The kind of problem, such as `no-such-run`; `internal` for a response without problem details. */
  readonly code: string;
  /** For `contents-needed`: the names (hashes) of the texts that the server does not have. */
  readonly missing: readonly string[];

  constructor(status: number, code: string, detail: string, missing: readonly string[] = []) {
    super(detail);
    this.status = status;
    this.code = code;
    this.missing = missing;
  }
}

/**
 * Thrown if the server does not respond, if the connection breaks, if the response does not come from the studio, or if the
 * studio is not ready for the moment.
 */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  /** Whether the studio itself has refused the request, so that the request had no effect and can be sent again as it is. */
  readonly isRefused: boolean;

  constructor(message: string, { isRefused = false } = {}) {
    super(message);
    this.isRefused = isRefused;
  }
}

/** Chunks of a run that arrived together. `next`: the number of the run's next chunk, for rejoining the run. */
export interface ChunkBatch {
  chunks: readonly StudioChunk[];
  next: number;
}

/**
 * The chunks of a run as they arrive. Ends after the last one; rejects with `ConnectionError` if the stream ends earlier.
 */
export type ChunkStream = AsyncIterable<ChunkBatch>;

/**
 * The connection of a thread session to the program that runs the agent, such as the studio's server. Rejects with
 * `ServerProblem` or `ConnectionError`.
 */
export interface Transport {
  /** Starts a run, and streams its chunks. */
  post(request: ChatRequest, signal: AbortSignal): Promise<ChunkStream>;
  /** Rejoins a run, from its chunk number `from` on. */
  attach(threadId: string, runId: string, from: number, signal: AbortSignal): Promise<ChunkStream>;
  /**
   * Cancels a run of the thread, or with undefined its latest; resolves when it has ended. A run that was not posted yet never
   * starts.
   */
  cancel(threadId: string, runId: string | undefined): Promise<void>;
  /** Tells the server that the finished run is stored here, so that the server may forget it. */
  acknowledge(threadId: string, runId: string): Promise<void>;
  /** The server's state of a thread; undefined if it has none. */
  threadState(threadId: string): Promise<ThreadStateAnswer | undefined>;
  /** Deletes the server's state of a thread. */
  deleteThread(threadId: string): Promise<void>;
}
