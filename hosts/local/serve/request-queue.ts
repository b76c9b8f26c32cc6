/** Runs tasks that only read side by side, and every other one alone, in the order in which they came. */
export class RequestQueue {
  /** Settles when everything that came before has ended. */
  #all: Promise<unknown> = Promise.resolve();
  /** Settles when the last task that does not only read has ended. */
  #writes: Promise<unknown> = Promise.resolve();

  run<T>(onlyReads: boolean, task: () => Promise<T>): Promise<T> {
    const result = (onlyReads ? this.#writes : this.#all).then(task);
    const ended = result.then(
      () => undefined,
      () => undefined,
    );
    // Without its values: those would be a list that holds all lists before it.
    this.#all = Promise.all([this.#all, ended]).then(() => undefined);
    if (!onlyReads) this.#writes = ended;
    return result;
  }

  /** Resolves when everything that was added so far has ended. */
  async idle(): Promise<void> {
    await this.#all;
  }
}
