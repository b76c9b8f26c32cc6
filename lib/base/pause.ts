/** Yields the thread to other work, including timers. Long-running work calls this between its parts. */
export const pause = (): Promise<void> =>
  'scheduler' in globalThis && 'postTask' in scheduler
    ? scheduler.postTask(() => undefined)
    : new Promise((resolve) => {
        setTimeout(resolve, 0);
      });
