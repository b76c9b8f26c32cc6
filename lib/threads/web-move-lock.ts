import type { MoveLock } from './move-lock.ts';

/**
 * Keeps a workspace's files from moving to another point of their history while calls in any tab of the browser are working on
 * them, as a Web Lock. `MoveLock` describes the methods.
 */
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
