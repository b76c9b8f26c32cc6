/** What stands in a message for a view whose code is being loaded. */
const LOADING = '[data-loading-view]';

/** Knows which row has a view now that was still being loaded when the row was measured before. */
export class LoadingRows {
  readonly #loading = new Map<string, number>();
  #shown: string | undefined;

  /** To be called for each row that is measured. */
  look(key: string, row: Element): void {
    const before = this.#loading.get(key) ?? 0;
    const now = row.querySelectorAll(LOADING).length;
    if (now === 0) this.#loading.delete(key);
    else this.#loading.set(key, now);
    this.#shown = now < before ? key : undefined;
  }

  /** Whether a row, the last one that was measured, has got such a view. */
  hasGotView(key: string): boolean {
    return this.#shown === key;
  }
}
