/** Lets others have the thread: what takes long does so between two parts. Timers, too, have their turn. */
export const pause = (): Promise<void> =>
  'scheduler' in globalThis && 'postTask' in scheduler
    ? scheduler.postTask(() => undefined)
    : new Promise((resolve) => {
        setTimeout(resolve, 0);
      });
