import type { MoveLock } from './move-lock.ts';

/** A lock for the files of a workspace that all tabs of a browser share, as a Web Lock. */
export class WebMoveLock implements MoveLock {
  readonly #name: string;

  constructor(workspaceId: string) {
    this.#name = `roundtrip-studio:files:${workspaceId}`;
  }

  share<T>(work: () => Promise<T>): Promise<T> {
    return navigator.locks.request(this.#name, { mode: 'shared' }, work);
  }

  ifFree(work: () => Promise<void>): Promise<boolean> {
    return navigator.locks.request(this.#name, { ifAvailable: true }, async (lock) => {
      if (lock !== null) await work();
      return lock !== null;
    });
  }
}
