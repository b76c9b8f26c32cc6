import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Workspaces } from './workspaces.ts';

/** The share of the browser's quota above which the user is warned. */
const STORAGE_WARN_SHARE = 0.8;
/** The number of bytes that must be left; with less, the user is warned, too. */
const STORAGE_WARN_BYTES = 100_000_000;

/** The interval between two measurements of usage, in milliseconds. */
const LOOK_EVERY_MS = 60_000;
/** The delay of a measurement after a change of files, in milliseconds. */
const LOOK_AFTER_CHANGE_MS = 5_000;

export interface StorageUse {
  /** The number of bytes in use; undefined if the browser does not say. */
  used: number | undefined;
  /** The number of bytes that the browser allows; undefined if it does not say. */
  quota: number | undefined;
  /** Whether the browser has promised not to clear the studio's storage by itself. */
  isPersistent: boolean;
  isNearlyFull: boolean;
}

/** Measures how much of the browser's storage the whole studio uses. */
export class StorageMeter {
  readonly state: StoreApi<StorageUse> = createStore<StorageUse>(() => ({
    used: undefined,
    quota: undefined,
    isPersistent: false,
    isNearlyFull: false,
  }));
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lookAt = 0;
  #asked = false;
  #isClosed = false;

  /** Measures now and then at intervals; sooner when files of the shown workspace change. */
  follow(workspaces: Workspaces): void {
    let unwatch = () => {};
    workspaces.state.subscribe(({ shown }, before) => {
      if (shown === before.shown) return;
      unwatch();
      unwatch = shown?.fileSystem.watch(() => this.#lookIn(LOOK_AFTER_CHANGE_MS)) ?? (() => {});
    });
    void this.measure();
  }

  /** Measures no more. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  /** Measures now, and again after a minute. The result is in `state`. */
  async measure(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const [{ usage, quota } = {}, isPersistent = false] = await Promise.all([
      // If the browser does not say, nobody is warned; it is asked again later.
      navigator.storage?.estimate().catch(() => undefined),
      navigator.storage?.persisted().catch(() => false),
    ]);
    const isNearlyFull =
      usage !== undefined &&
      quota !== undefined &&
      (usage > quota * STORAGE_WARN_SHARE || quota - usage < STORAGE_WARN_BYTES);
    this.state.setState({ used: usage, quota, isPersistent, isNearlyFull });
    this.#lookIn(LOOK_EVERY_MS);
  }

  /**
   * Asks the browser to keep the storage even if space runs out. Called when there is something to keep; asks only once in a
   * page.
   */
  async askToPersist(): Promise<void> {
    if (this.#asked || this.state.getState().isPersistent) return;
    this.#asked = true;
    // A browser that cannot answer promises nothing.
    const isPersistent = (await navigator.storage?.persist().catch(() => false)) ?? false;
    this.state.setState({ isPersistent });
  }

  #lookIn(ms: number): void {
    if (this.#isClosed) return;
    const at = Date.now() + ms;
    // Never postpone an earlier measurement: otherwise a model that keeps writing would prevent any.
    if (this.#timer !== undefined && this.#lookAt <= at) return;
    clearTimeout(this.#timer);
    this.#lookAt = at;
    this.#timer = setTimeout(() => void this.measure(), ms);
  }
}
