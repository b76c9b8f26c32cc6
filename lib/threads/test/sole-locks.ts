import type { MoveLock } from '../move-lock.ts';
import type { ThreadLock, ThreadLockHost } from '../thread-lock.ts';

/** The lock of a thread that nobody else can have. */
export class SoleThreadLock implements ThreadLock {
  readonly #host: ThreadLockHost;
  held = false;

  constructor(host: ThreadLockHost) {
    this.#host = host;
  }

  async open(): Promise<boolean> {
    this.held = true;
    await this.#host.acquired();
    return true;
  }

  async takeOver(): Promise<void> {}

  idle(): void {}

  close(): void {
    this.held = false;
  }
}

/** The lock of files that nobody else works on. */
export const soleMoveLock: MoveLock = {
  share: (work) => work(),
  ifFree: async (work) => {
    await work();
    return true;
  },
};
