import { messageOf } from '#lib/base/message-of.ts';
import { SerialQueue } from '#lib/base/serial-queue.ts';
import type { WebAccess } from '#lib/tools/capabilities/web.ts';
import { ANSWER_IMAGE, type EgressDecision } from '#lib/tools/egress/egress.ts';
import type { AnswerImage } from '#lib/tools/web/answer-image.ts';
import { imageType } from '#lib/tools/web/body-text.ts';
import { ANSWER_IMAGE_LIMITS, WEB_LIMITS } from '#lib/tools/web/limits.ts';
import type { EgressLedger } from './egress-ledger.ts';
import { pageWeb } from './page-web.ts';

/**
 * Matches the types of images that browsers show, but that cannot be told from the first bytes. For these, the type that the
 * server names counts.
 */
const NAMED_TYPES = /^image\/(?:svg\+xml|avif|bmp|x-icon|vnd\.microsoft\.icon)$/;

/** A request for an image, in a thread, and why it may be sent. */
interface AnswerImageRequest {
  url: string;
  threadId: string;
  decision: EgressDecision;
  abortSignal: AbortSignal;
}

/**
 * Loads the images of other sites that answers show once their host is allowed. The requests go through the studio’s server,
 * and are recorded.
 */
export class AnswerImages {
  readonly #egress: Pick<EgressLedger, 'of'>;
  readonly #web: Pick<WebAccess, 'request'>;
  /** Images by address, the one that was used last at the end. */
  readonly #kept = new Map<string, Blob>();
  /** Queues of requests, by host. An answer with many images must not take all of the page's connections. */
  readonly #queues = new Map<string, SerialQueue>();

  constructor(egress: Pick<EgressLedger, 'of' | 'sent'>, web: Pick<WebAccess, 'request'> = imageWeb(egress)) {
    this.#egress = egress;
    this.#web = web;
  }

  /**
   * Loads an image, unless it is kept from before. Follows no redirect: resolves with `moved` and the new address. Loads one
   * image after the other from each host. Never rejects.
   */
  load(request: AnswerImageRequest): Promise<AnswerImage> {
    const { host } = new URL(request.url);
    const queue = this.#queues.get(host) ?? new SerialQueue();
    this.#queues.set(host, queue);
    return queue.run(() => this.#load(request));
  }

  async #load({ url, threadId, decision, abortSignal }: AnswerImageRequest): Promise<AnswerImage> {
    const known = this.#kept.get(url);
    if (known !== undefined) return { type: 'image', blob: this.#keep(url, known) };
    if (abortSignal.aborted) return { type: 'failed', reason: { message: 'It is not shown anymore.' } };
    const toolCallId = `image-${crypto.randomUUID()}`;
    this.#egress.of(threadId).allowed({ toolCallId, toolName: ANSWER_IMAGE }, decision);
    try {
      const answer = await this.#web.request({ url, method: 'GET', toolCallId, abortSignal });
      if (answer.redirectsTo !== undefined) return { type: 'moved', url: answer.redirectsTo };
      if (answer.status >= 400) return { type: 'failed', reason: { status: answer.status } };
      if (answer.cut !== undefined) return { type: 'failed', reason: answer.cut === 'size' ? 'too-large' : 'cut' };
      const named = (answer.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
      const type = imageType(answer.body) ?? (NAMED_TYPES.test(named) ? named : undefined);
      if (type === undefined) return { type: 'failed', reason: 'no-image' };
      const blob = new Blob([answer.body as Uint8Array<ArrayBuffer>], { type });
      return { type: 'image', blob: this.#keep(url, blob) };
    } catch (error) {
      return { type: 'failed', reason: { message: messageOf(error) } };
    }
  }

  #keep(url: string, blob: Blob): Blob {
    this.#kept.delete(url);
    this.#kept.set(url, blob);
    let bytes = [...this.#kept.values()].reduce((sum, { size }) => sum + size, 0);
    for (const [other, { size }] of this.#kept) {
      if (bytes <= ANSWER_IMAGE_LIMITS.keptBytes) break;
      this.#kept.delete(other);
      bytes -= size;
    }
    return blob;
  }
}

const imageWeb = (egress: Pick<EgressLedger, 'sent'>): WebAccess =>
  pageWeb(egress, { ...WEB_LIMITS, bodyBytes: ANSWER_IMAGE_LIMITS.bytes });
