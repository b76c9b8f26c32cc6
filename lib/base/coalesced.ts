/**
 * A function that runs a task: at once, and if it is called meanwhile or soon after, once more, but not before `pauseMs` have
 * passed since the task has ended.
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
