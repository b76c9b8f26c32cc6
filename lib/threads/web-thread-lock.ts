import { delay } from '#lib/base/delay.ts';
import type { ThreadLock, ThreadLockHost } from './thread-lock.ts';

/**
 * Messages between a tab that wants the thread (`yield`) and the tab that holds it. `busy`: a tool is still running.
 * `yielded`: the holder has stopped, and the lock may be taken.
 */
type LockMessage = { type: 'yield' | 'busy' | 'yielded' };

/** The time that the holder has to answer before it is considered hidden or hung, in milliseconds. */
const ANSWER_TIMEOUT_MS = 1_500;

/**
 * The right to act for a thread among the tabs of a browser, as a Web Lock. A tab that does not get the lock waits in
 * line until the holder closes. `takeOver` asks the holder for it, and steals it if the holder does not answer.
 */
export class WebThreadLock implements ThreadLock {
  readonly #name: string;
  readonly #host: ThreadLockHost;
  readonly #channel: BroadcastChannel;
  #held = false;
  #ready: Promise<void> = Promise.resolve();
  #closed = false;
  #request = new AbortController();
  #release: (() => void) | undefined;
  #answered: ((message: LockMessage) => void) | undefined;
  #yieldWhenIdle = false;

  constructor(threadId: string, host: ThreadLockHost) {
    this.#name = `roundtrip-studio:thread:${threadId}`;
    this.#host = host;
    this.#channel = new BroadcastChannel(this.#name);
    this.#channel.onmessage = ({ data }: MessageEvent<LockMessage>) => this.#onMessage(data);
  }

  get held(): boolean {
    return this.#held;
  }

  async open(): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    void navigator.locks
      .request(this.#name, { ifAvailable: true }, (lock) => {
        if (lock === null) {
          resolve(false);
          return undefined;
        }
        const held = this.#hold();
        resolve(true);
        return held;
      })
      .catch(() => {
        // Another tab has stolen the lock, or the browser refuses it, and then this tab only shows the thread.
        this.#lose();
        resolve(false);
      });
    const held = await promise;
    if (held) await this.#ready;
    else this.#wait();
    return held;
  }

  async takeOver(): Promise<void> {
    while (!this.#held) {
      const answer = Promise.withResolvers<LockMessage | undefined>();
      this.#answered = answer.resolve;
      const timer = setTimeout(() => answer.resolve(undefined), ANSWER_TIMEOUT_MS);
      this.#channel.postMessage({ type: 'yield' } satisfies LockMessage);
      const message = await answer.promise;
      clearTimeout(timer);
      if (message?.type === 'busy') await delay(ANSWER_TIMEOUT_MS / 2);
      else if (!this.#held) await this.#steal();
    }
    await this.#ready;
  }

  async #steal(): Promise<void> {
    this.#request.abort();
    const { promise, resolve } = Promise.withResolvers<void>();
    void navigator.locks
      .request(this.#name, { steal: true }, () => {
        const held = this.#hold();
        resolve();
        return held;
      })
      .catch(() => {
        // Another tab has stolen the lock, or the browser refuses it.
        this.#lose();
        resolve();
      });
    await promise;
  }

  idle(): void {
    if (!this.#yieldWhenIdle) return;
    this.#yieldWhenIdle = false;
    void this.#yield();
  }

  close(): void {
    this.#closed = true;
    this.#request.abort();
    this.#release?.();
    this.#channel.close();
  }

  #hold(): Promise<void> {
    this.#held = true;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#release = resolve;
    this.#ready = this.#host.acquired();
    return promise;
  }

  #wait(): void {
    if (this.#closed) return;
    this.#request = new AbortController();
    const { signal } = this.#request;
    navigator.locks
      .request(this.#name, { signal }, () => this.#hold())
      // Another tab has stolen the lock, unless this one gave up waiting.
      .catch(() => {
        if (!signal.aborted) this.#lose();
      });
  }

  #lose(): void {
    if (!this.#held) return;
    this.#held = false;
    this.#release = undefined;
    this.#host.lost();
    this.#wait();
  }

  #onMessage(message: LockMessage): void {
    if (message.type !== 'yield') {
      if (!this.#held) this.#answered?.(message);
      return;
    }
    if (!this.#held) return;
    if (this.#host.isBusy()) {
      this.#yieldWhenIdle = true;
      this.#channel.postMessage({ type: 'busy' } satisfies LockMessage);
    } else void this.#yield();
  }

  /** Stops acting for the thread and tells the other tab, which then takes the lock away from this one. */
  async #yield(): Promise<void> {
    await this.#host.pause();
    this.#channel.postMessage({ type: 'yielded' } satisfies LockMessage);
    // If the other tab was closed before it could take the lock, this one continues.
    setTimeout(() => {
      if (this.#held && !this.#closed) this.#ready = this.#host.acquired();
    }, 2 * ANSWER_TIMEOUT_MS);
  }
}
