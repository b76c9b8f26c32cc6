import { CODE_SANDBOX, PREVIEW_FRAME_PATH, PREVIEW_SANDBOX, SANDBOX_FRAME_PATH } from './frame-document.ts';
import { addHidden, hiddenFrame, shownFrame } from './frame-element.ts';
import type { FrameHost } from './hosts.ts';
import type { KernelConnection, KernelEnd, KernelListener } from './kernel-connection.ts';
import { KeyboardGuard } from './keyboard-guard.ts';
import { FRAME_START_TIMEOUT_MS, PAGE_STRAYS_MAX } from './limits.ts';
import { MessageReader } from './message-reader.ts';
import type { PageMessage } from './protocol.ts';

/** Thrown if a frame could not be started: it did not respond in time, or ended before it was ready. */
export class FrameNotStarted extends Error {
  override readonly name = 'FrameNotStarted';
}

/** Options for opening a frame. */
export interface FrameOptions {
  /** Whether code runs in a worker of the frame, without a window; false by default. */
  inWorker?: boolean;
  /** The element in which users see the frame and interact with it; without it, the frame is hidden. */
  shownIn?: HTMLElement;
}

/**
 * A frame with an opaque origin, and the port to its kernel, the script that runs code in it. Nothing from the frame is
 * trusted: it is closed if it sends a message that is invalid or too large, too many messages, or more messages directly to
 * the studio's page, past the port, than are allowed.
 */
export class Frame implements KernelConnection {
  readonly host: FrameHost;
  readonly #element: HTMLIFrameElement;
  readonly #port: MessagePort;
  readonly #guard: KeyboardGuard;
  readonly #reader = new MessageReader();
  #listener: KernelListener;
  readonly #inWorker: boolean;
  readonly #isShown: boolean;
  #isOpen = true;
  /**
   * The number of pages that the studio has sent and that have not loaded yet. If another document loads, the code has
   * navigated away.
   */
  #loads = 0;
  /**
   * The one message that may bypass the port during an evaluation: the kernel sends it at the end, with a port of its own.
   * `allowed`: how many may still come. `came`: resolves when it has come. The content of such messages is ignored, because
   * reading it takes time.
   */
  #past = { allowed: 0, came: Promise.withResolvers<void>() };
  #strays = 0;

  /** Opens a frame, and resolves when its kernel is ready. Rejects with `FrameNotStarted` or with the signal's reason. */
  static async open(host: FrameHost, options: FrameOptions, abortSignal: AbortSignal): Promise<Frame> {
    const { inWorker = false, shownIn } = options;
    const element =
      shownIn === undefined
        ? hiddenFrame(`${host.origin}${SANDBOX_FRAME_PATH}`, CODE_SANDBOX)
        : shownFrame(`${host.origin}${PREVIEW_FRAME_PATH}`, PREVIEW_SANDBOX);
    const { port1, port2 } = new MessageChannel();
    const ready = Promise.withResolvers<void>();
    const frame = new Frame(host, element, port1, options, {
      onMessage: ({ type }) => type === 'ready' && ready.resolve(),
      onEnd: (reason) => ready.reject(new FrameNotStarted(reason)),
    });
    const timer = setTimeout(
      () => ready.reject(new FrameNotStarted('The frame did not respond.')),
      FRAME_START_TIMEOUT_MS,
    );
    const onAbort = () => ready.reject(abortSignal.reason);
    abortSignal.addEventListener('abort', onAbort, { once: true });
    element.addEventListener(
      'load',
      () => {
        element.contentWindow?.postMessage({ inWorker }, '*', [port2]);
        element.addEventListener('load', () => {
          if (--frame.#loads < 0) frame.#end('The code navigated away from its page.', 'left');
        });
      },
      { once: true },
    );
    if (shownIn === undefined) addHidden(element);
    else shownIn.append(element);
    try {
      await ready.promise;
      return frame;
    } catch (error) {
      frame.close();
      throw error;
    } finally {
      clearTimeout(timer);
      abortSignal.removeEventListener('abort', onAbort);
    }
  }

  private constructor(
    host: FrameHost,
    element: HTMLIFrameElement,
    port: MessagePort,
    { inWorker = false, shownIn }: FrameOptions,
    listener: KernelListener,
  ) {
    this.host = host;
    this.#element = element;
    this.#port = port;
    this.#inWorker = inWorker;
    this.#isShown = shownIn !== undefined;
    this.#listener = listener;
    port.onmessage = ({ data }) => this.#receive(data);
    // The browser closes the port when it terminates the frame's process, usually because it ran out of memory.
    port.addEventListener('close', () =>
      this.#end('The browser terminated the code, most likely because it used too much memory.', 'gone'),
    );
    addEventListener('message', this.#onStray);
    this.#guard = new KeyboardGuard(element, this.#isShown, () =>
      this.#end('The code took the keyboard focus too often.'),
    );
    document.addEventListener('securitypolicyviolation', this.#onViolation);
  }

  /** Sets the frame's title for screen readers. */
  describe(title: string): void {
    this.#element.title = title;
  }

  /** Replaces the listener for the kernel's messages and its end. */
  listen(listener: KernelListener): void {
    this.#listener = listener;
  }

  /** Sends a message to the kernel. A page to be shown also makes the frame visible. */
  send(message: PageMessage): void {
    if (message.type === 'page') {
      this.#loads++;
      this.#element.style.visibility = '';
    }
    this.#port.postMessage(JSON.stringify(message));
  }

  /**
   * Prepares for the one message that the kernel sends past the port at the end of an evaluation. Must be called before the
   * evaluation is sent.
   */
  expectEvaluation(): void {
    this.#past = { allowed: 1, came: Promise.withResolvers() };
  }

  /**
   * Resolves when all messages that the evaluation sent past the port have arrived, so that a forbidden one is attributed to
   * this evaluation and not to the next one. Resolves at once for a worker, which cannot send such messages.
   */
  async settled(): Promise<void> {
    if (!this.#inWorker) await this.#past.came.promise;
  }

  /** Removes the frame, and so ends its code immediately. The listener is not called. */
  close(): void {
    this.#isOpen = false;
    removeEventListener('message', this.#onStray);
    this.#guard.close();
    document.removeEventListener('securitypolicyviolation', this.#onViolation);
    this.#port.close();
    this.#element.remove();
  }

  readonly #onStray = ({ source, ports }: MessageEvent): void => {
    if (source === null || source !== this.#element.contentWindow) return;
    if (ports.length > 0 && --this.#past.allowed >= 0) this.#past.came.resolve();
    else if (!this.#isShown || ++this.#strays > PAGE_STRAYS_MAX)
      this.#end('The code sent messages directly to the studio’s page.');
  };

  /**
   * Ends a visible frame on a host of its own if it navigates: the policy of the studio's page blocks that, and the report of
   * the violation names the frame's host.
   */
  readonly #onViolation = ({ blockedURI, effectiveDirective }: SecurityPolicyViolationEvent): void => {
    if (effectiveDirective !== 'frame-src' || this.host.kind !== 'own') return;
    // The frame now shows the browser's error page. If this happens while a page loads, nothing else reports it.
    if (this.#isShown && blockedURI.startsWith(this.host.origin))
      this.#end('The code navigated away from its page.', 'left');
  };

  #receive(data: unknown): void {
    if (!this.#isOpen) return;
    const message = this.#reader.read(data);
    if (typeof message === 'string') this.#end(message);
    else if (message.type === 'pressed') this.#guard.notePress();
    else this.#listener.onMessage(message);
  }

  #end(reason: string, end: KernelEnd = 'broke-rule'): void {
    if (!this.#isOpen) return;
    this.close();
    this.#listener.onEnd(reason, end);
  }
}
