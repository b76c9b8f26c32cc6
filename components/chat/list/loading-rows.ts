/** The selector of placeholders in a message for views whose code is being loaded. */
const LOADING = '[data-loading-view]';

/** Finds out whether a view of a row has been loaded since the row was measured before. */
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

  /** Checks whether a view has been loaded in a row. Known only for the row that was measured last. */
  hasGotView(key: string): boolean {
    return this.#shown === key;
  }
}
