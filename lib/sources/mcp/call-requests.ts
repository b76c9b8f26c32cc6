import type { EgressRequest } from '#lib/tools/egress/egress.ts';
import { RequestLog } from '#lib/tools/egress/request-log.ts';
import { relayRefusal } from './relay-fetch.ts';

/** The header that tells `CallRequests.fetch` to which call a request belongs. It is removed there, and never sent. */
const CALL_HEADER = 'x-roundtrip-call';

/** The number of event ids of one call's stream that are remembered; the oldest ones are dropped first. */
const POSITIONS_MAX = 50;

/** Options that a call of a tool passes to the protocol's client, so that `CallRequests` recognizes the call's requests. */
export interface CallOptions {
  headers: Readonly<Record<string, string>>;
  /** Called by the client with each event id from which the stream of the call's response can be resumed. */
  onresumptiontoken(position: string): void;
}

interface RunningCall {
  log: RequestLog;
  /** The event ids from which the stream of the call's response can be resumed. */
  positions: Set<string>;
}

/**
 * Finds out which call each HTTP request of a connection belongs to, to record it: a request that sends the call, resumes the
 * stream of its response, or answers a question of the server. All other requests, such as listing tools, belong to no call.
 */
export class CallRequests {
  readonly #running = new Map<string, RunningCall>();

  /** Wraps `fetch` so that the requests of calls are recorded. */
  fetch(send: typeof fetch): typeof fetch {
    return (input, init) => {
      const headers = new Headers(init?.headers);
      const call = this.#callOf(headers, init?.body);
      headers.delete(CALL_HEADER);
      return (call?.log.fetch(send) ?? send)(input, { ...init, headers });
    };
  }

  /**
   * Begins to record the requests of a call, and reports each to `onRequest`. `options` must be passed to the protocol's client
   * with the call. `end` must be called when the call has ended.
   */
  begin(onRequest: (request: EgressRequest) => void): { options: CallOptions; end(): void } {
    const id = crypto.randomUUID();
    const log = new RequestLog({ onRequest, refusalOf: relayRefusal });
    const positions = new Set<string>();
    this.#running.set(id, { log, positions });
    return {
      options: {
        headers: { [CALL_HEADER]: id },
        onresumptiontoken(position) {
          positions.add(position);
          for (const oldest of positions) {
            if (positions.size <= POSITIONS_MAX) break;
            positions.delete(oldest);
          }
        },
      },
      end: () => {
        this.#running.delete(id);
        log.end();
      },
    };
  }

  #callOf(headers: Headers, body: unknown): RunningCall | undefined {
    const named = this.#running.get(headers.get(CALL_HEADER) ?? '');
    if (named !== undefined) return named;
    const calls = [...this.#running.values()];
    const position = headers.get('last-event-id');
    if (position !== null) return calls.find(({ positions }) => positions.has(position));
    // An answer does not say to which call it belongs. With several, the server's question is declined.
    return calls.length === 1 && isAnswer(body) ? calls[0] : undefined;
  }
}

/** Checks whether a message answers a question of the server. */
function isAnswer(body: unknown): boolean {
  if (typeof body !== 'string') return false;
  try {
    const message: unknown = JSON.parse(body);
    return typeof message === 'object' && message !== null && 'result' in message;
  } catch {
    // It is no message of the protocol, so it answers nothing.
    return false;
  }
}
