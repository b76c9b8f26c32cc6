import { ANSWER_MAX_MS, PING_EVERY_MS } from './limits.ts';

/**
 * Checks with regular pings whether a page still responds. `ping` sends one. Calls `onChange` once when the page stops
 * responding, and once when it responds again.
 */
export class Heartbeat {
  readonly #ping: () => void;
  readonly #onChange: (isStuck: boolean) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isStuck = false;

  constructor(ping: () => void, onChange: (isStuck: boolean) => void) {
    this.#ping = ping;
    this.#onChange = onChange;
  }

  /** Starts the pings, the first one after `PING_EVERY_MS`. */
  start(): void {
    this.stop();
    this.#timer = setTimeout(() => this.#ask(), PING_EVERY_MS);
  }

  /** Stops the pings. A page that was stuck no longer counts as stuck, as `onChange` is told. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#tell(false);
  }

  /** Must be called for each answer to a ping. */
  answered(): void {
    if (this.#timer !== undefined) this.start();
  }

  #ask(): void {
    this.#ping();
    this.#timer = setTimeout(() => this.#tell(true), ANSWER_MAX_MS);
  }

  #tell(isStuck: boolean): void {
    if (this.#isStuck === isStuck) return;
    this.#isStuck = isStuck;
    this.#onChange(isStuck);
  }
}
