import { CODE_SANDBOX, PREVIEW_FRAME_PATH, PREVIEW_SANDBOX, SANDBOX_FRAME_PATH } from './frame-document.ts';
import type { FrameHost } from './hosts.ts';
import {
  AT_WORK_MS,
  CHARS_MAX_PER_SECOND,
  FOCUS_TAKEN_MAX,
  FRAME_START_TIMEOUT_MS,
  MESSAGE_MAX_CHARS,
  MESSAGES_MAX_PER_SECOND,
  PAGE_FOCUS_TAKEN_MAX,
  PAGE_STRAYS_MAX,
  POINTER_KNOWN_MS,
  PROBE_MS,
  PROBE_PAUSE_MS,
  PROBE_TRIES,
  TYPING_MS,
} from './limits.ts';
import { type FrameMessage, frameMessageSchema, type PageMessage } from './protocol.ts';

/** All features that a frame could be granted and is not. */
const DENIED = [
  'accelerometer',
  'autoplay',
  'bluetooth',
  'camera',
  'clipboard-read',
  'clipboard-write',
  'display-capture',
  'encrypted-media',
  'focus-without-user-activation',
  'fullscreen',
  'gamepad',
  'geolocation',
  'gyroscope',
  'hid',
  'identity-credentials-get',
  'idle-detection',
  'keyboard-map',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'otp-credentials',
  'payment',
  'picture-in-picture',
  'publickey-credentials-create',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'speaker-selection',
  'storage-access',
  'usb',
  'web-share',
  'window-management',
  'xr-spatial-tracking',
];

/** The user's activity in the studio, across all frames. */
const attention = {
  isWatched: false,
  /** When a key other than Tab was last pressed. */
  typedAt: Number.NEGATIVE_INFINITY,
  /** The same, or when the pointer was last pressed in a text field. */
  writingAt: Number.NEGATIVE_INFINITY,
  /** The same, or when the pointer was last pressed anywhere. */
  usedAt: Number.NEGATIVE_INFINITY,
  /** The element that last had the focus. */
  focused: undefined as HTMLElement | undefined,
};

function watchAttention(): void {
  if (attention.isWatched) return;
  attention.isWatched = true;
  const noteFocus = (target: EventTarget | null): void => {
    if (target instanceof HTMLElement && !(target instanceof HTMLIFrameElement)) attention.focused = target;
  };
  const noteUse = (event: Event): void => {
    const isKey = event instanceof KeyboardEvent;
    attention.usedAt = isKey && event.key === 'Tab' ? Number.NEGATIVE_INFINITY : performance.now();
    if (isKey) attention.typedAt = attention.usedAt;
    if (isKey || isText(event.target)) attention.writingAt = attention.usedAt;
  };
  noteFocus(document.activeElement);
  // A user with the cursor in a text field is about to type.
  if (isText(attention.focused)) attention.writingAt = attention.usedAt = performance.now();
  document.addEventListener('focusin', ({ target }) => noteFocus(target));
  for (const type of ['keydown', 'pointerdown']) document.addEventListener(type, noteUse, true);
}

const isText = (target: EventTarget | null | undefined): boolean =>
  target instanceof Element && target.matches('input, textarea, [contenteditable]');

/** The frame did not start in time: its host does not respond, or does not serve it. */
export class FrameNotStarted extends Error {
  override readonly name = 'FrameNotStarted';
}

/** Why a frame has ended: it navigated to another document, it broke a rule, or the browser terminated it. */
export type FrameEnd = 'left' | 'broke-rule' | 'gone';

export interface FrameListener {
  onMessage(message: FrameMessage): void;
  /** Called once when the frame has ended, with the reason as text. */
  onEnd(reason: string, end: FrameEnd): void;
}

export interface FrameOptions {
  /** Run code in a worker of the frame, without a window. */
  inWorker?: boolean;
  /** The element in which users see it and interact with it; without it, the frame is hidden. */
  shownIn?: HTMLElement;
}

/**
 * A frame with an opaque origin and the port to it. Nothing from it is trusted: a message that is invalid, too large,
 * or bypasses the port closes the frame, and so do too many messages.
 */
export class Frame {
  readonly host: FrameHost;
  readonly #element: HTMLIFrameElement;
  readonly #port: MessagePort;
  #listener: FrameListener;
  readonly #inWorker: boolean;
  readonly #isShown: boolean;
  #isOpen = true;
  /** The number of documents that are expected to load: pages that the studio has sent. */
  #loads = 0;
  /**
   * Messages that bypass the port: one with a port of its own for each evaluation when it has ended. Their content is
   * ignored, because reading it takes time.
   */
  #past = { allowed: 0, came: Promise.withResolvers<void>() };
  #strays = 0;
  /** How often the frame has grabbed the focus. */
  #taken = 0;
  /** When the user last pressed the pointer in it, according to the frame. */
  #pressedAt = Number.NEGATIVE_INFINITY;
  #second = 0;
  #messages = 0;
  #characters = 0;

  /** Rejects with `FrameNotStarted` or with the signal's reason. */
  static async open(host: FrameHost, options: FrameOptions, abortSignal: AbortSignal): Promise<Frame> {
    const { inWorker = false, shownIn } = options;
    const element = shownIn === undefined ? createHidden(host) : createShown(host);
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
    (shownIn ?? document.body).append(element);
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
    listener: FrameListener,
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
    addEventListener('blur', this.#onBlur);
    element.addEventListener('focus', this.#onBlur);
    watchAttention();
    document.addEventListener('keydown', this.#onTab, true);
    document.addEventListener('securitypolicyviolation', this.#onViolation);
  }

  /** Sets its title for screen readers. */
  describe(title: string): void {
    this.#element.title = title;
  }

  listen(listener: FrameListener): void {
    this.#listener = listener;
  }

  send(message: PageMessage): void {
    if (message.type === 'page') {
      this.#loads++;
      this.#element.style.visibility = '';
    }
    this.#port.postMessage(JSON.stringify(message));
  }

  /** Must be called before an evaluation is sent. */
  expectEvaluation(): void {
    this.#past = { allowed: 1, came: Promise.withResolvers() };
  }

  /**
   * Resolves when all messages that the evaluation sent past the port have arrived, so that forbidden ones are
   * attributed to it and not to the next one.
   */
  async settled(): Promise<void> {
    if (!this.#inWorker) await this.#past.came.promise;
  }

  /** Closes it immediately, whatever it is doing. */
  close(): void {
    this.#isOpen = false;
    removeEventListener('message', this.#onStray);
    removeEventListener('blur', this.#onBlur);
    document.removeEventListener('keydown', this.#onTab, true);
    document.removeEventListener('securitypolicyviolation', this.#onViolation);
    this.#port.close();
    this.#element.remove();
  }

  /**
   * Whether the page keeps running while the frame is busy. A page that is still loading may stall for other reasons,
   * so it counts as blocked by the frame only if it stalls on every try, for about as long as the frame is busy.
   */
  async isApart(): Promise<boolean> {
    for (let tries = 0; tries < PROBE_TRIES; tries++) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#listener = { onMessage: ({ type }) => type === 'spun' && resolve(), onEnd: () => resolve() };
      this.send({ type: 'spin', ms: PROBE_MS });
      if ((await longestStall(promise)) < 0.8 * PROBE_MS) return true;
      await new Promise((resolve) => setTimeout(resolve, PROBE_PAUSE_MS));
    }
    return false;
  }

  readonly #onStray = ({ source, ports }: MessageEvent): void => {
    if (source === null || source !== this.#element.contentWindow) return;
    if (ports.length > 0 && --this.#past.allowed >= 0) this.#past.came.resolve();
    else if (!this.#isShown || ++this.#strays > PAGE_STRAYS_MAX)
      this.#end('The code sent messages directly to the studio’s page.');
  };

  readonly #onTab = ({ key }: KeyboardEvent): void => {
    if (key === 'Tab') this.#letIn();
  };

  /** The studio's own policy blocks all navigation of frames, and reports the host of the frame. */
  readonly #onViolation = ({ blockedURI, effectiveDirective }: SecurityPolicyViolationEvent): void => {
    if (effectiveDirective !== 'frame-src' || this.host.kind !== 'own') return;
    // The frame now shows the browser's error page. If this happens while a page loads, nothing else reports it.
    if (this.#isShown && blockedURI.startsWith(this.host.origin))
      this.#end('The code navigated away from its page.', 'left');
  };

  readonly #letIn = (): void => {
    this.#element.inert = false;
  };

  /** Blocks a page that has grabbed the focus from doing so again, until the user goes there or is no longer active. */
  #keepOut(): void {
    this.#element.inert = true;
    this.#element.parentElement?.addEventListener('pointerenter', this.#letIn, { once: true });
    const look = () => {
      if (!this.#isOpen || !this.#element.inert) return;
      if (this.#mayHaveKeyboard()) this.#letIn();
      else setTimeout(look, AT_WORK_MS / 5);
    };
    look();
  }

  /** The window has lost the focus. If the code took it, the user's typing would go there. */
  readonly #onBlur = (): void => {
    // The new active element is only known in the next task.
    setTimeout(() => {
      // A user who is typing does not press the pointer, so there is nothing to wait for.
      const mayBePressed = this.#isShown && !this.#element.inert && performance.now() - attention.typedAt > TYPING_MS;
      if (mayBePressed) this.#judgeWhenPointed(performance.now() + POINTER_KNOWN_MS);
      else this.#judgeBlur();
    });
  };

  /** Waits a little, because it is only known later where the pointer was pressed. */
  #judgeWhenPointed(latest: number): void {
    if (this.#mayHaveKeyboard() || performance.now() > latest) this.#judgeBlur();
    else requestAnimationFrame(() => this.#judgeWhenPointed(latest));
  }

  #judgeBlur(): void {
    const { activeElement } = document;
    const isMine = activeElement === this.#element;
    // A frame's window can have the focus without being the active element. Another frame that the user clicks becomes
    // the active element.
    if (!this.#isOpen || !document.hasFocus() || (!isMine && activeElement instanceof HTMLIFrameElement)) return;
    if (this.#isShown && this.#mayHaveKeyboard()) return;
    this.#element.blur();
    window.focus();
    attention.focused?.focus({ preventScroll: true });
    if (this.#isShown) this.#keepOut();
    const most = this.#isShown ? PAGE_FOCUS_TAKEN_MAX : FOCUS_TAKEN_MAX;
    if (isMine && ++this.#taken > most) this.#end('The code took the keyboard focus too often.');
  }

  /**
   * Users enter a visible page with the pointer, with the Tab key, or in other ways. But the page must not take the
   * focus from a user who is active in the studio.
   */
  #mayHaveKeyboard(): boolean {
    const isPointedAt = this.#element.parentElement?.matches(':hover') === true;
    // Touch input has no hover state. The frame reports touches, but it is not trusted while the user is writing.
    const isPressed = this.#pressedAt > attention.usedAt && performance.now() - attention.writingAt > AT_WORK_MS;
    return isPointedAt || isPressed || performance.now() - attention.usedAt > AT_WORK_MS;
  }

  #receive(data: unknown): void {
    if (!this.#isOpen) return;
    const message = this.#read(data);
    if (typeof message === 'string') this.#end(message);
    else if (message.type === 'pressed') this.#pressedAt = performance.now();
    else this.#listener.onMessage(message);
  }

  /** The message, or why it is invalid. */
  #read(data: unknown): FrameMessage | string {
    if (typeof data !== 'string' || data.length > MESSAGE_MAX_CHARS)
      return 'The code sent a message that is invalid or too large.';
    if (this.#isFlood(data.length)) return 'The code sent too many messages.';
    try {
      return frameMessageSchema.parse(JSON.parse(data));
    } catch {
      return 'The code sent an invalid message.';
    }
  }

  #isFlood(characters: number): boolean {
    const second = Math.floor(performance.now() / 1000);
    if (second !== this.#second) [this.#second, this.#messages, this.#characters] = [second, 0, 0];
    this.#messages++;
    this.#characters += characters;
    return this.#messages > MESSAGES_MAX_PER_SECOND || this.#characters > CHARS_MAX_PER_SECOND;
  }

  #end(reason: string, end: FrameEnd = 'broke-rule'): void {
    if (!this.#isOpen) return;
    this.close();
    this.#listener.onEnd(reason, end);
  }
}

/**
 * The longest stall of the page until a promise settles. Not measured with timers, which are throttled in hidden tabs.
 */
async function longestStall(until: Promise<void>): Promise<number> {
  const { port1, port2 } = new MessageChannel();
  let last = performance.now();
  let longest = 0;
  const look = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  port1.onmessage = () => {
    look();
    port2.postMessage(null);
  };
  port2.postMessage(null);
  await until;
  look();
  port1.close();
  return longest;
}

function createElement(address: string, sandbox: string): HTMLIFrameElement {
  const element = document.createElement('iframe');
  element.setAttribute('sandbox', sandbox);
  element.referrerPolicy = 'no-referrer';
  element.allow = DENIED.map((feature) => `${feature} 'none'`).join('; ');
  element.src = address;
  return element;
}

function createShown(host: FrameHost): HTMLIFrameElement {
  const element = createElement(`${host.origin}${PREVIEW_FRAME_PATH}`, PREVIEW_SANDBOX);
  // Does not cover the previous content until there is something to see.
  element.style.cssText = 'position:absolute;inset:0;width:100%;height:100%;border:0;background:#fff;visibility:hidden';
  return element;
}

function createHidden(host: FrameHost): HTMLIFrameElement {
  const element = createElement(`${host.origin}${SANDBOX_FRAME_PATH}`, CODE_SANDBOX);
  element.setAttribute('aria-hidden', 'true');
  element.inert = true;
  element.tabIndex = -1;
  element.title = 'Sandbox';
  // Invisible, but within the window: browsers stop rendering and animating frames outside it.
  element.style.cssText =
    'position:fixed;inset:0 auto auto 0;width:800px;height:600px;border:0;opacity:0;pointer-events:none;z-index:-1';
  return element;
}
