import { messageOf } from '#lib/base/message-of.ts';
import type { DocumentReader } from '#lib/documents/document-reader.ts';
import type { WebAccess, WebAnswer, WebDocument, WebRequest, WebText } from '#lib/tools/capabilities/web.ts';
import { ToolFailure } from '#lib/tools/core/tool-call.ts';
import type { EgressRecord, EgressRequest } from '#lib/tools/egress/egress.ts';
import { hostOf } from '#lib/tools/egress/reached-hosts.ts';
import { requestSize } from '#lib/tools/egress/request-log.ts';
import { WEB_LIMITS } from '#lib/tools/web/limits.ts';
import { type BodyPart, readBody } from './body.ts';

/**
 * Options of `FetchedWeb`: `fetch`, the reason why it refused an address (`refusalOf`), the reader of documents, the record
 * of requests (`egress`), and limits.
 */
export interface FetchedWebOptions {
  /** Sends a request. Must refuse addresses that may not be called, and return redirects instead of following them. */
  fetch: typeof fetch;
  /** Explains why `fetch` refused an address; undefined for any other error. */
  refusalOf(error: unknown): string | undefined;
  reader: Pick<DocumentReader, 'read'>;
  egress: Pick<EgressRecord, 'sent'>;
  /** The limits; by default, `WEB_LIMITS`. */
  limits?: Pick<Mutable<typeof WEB_LIMITS>, 'bodyBytes' | 'bodyMs' | 'totalMs' | 'redirects'>;
}

type Mutable<Limits> = { -readonly [Limit in keyof Limits]: number };

/** The request headers, all that a server may learn about the sender. There are no cookies and no referrer. */
const HEADERS: Readonly<Record<string, string>> = {
  accept: 'text/html, application/xhtml+xml, application/json, text/*;q=0.9, application/pdf, image/*, */*;q=0.5',
  'accept-language': '*',
};

/**
 * Sends requests to the web with the `fetch` of its options, within limits of time, size, and redirects, and records each
 * one in `egress`. Follows redirects within a host; one to another host is returned with its address (`redirectsTo`). Converts
 * documents from the web to text. Both methods reject only with `ToolFailure`.
 */
export class FetchedWeb implements WebAccess {
  readonly #options: FetchedWebOptions;
  readonly #limits: NonNullable<FetchedWebOptions['limits']>;

  constructor(options: FetchedWebOptions) {
    this.#options = options;
    this.#limits = options.limits ?? WEB_LIMITS;
  }

  async request({ url, method, toolCallId, abortSignal }: WebRequest): Promise<WebAnswer> {
    const late = AbortSignal.timeout(this.#limits.totalMs);
    const signal = AbortSignal.any([abortSignal, late]);
    let target = new URL(url);
    for (let hops = 0; ; hops++) {
      const { response, body } = await this.#send(target, { method, toolCallId, signal, abortSignal });
      const { status } = response;
      const headers = Object.fromEntries(response.headers);
      const next = redirectOf(response, target);
      if (next === undefined) return { url: target.href, status, headers, body: body.bytes, ...cutOf(body) };
      if (hostOf(next) !== hostOf(target))
        return { url: target.href, status, headers, body: new Uint8Array(), redirectsTo: next.href };
      if (hops >= this.#limits.redirects)
        throw new ToolFailure('failed', `${target.host} redirects more than ${this.#limits.redirects} times.`);
      target = next;
    }
  }

  read(document: WebDocument, { abortSignal }: { abortSignal: AbortSignal }): Promise<WebText> {
    return this.#options.reader.read(document, abortSignal);
  }

  /** Sends one request and reads its body, and records both. Rejects with `ToolFailure`. */
  async #send(
    target: URL,
    call: Pick<WebRequest, 'method' | 'toolCallId' | 'abortSignal'> & { signal: AbortSignal },
  ): Promise<{ response: Response; body: BodyPart }> {
    const { method, toolCallId, signal, abortSignal } = call;
    const record: EgressRequest = {
      host: hostOf(target),
      sent: requestSize(target, { method, headers: new Headers(HEADERS) }),
      received: 0,
    };
    try {
      const response = await this.#options.fetch(target.href, {
        method,
        signal,
        headers: HEADERS,
        redirect: 'manual',
        credentials: 'omit',
        cache: 'no-store',
      });
      record.status = response.status;
      const body = await readBody(response, { maxBytes: this.#limits.bodyBytes, maxMs: this.#limits.bodyMs, signal });
      record.received = body.bytes.byteLength;
      abortSignal.throwIfAborted();
      return { response, body };
    } catch (error) {
      const refusal = this.#options.refusalOf(error);
      if (refusal !== undefined) record.sent = 0;
      const failure = abortSignal.aborted
        ? new ToolFailure('aborted', 'Stopped by the user before it finished.')
        : signal.aborted
          ? new ToolFailure('timed-out', `${target.host} did not answer in ${this.#limits.totalMs / 1000} seconds.`)
          : new ToolFailure('failed', refusal === undefined ? unreachable(target, error) : `Not sent. ${refusal}`);
      record.refused = failure.message;
      throw failure;
    } finally {
      this.#options.egress.sent(toolCallId, record);
    }
  }
}

function unreachable({ host }: URL, error: unknown): string {
  const reason = messageOf(error);
  return reason.startsWith(host) ? reason : `${host} could not be reached: ${reason}`;
}

const cutOf = ({ cut }: BodyPart): Pick<WebAnswer, 'cut'> => (cut === undefined ? {} : { cut });

/** The address that a response redirects to; undefined if it does not, or if the address is neither `http:` nor `https:`. */
function redirectOf({ status, headers }: Response, from: URL): URL | undefined {
  const location = headers.get('location');
  if (status < 300 || status >= 400 || location === null || !URL.canParse(location, from)) return undefined;
  const to = new URL(location, from);
  to.hash ||= from.hash;
  return to.protocol === 'https:' || to.protocol === 'http:' ? to : undefined;
}
