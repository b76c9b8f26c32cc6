/**
 * A time limit of `ms` milliseconds from its creation on, which can be paused by holds, for example while the user is asked for
 * permission. When the time is over, it calls `onEnd` once.
 */
export class Deadline {
  readonly #onEnd: () => void;
  #remainingMs: number;
  #startedAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #holds = 0;
  #isOver = false;

  constructor(ms: number, onEnd: () => void) {
    this.#remainingMs = ms;
    this.#onEnd = onEnd;
    this.#start();
  }

  /** Adds a hold (true) or releases one (false). Time runs again when all holds are released. */
  readonly hold = (isHeld: boolean): void => {
    this.#holds += isHeld ? 1 : -1;
    if (this.#isOver) return;
    if (isHeld && this.#holds === 1) {
      clearTimeout(this.#timer);
      this.#remainingMs -= performance.now() - this.#startedAt;
    } else if (this.#holds === 0) this.#start();
  };

  /** Stops the time limit permanently, regardless of holds: `onEnd` is not called any more. */
  stop(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #start(): void {
    this.#startedAt = performance.now();
    this.#timer = setTimeout(this.#onEnd, this.#remainingMs);
  }
}
