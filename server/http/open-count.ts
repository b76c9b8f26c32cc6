/** Counts what is open at a time, such as requests, up to a limit. */
export interface OpenCount {
  /** Counts one more. Resolves with a function that counts it no longer; undefined if the limit is reached. Never rejects. */
  enter(): Promise<(() => void) | undefined>;
}

/** Counts what is open in this process. */
export class LocalCount implements OpenCount {
  readonly #max: number;
  #open = 0;

  constructor(max: number) {
    this.#max = max;
  }

  async enter(): Promise<(() => void) | undefined> {
    if (this.#open >= this.#max) return undefined;
    this.#open++;
    let isOpen = true;
    return () => {
      if (isOpen) this.#open--;
      isOpen = false;
    };
  }
}
