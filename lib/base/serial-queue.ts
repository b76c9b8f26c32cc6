/** Runs asynchronous tasks one after the other, in the order in which they were added. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();
  #unfinished = 0;

  /** Whether a task is running or waiting; false by the time the caller of the last task has its result. */
  get isBusy(): boolean {
    return this.#unfinished > 0;
  }

  /**
   * Runs a task once all earlier ones have ended, and never before this call returns. A task that throws or rejects
   * does so only for its own caller: those after it run as usual.
   */
  run<T>(task: () => T | Promise<T>): Promise<T> {
    this.#unfinished++;
    const result = this.#last.then(task);
    const end = () => {
      this.#unfinished--;
    };
    this.#last = result.then(end, end);
    return result;
  }

  /** Resolves when all tasks that have been added so far have ended, whether they succeeded or failed. */
  idle(): Promise<void> {
    return this.run(() => undefined);
  }
}
