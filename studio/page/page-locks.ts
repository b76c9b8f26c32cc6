type Granted = (lock: Lock | null) => unknown;

/** Locks within one page, in place of `navigator.locks`, for a browser that denies locks along with its storage. */
export class PageLocks {
  readonly #held = new Map<string, Promise<unknown>>();

  /** Works like `navigator.locks.request`, but within this page. */
  async request(name: string, options: LockOptions | Granted, granted?: Granted): Promise<unknown> {
    const callback = typeof options === 'function' ? options : granted;
    const { mode = 'exclusive', ifAvailable, steal, signal } = typeof options === 'function' ? {} : options;
    for (let held = this.#held.get(name); held !== undefined && !steal; held = this.#held.get(name)) {
      if (ifAvailable) return callback?.(null);
      if (mode === 'shared') break;
      await held;
      signal?.throwIfAborted();
    }
    const work = (async () => callback?.({ name, mode }))();
    const ended = work.then(
      () => undefined,
      () => undefined,
    );
    this.#held.set(name, ended);
    void ended.then(() => this.#held.get(name) === ended && this.#held.delete(name));
    return work;
  }

  query(): Promise<LockManagerSnapshot> {
    return Promise.resolve({ held: Array.from(this.#held.keys(), (name) => ({ name })), pending: [] });
  }
}

/** Replaces `navigator.locks` by `PageLocks` if the browser denies locks. */
export async function replaceDeniedLocks(): Promise<void> {
  if (navigator.locks === undefined) return;
  try {
    await navigator.locks.request('roundtrip-studio:probe', { ifAvailable: true }, () => undefined);
  } catch {
    Object.defineProperty(navigator, 'locks', { configurable: true, value: new PageLocks() });
  }
}
