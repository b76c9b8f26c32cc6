import type { EgressRequest } from './egress.ts';
import { hostOf } from './reached-hosts.ts';

/** Options of a request log. */
interface RequestLogOptions {
  /** Called once for each request: when its answer has been read, when it has failed, or when the call has ended. */
  onRequest(request: EgressRequest): void;
  /** Explains why an address was refused before anything was sent, without secrets; undefined for any other error. */
  refusalOf(error: unknown): string | undefined;
}

/** Records the requests of one call: hosts, sizes, and outcomes. Errors may repeat secrets, so only their kind is recorded. */
export class RequestLog {
  readonly #options: RequestLogOptions;
  /** Requests that have not been reported. */
  readonly #open = new Set<EgressRequest>();

  constructor(options: RequestLogOptions) {
    this.#options = options;
  }

  /**
   * Wraps `send`, a function like `fetch`, so that its requests are recorded, and passed to `onRequest` once each has ended.
   */
  fetch(send: typeof fetch): typeof fetch {
    return async (input, init) => {
      const given = input instanceof Request ? input : undefined;
      const url = new URL(given?.url ?? String(input));
      const request: EgressRequest = {
        host: hostOf(url),
        sent: requestSize(url, {
          method: init?.method ?? given?.method ?? 'GET',
          headers: new Headers(init?.headers ?? given?.headers),
          body: init?.body,
        }),
        received: 0,
      };
      this.#open.add(request);
      const signal = init?.signal ?? given?.signal;
      const failed = (error: unknown) => {
        const refusal = this.#options.refusalOf(error);
        if (refusal !== undefined) request.sent = 0;
        request.refused = refusal ?? reasonOf(signal);
        this.#tell(request);
      };
      try {
        const response = await send(input, init);
        // A browser says nothing else about a redirect that it does not follow.
        if (response.type === 'opaqueredirect') request.refused = 'It redirects, and redirects are not followed.';
        else request.status = response.status;
        if (response.body === null) {
          this.#tell(request);
          return response;
        }
        const { status, statusText, headers } = response;
        const body = counted(response.body, {
          onRead: (bytes) => {
            request.received += bytes;
          },
          onEnd: () => this.#tell(request),
          onError: failed,
        });
        return new Response(body, { status, statusText, headers });
      } catch (error) {
        failed(error);
        throw error;
      }
    };
  }

  /** Ends the log with the call: reports requests whose answers are still being read, with what has arrived so far. */
  end(): void {
    for (const request of this.#open) this.#tell(request);
  }

  #tell(request: EgressRequest): void {
    if (this.#open.delete(request)) this.#options.onRequest({ ...request });
  }
}

/** Returns the size of a request, as far as it is known, in bytes: its first line, its headers, and its body. */
export function requestSize(
  { pathname, search, host }: URL,
  { method, headers, body }: { method: string; headers: Headers; body?: unknown },
): number {
  let size = `${method} ${pathname}${search} HTTP/1.1\r\n\r\n`.length;
  for (const [name, value] of [...headers, ['host', host] as const]) size += `${name}: ${value}\r\n`.length;
  return size + (typeof body === 'string' ? new TextEncoder().encode(body).byteLength : 0);
}

/** Explains why there is no answer, or only a part of one. */
function reasonOf(signal: AbortSignal | undefined): string {
  if (signal?.aborted !== true) return 'No response could be read.';
  const { reason } = signal;
  const isLate = reason instanceof DOMException && reason.name === 'TimeoutError';
  return isLate ? 'It took too long.' : 'It was stopped.';
}

interface Reading {
  onRead(bytes: number): void;
  /** Called when the body has been read, or its reader cancels. */
  onEnd(): void;
  onError(error: unknown): void;
}

/** Wraps a body so that the progress of reading it is reported. */
function counted(body: ReadableStream<Uint8Array>, { onRead, onEnd, onError }: Reading): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) {
            onEnd();
            controller.close();
            return;
          }
          onRead(value.byteLength);
          controller.enqueue(value);
        } catch (error) {
          onError(error);
          controller.error(error);
        }
      },
      cancel(reason) {
        onEnd();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
