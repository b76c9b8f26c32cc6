import type { StudioChunk } from '#lib/messages/chunk.ts';
import { HEARTBEAT_HEADER, HEARTBEAT_MS } from '#lib/wire/heartbeat.ts';
import { ChunkLog } from './chunk-log.ts';

/** Memory usage of a run without its chunks, in bytes. */
const RUN_BYTES = 2_000;

/**
 * The headers of a response that streams a run, as for the AI SDK's UI message streams. They keep proxies from buffering or
 * compressing it, and say how often signs of life come.
 */
export const RUN_STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-vercel-ai-ui-message-stream': 'v1',
  'x-accel-buffering': 'no',
  [HEARTBEAT_HEADER]: String(HEARTBEAT_MS),
};

/**
 * A comment in the stream of a run, which no reader takes for an event. Sent while nothing else is, it shows that the
 * connection is alive.
 */
export const SIGN_OF_LIFE = ':\n\n';

/** The event that ends the stream of a run that has ended. A stream without it has broken off. */
export const STREAM_END = 'data: [DONE]\n\n';

/**
 * The kind of a run, by its input. `resume`: the results of the calls for which the turn waits. `messages`: all messages of the
 * branch, for a `turn` or a `replace` of `ChatAction`.
 */
export type RunKind = 'resume' | 'messages';

/**
 * One stretch of a turn on the server, from a request to the next interrupt, at which calls wait for the browser, or to the
 * end. Keeps its chunks, numbered from 0, so that a reader can join at any point (rule R9). The code that executes the run adds
 * them.
 */
export class Run {
  readonly id: string;
  readonly threadId: string;
  readonly kind: RunKind;
  /** The revision that the run builds on, which identifies a repeated resume; null if there was none. */
  readonly baseRevision: string | null;
  /** The fence of this attempt, if processes share the database (see `Ownership`). */
  readonly fence: string | undefined;
  /** The run ids under which the same resume was posted again, and which this run answers, too. */
  readonly joined = new Set<string>();
  readonly #chunks = new ChunkLog();
  readonly #abort = new AbortController();
  #endedAt: number | undefined;
  #succeeded = false;
  #isAbandoned = false;
  #wake = Promise.withResolvers<void>();

  constructor(options: { id: string; threadId: string; kind: RunKind; baseRevision: string | null; fence?: string }) {
    this.id = options.id;
    this.threadId = options.threadId;
    this.kind = options.kind;
    this.baseRevision = options.baseRevision;
    this.fence = options.fence;
  }

  get abortSignal(): AbortSignal {
    return this.#abort.signal;
  }

  /** When the run ended, in milliseconds since the epoch; undefined while it runs. */
  get endedAt(): number | undefined {
    return this.#endedAt;
  }

  /** Whether the run is in progress or has succeeded, so that it can answer a repeated request. */
  get isUsable(): boolean {
    return this.#endedAt === undefined || this.#succeeded;
  }

  /** Aborts `abortSignal`. The code that executes the run then ends it. */
  cancel(): void {
    this.#abort.abort(new DOMException('The run was canceled.', 'AbortError'));
  }

  /** Whether the thread now belongs to another run (see `abandon`). */
  get isAbandoned(): boolean {
    return this.#isAbandoned;
  }

  /**
   * Ends the run because its thread belongs to another one now, or may do so. Its streams end without saying that the run has
   * ended, so that browsers look for the other one.
   */
  abandon(): void {
    this.#isAbandoned = true;
    this.cancel();
    this.#notify();
  }

  /** The number of chunks so far. */
  get length(): number {
    return this.#chunks.length;
  }

  /** The chunks from number `from` on, each by itself in JSON. */
  chunksFrom(from: number): { number: number; data: string }[] {
    return this.#chunks.chunksFrom(from);
  }

  /** Resolves, without a value, when there is another chunk, or when the run has ended or was abandoned. */
  nextChange(): Promise<void> {
    return this.#wake.promise;
  }

  /** Adds a chunk. Readers of the streams get it at once. */
  emit(chunk: StudioChunk): void {
    this.#chunks.push(chunk);
    this.#notify();
  }

  /** Marks the run as ended, after its last chunk. `succeeded`: whether it may answer a repeated request. */
  end(succeeded: boolean): void {
    this.#chunks.close();
    this.#succeeded = succeeded;
    this.#endedAt = Date.now();
    this.#notify();
  }

  /** Resolves once the run has ended. */
  async ended(): Promise<void> {
    while (this.#endedAt === undefined) await this.#wake.promise;
  }

  /** Approximate memory usage in bytes. */
  get bytes(): number {
    return RUN_BYTES + this.#chunks.bytes;
  }

  /**
   * The chunks from number `from` on, as server-sent events, until the run ends, and then `STREAM_END`. Existing deltas are
   * combined into one event; each event's id is the number of its last chunk. While nothing happens, there are signs of life: a
   * connection can be dead without being closed.
   */
  stream(from: number): ReadableStream<Uint8Array> {
    const encoder = new TextEncoder();
    let next = from;
    // With a timer of their own, so that a chunk waits for nothing but itself.
    let signs: NodeJS.Timeout | undefined;
    return new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        signs ??= setInterval(() => {
          if ((controller.desiredSize ?? 0) > 0) return controller.enqueue(encoder.encode(SIGN_OF_LIFE));
          // A reader that takes nothing needs no sign, and may never come back.
          clearInterval(signs);
          signs = undefined;
        }, HEARTBEAT_MS).unref();
        while (next >= this.#chunks.length) {
          if (this.#isAbandoned) {
            clearInterval(signs);
            controller.close();
            return;
          }
          if (this.#endedAt !== undefined) {
            clearInterval(signs);
            controller.enqueue(encoder.encode(STREAM_END));
            controller.close();
            return;
          }
          await this.#wake.promise;
        }
        const events = this.#chunks.eventsFrom(next);
        next = this.#chunks.length;
        signs?.refresh();
        controller.enqueue(encoder.encode(events));
      },
      cancel: () => clearInterval(signs),
    });
  }

  #notify(): void {
    this.#wake.resolve();
    this.#wake = Promise.withResolvers<void>();
  }
}
