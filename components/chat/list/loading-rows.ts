/** The selector of placeholders in a message for views whose code is being loaded. */
const LOADING = '[data-loading-view]';

/**
 * Finds out whether the code of a view in a row has been loaded since the row was last measured. The list keeps the reader's
 * place if that is why a row has grown.
 */
export class LoadingRows {
  readonly #loading = new Map<string, number>();
  #shown: string | undefined;

  /** Counts the views in a row that are still loading. To be called whenever a row is measured. */
  look(key: string, row: Element): void {
    const before = this.#loading.get(key) ?? 0;
    const now = row.querySelectorAll(LOADING).length;
    if (now === 0) this.#loading.delete(key);
    else this.#loading.set(key, now);
    this.#shown = now < before ? key : undefined;
  }

  /** Checks whether a view in a row has just been loaded. Always false for rows other than the one measured last. */
  hasGotView(key: string): boolean {
    return this.#shown === key;
  }
}
