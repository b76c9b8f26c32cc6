/** Says what the holder does between two others: a tab that wants the thread, and the one that has it. */
type LockMessage = { type: 'yield' | 'busy' | 'yielded' };

/** How long a holder may take to answer before it counts as hidden or hung, in milliseconds. */
const ANSWER_TIMEOUT_MS = 1_500;

export interface ThreadLockHost {
  /** This tab has the thread; resolves when it has looked at what is stored and goes on from there. */
  acquired(): Promise<void>;
  /** Another tab has taken the thread; nothing more may be done for it here. */
  lost(): void;
  /** Whether a tool runs: only then is the thread not given away at once. */
  isBusy(): boolean;
  /** Stops acting without ending anything; resolves when nothing more will be written. */
  pause(): Promise<void>;
}

/**
 * The right to act for a thread: one tab at a time, by a Web Lock (rule R4). A tab that does not get it waits in line
 * and has it when the holder closes; `takeOver` asks the holder, and takes it from one that does not answer.
 */
export class ThreadLock {
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

  /** Takes the lock if it is free; resolves with whether it is. Otherwise stays in line for it. */
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
      .catch(() => this.#lose());
    const held = await promise;
    if (held) await this.#ready;
    else this.#wait();
    return held;
  }

  /** Resolves when this tab has the lock: at once, when the holder yields, or when it does not answer in time. */
  async takeOver(): Promise<void> {
    for (; !this.#held; ) {
      const answer = Promise.withResolvers<LockMessage | undefined>();
      this.#answered = answer.resolve;
      const timer = setTimeout(() => answer.resolve(undefined), ANSWER_TIMEOUT_MS);
      this.#channel.postMessage({ type: 'yield' } satisfies LockMessage);
      const message = await answer.promise;
      clearTimeout(timer);
      if (message?.type === 'busy') await new Promise((resolve) => setTimeout(resolve, ANSWER_TIMEOUT_MS / 2));
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
      .catch(() => this.#lose());
    await promise;
  }

  /** To be called when a tool has ended: gives the lock to a tab that waited for that. */
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

  /** Stops acting and says so; the other tab then takes the lock, which ends the hold here. */
  async #yield(): Promise<void> {
    await this.#host.pause();
    this.#channel.postMessage({ type: 'yielded' } satisfies LockMessage);
    // The other tab may have gone before it could take the lock: then this one goes on.
    setTimeout(() => {
      if (this.#held && !this.#closed) this.#ready = this.#host.acquired();
    }, 2 * ANSWER_TIMEOUT_MS);
  }
}
