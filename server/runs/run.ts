import type { StudioChunk } from '#lib/messages/chunk.ts';

/** Headers of the AI SDK's UI message stream; and nothing on the way may hold pieces back to compress them. */
export const RUN_STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-vercel-ai-ui-message-stream': 'v1',
  'x-accel-buffering': 'no',
};

export type RunKind = 'resume' | 'replace';

/**
 * One stretch of a turn on the server, from a request to the next interrupt or the end. Its chunks are kept, numbered
 * from 0, so that anybody can join at any point (rule R9).
 */
export class Run {
  readonly id: string;
  readonly threadId: string;
  readonly kind: RunKind;
  /** The revision it builds on: by it a repeated resume is known. */
  readonly baseRevision: string | null;
  readonly #events: string[] = [];
  readonly #abort = new AbortController();
  #endedAt: number | undefined;
  #succeeded = false;
  #wake = Promise.withResolvers<void>();

  constructor(options: { id: string; threadId: string; kind: RunKind; baseRevision: string | null }) {
    this.id = options.id;
    this.threadId = options.threadId;
    this.kind = options.kind;
    this.baseRevision = options.baseRevision;
  }

  get abortSignal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Milliseconds since the epoch; undefined while it runs. */
  get endedAt(): number | undefined {
    return this.#endedAt;
  }

  /** Whether it runs or has run to its end, so that it answers a repeated request. */
  get isUsable(): boolean {
    return this.#endedAt === undefined || this.#succeeded;
  }

  cancel(): void {
    this.#abort.abort(new DOMException('The run was cancelled.', 'AbortError'));
  }

  emit(chunk: StudioChunk): void {
    this.#events.push(`id: ${this.#events.length}\ndata: ${JSON.stringify(chunk)}\n\n`);
    this.#notify();
  }

  end(succeeded: boolean): void {
    this.#succeeded = succeeded;
    this.#endedAt = Date.now();
    this.#notify();
  }

  async ended(): Promise<void> {
    while (this.#endedAt === undefined) await this.#wake.promise;
  }

  /** The chunks from number `from` on, as server-sent events, to the run's end. */
  stream(from: number): ReadableStream<Uint8Array> {
    const encoder = new TextEncoder();
    let next = from;
    return new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        while (next >= this.#events.length) {
          if (this.#endedAt !== undefined) {
            controller.enqueue(encoder.encode('data: [DONE]\n\n'));
            controller.close();
            return;
          }
          await this.#wake.promise;
        }
        const events = this.#events.slice(next);
        next += events.length;
        controller.enqueue(encoder.encode(events.join('')));
      },
    });
  }

  #notify(): void {
    this.#wake.resolve();
    this.#wake = Promise.withResolvers<void>();
  }
}
