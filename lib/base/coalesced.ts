/**
 * Returns a function that runs `task` immediately when it is called. All calls while the task runs, and within `pauseMs`
 * milliseconds after it has ended, are merged into one: the task runs once more when that time has passed.
 */
export function coalesced(task: () => Promise<void>, pauseMs: number): () => void {
  let isBusy = false;
  let isWanted = false;
  const run = async (): Promise<void> => {
    isBusy = true;
    isWanted = false;
    try {
      await task();
    } finally {
      setTimeout(() => {
        isBusy = false;
        if (isWanted) void run();
      }, pauseMs);
    }
  };
  return () => {
    if (isBusy) isWanted = true;
    else void run();
  };
}
