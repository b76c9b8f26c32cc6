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

/** Everything that a frame could be given, and is not. */
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

/** What the person does in the studio, whatever frames come and go. */
const attention = {
  isWatched: false,
  /** When a key was last pressed; not the one that goes on to the next thing. */
  typedAt: Number.NEGATIVE_INFINITY,
  /** The same, or when the pointer was last pressed in a text. */
  writingAt: Number.NEGATIVE_INFINITY,
  /** The same, or when it was last pressed anywhere. */
  usedAt: Number.NEGATIVE_INFINITY,
  /** What had the keyboard last. */
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
  // Whoever has the cursor in a text is about to write.
  if (isText(attention.focused)) attention.writingAt = attention.usedAt = performance.now();
  document.addEventListener('focusin', ({ target }) => noteFocus(target));
  for (const type of ['keydown', 'pointerdown']) document.addEventListener(type, noteUse, true);
}

const isText = (target: EventTarget | null | undefined): boolean =>
  target instanceof Element && target.matches('input, textarea, [contenteditable]');

/** The frame was not there in time: its host does not answer, or not with it. */
export class FrameNotStarted extends Error {
  override readonly name = 'FrameNotStarted';
}

/** Why a frame has ended: it loaded another document, it broke a rule, or the browser has ended it. */
export type FrameEnd = 'left' | 'broke-rule' | 'gone';

export interface FrameListener {
  onMessage(message: FrameMessage): void;
  /** It is gone, once, as the text says. */
  onEnd(reason: string, end: FrameEnd): void;
}

export interface FrameOptions {
  /** Without a window, off the frame's thread. */
  inWorker?: boolean;
  /** Where people see it and work in it; without that it is out of sight. */
  shownIn?: HTMLElement;
}

/**
 * An opaque frame and the port to it. Nothing that comes from it is believed: what does not fit, comes too often, is too
 * large or comes past the port ends it.
 */
export class Frame {
  readonly host: FrameHost;
  readonly #element: HTMLIFrameElement;
  readonly #port: MessagePort;
  #listener: FrameListener;
  readonly #inWorker: boolean;
  readonly #isShown: boolean;
  #isOpen = true;
  /** Documents that are still to load: pages that the studio has given it. */
  #loads = 0;
  /** Messages past the port: one for each evaluation, when it has ended. What they say is never looked at. */
  #past = { allowed: 0, came: Promise.withResolvers<void>() };
  #strays = 0;
  /** How often the frame has taken the keyboard. */
  #taken = 0;
  /** When the person last pressed the pointer in it, as it says. */
  #pressedAt = Number.NEGATIVE_INFINITY;
  #second = 0;
  #messages = 0;
  #characters = 0;

  /** Rejects with `FrameNotStarted`, and with the signal's reason. */
  static async open(host: FrameHost, options: FrameOptions, abortSignal: AbortSignal): Promise<Frame> {
    const { inWorker = false, shownIn } = options;
    const element = shownIn === undefined ? createHidden(host) : createShown(host);
    const { port1, port2 } = new MessageChannel();
    const ready = Promise.withResolvers<void>();
    const frame = new Frame(host, element, port1, options, {
      onMessage: ({ type }) => type === 'ready' && ready.resolve(),
      onEnd: (reason) => ready.reject(new FrameNotStarted(reason)),
    });
    const timer = setTimeout(() => ready.reject(new FrameNotStarted('It did not answer.')), FRAME_START_TIMEOUT_MS);
    const onAbort = () => ready.reject(abortSignal.reason);
    abortSignal.addEventListener('abort', onAbort, { once: true });
    element.addEventListener(
      'load',
      () => {
        element.contentWindow?.postMessage({ inWorker }, '*', [port2]);
        element.addEventListener('load', () => {
          if (--frame.#loads < 0) frame.#end('The code has left its page.', 'left');
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
    // Where the browser has ended its process: it had no memory left.
    port.addEventListener('close', () =>
      this.#end('The browser has ended it: it most likely took too much memory.', 'gone'),
    );
    addEventListener('message', this.#onStray);
    addEventListener('blur', this.#onBlur);
    element.addEventListener('focus', this.#onBlur);
    watchAttention();
    document.addEventListener('keydown', this.#onTab, true);
    document.addEventListener('securitypolicyviolation', this.#onViolation);
  }

  /** Names it for people who cannot see it. */
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

  /** To be called before an evaluation is sent. */
  expectEvaluation(): void {
    this.#past = { allowed: 1, came: Promise.withResolvers() };
  }

  /**
   * Resolves when everything has come that the evaluation sent past the port before it ended: what it must not send is
   * held against it, and not against the next one.
   */
  async settled(): Promise<void> {
    if (!this.#inWorker) await this.#past.came.promise;
  }

  /** Ends it at once, whatever it is doing. */
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
   * Whether the page goes on while the frame is busy. A page that is just loading is late for reasons of its own: it counts
   * as held up by the frame only where it was at every try, for about as long as the frame was busy.
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

  readonly #onStray = ({ source }: MessageEvent): void => {
    if (source === null || source !== this.#element.contentWindow) return;
    if (--this.#past.allowed >= 0) this.#past.came.resolve();
    else if (!this.#isShown || ++this.#strays > PAGE_STRAYS_MAX)
      this.#end('The code sent messages to the studio’s page.');
  };

  readonly #onTab = ({ key }: KeyboardEvent): void => {
    if (key === 'Tab') this.#letIn();
  };

  /** The studio's own policy keeps frames from going anywhere, and says of whose host one was. */
  readonly #onViolation = ({ blockedURI, effectiveDirective }: SecurityPolicyViolationEvent): void => {
    if (effectiveDirective !== 'frame-src' || this.host.kind !== 'own') return;
    // What it is left with is the browser's own page; where that comes while a page loads, nothing else tells of it.
    if (this.#isShown && blockedURI.startsWith(this.host.origin)) this.#end('The code has left its page.', 'left');
  };

  readonly #letIn = (): void => {
    this.#element.inert = false;
  };

  /** A page that has taken the keyboard once cannot again, until the person goes there or has stopped working. */
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

  /** The window has lost the keyboard: where the code took it, what is typed would go there. */
  readonly #onBlur = (): void => {
    // Only then is it known to whom.
    setTimeout(() => {
      // Whoever writes does not press the pointer, so there is nothing to wait for.
      const mayBePressed = this.#isShown && !this.#element.inert && performance.now() - attention.typedAt > TYPING_MS;
      if (mayBePressed) this.#judgeWhenPointed(performance.now() + POINTER_KNOWN_MS);
      else this.#judgeBlur();
    });
  };

  /** Where the pointer was pressed is known only a little later. */
  #judgeWhenPointed(latest: number): void {
    if (this.#mayHaveKeyboard() || performance.now() > latest) this.#judgeBlur();
    else requestAnimationFrame(() => this.#judgeWhenPointed(latest));
  }

  #judgeBlur(): void {
    const { activeElement } = document;
    const isMine = activeElement === this.#element;
    // A frame's window can take it without being the active element; other frames are, where a person clicks into them.
    if (!this.#isOpen || !document.hasFocus() || (!isMine && activeElement instanceof HTMLIFrameElement)) return;
    if (this.#isShown && this.#mayHaveKeyboard()) return;
    this.#element.blur();
    window.focus();
    attention.focused?.focus({ preventScroll: true });
    if (this.#isShown) this.#keepOut();
    const most = this.#isShown ? PAGE_FOCUS_TAKEN_MAX : FOCUS_TAKEN_MAX;
    if (isMine && ++this.#taken > most) this.#end('The code took the keyboard.');
  }

  /**
   * Into a page that is shown, people go with the pointer, with the tab key, or by ways of their own. What must not be is
   * that it takes the keyboard from somebody who is at work in the studio.
   */
  #mayHaveKeyboard(): boolean {
    const isPointedAt = this.#element.parentElement?.matches(':hover') === true;
    // Fingers point at nothing; where they have pressed is told by the frame, whose word counts for nothing against somebody
    // who writes.
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

  /** The message, or why there cannot be one. */
  #read(data: unknown): FrameMessage | string {
    if (typeof data !== 'string' || data.length > MESSAGE_MAX_CHARS) return 'The code sent more than the sandbox may.';
    if (this.#isFlood(data.length)) return 'The code sent messages without end.';
    try {
      return frameMessageSchema.parse(JSON.parse(data));
    } catch {
      return 'The code sent something that the sandbox never sends.';
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

/** The longest time until a promise settles in which the page did nothing else. Timers would be late in a tab that is not shown. */
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
  // Until there is something to see, what was there before is not covered.
  element.style.cssText = 'position:absolute;inset:0;width:100%;height:100%;border:0;background:#fff;visibility:hidden';
  return element;
}

function createHidden(host: FrameHost): HTMLIFrameElement {
  const element = createElement(`${host.origin}${SANDBOX_FRAME_PATH}`, CODE_SANDBOX);
  element.setAttribute('aria-hidden', 'true');
  element.inert = true;
  element.tabIndex = -1;
  element.title = 'Sandbox';
  // Out of sight, and still within the window: the browser stops drawing, and with it animations, of what is not.
  element.style.cssText =
    'position:fixed;inset:0 auto auto 0;width:800px;height:600px;border:0;opacity:0;pointer-events:none;z-index:-1';
  return element;
}
