/**
 * Makes a function that runs `task` at once. Calls while the task runs, and in the `pauseMs` after it has ended, together run
 * it once more, when that time has passed.
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
