import { AT_WORK_MS, FOCUS_TAKEN_MAX, PAGE_FOCUS_TAKEN_MAX, POINTER_KNOWN_MS, TYPING_MS } from './limits.ts';

/**
 * The user's activity in the studio's own page, shared by the guards of all frames. Times are as `performance.now()` tells;
 * the Tab key resets them all, as if the user had never been active.
 */
const attention = {
  isWatched: false,
  /** The time of the last key press. */
  typedAt: Number.NEGATIVE_INFINITY,
  /** The time of the last key press, or pointer press in a text field. */
  writingAt: Number.NEGATIVE_INFINITY,
  /** The time of the last key press, or pointer press anywhere. */
  usedAt: Number.NEGATIVE_INFINITY,
  /** The element of the studio, other than a frame, that last had the focus. */
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

/**
 * Gives the keyboard focus back to the studio if a frame's code takes it, so that the user's typing does not go there. A hidden
 * frame must never have it. A visible page may have it if the user points at the page, has pressed the pointer there since last
 * using the studio, or is not active in the studio.
 */
export class KeyboardGuard {
  readonly #element: HTMLIFrameElement;
  readonly #isShown: boolean;
  readonly #onTakenTooOften: () => void;
  #isOpen = true;
  /** The number of times that the frame has grabbed the focus. */
  #taken = 0;
  /** The time at which the user last pressed the pointer in the frame, according to the frame. */
  #pressedAt = Number.NEGATIVE_INFINITY;

  /**
   * `isShown`: whether the frame is a visible page. `onTakenTooOften`: called whenever the frame takes the focus after it has
   * done so as often as allowed.
   */
  constructor(element: HTMLIFrameElement, isShown: boolean, onTakenTooOften: () => void) {
    this.#element = element;
    this.#isShown = isShown;
    this.#onTakenTooOften = onTakenTooOften;
    addEventListener('blur', this.#onBlur);
    element.addEventListener('focus', this.#onBlur);
    watchAttention();
    document.addEventListener('keydown', this.#onTab, true);
  }

  /** Takes note that the user has pressed the pointer in the frame, according to the frame. */
  notePress(): void {
    this.#pressedAt = performance.now();
  }

  /** Stops guarding; the frame is about to be removed. */
  close(): void {
    this.#isOpen = false;
    removeEventListener('blur', this.#onBlur);
    document.removeEventListener('keydown', this.#onTab, true);
  }

  readonly #onTab = ({ key }: KeyboardEvent): void => {
    if (key === 'Tab') this.#letIn();
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

  /**
   * Called when the studio's window has lost the focus, or the frame has got it. Soon after, finds out whether the frame may
   * have the focus, and takes it back if not.
   */
  readonly #onBlur = (): void => {
    // The new active element is only known in the next task.
    setTimeout(() => {
      // A user who is typing does not press the pointer, so there is nothing to wait for.
      const mayBePressed = this.#isShown && !this.#element.inert && performance.now() - attention.typedAt > TYPING_MS;
      if (mayBePressed) this.#judgeWhenPointed(performance.now() + POINTER_KNOWN_MS);
      else this.#judgeBlur();
    });
  };

  /**
   * Judges the loss of the focus as soon as the frame may have it, at the latest at the time `latest`: where the pointer was
   * pressed is only known a little later.
   */
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
    if (isMine && ++this.#taken > most) this.#onTakenTooOften();
  }

  /**
   * Checks whether a visible page may have the focus: if the pointer is over it, if the user was not writing and has last
   * pressed the pointer in it, or if the user is not active in the studio. The page must not take the focus from a user who
   * is.
   */
  #mayHaveKeyboard(): boolean {
    const isPointedAt = this.#element.parentElement?.matches(':hover') === true;
    // Touch input has no hover state. The frame reports touches, but it is not trusted while the user is writing.
    const isPressed = this.#pressedAt > attention.usedAt && performance.now() - attention.writingAt > AT_WORK_MS;
    return isPointedAt || isPressed || performance.now() - attention.usedAt > AT_WORK_MS;
  }
}
