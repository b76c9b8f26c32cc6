/** The longest time that printing waits for views and images that are being loaded, in milliseconds. */
export const PRINT_WAIT_MS = 10_000;

/** The number of frames in a row without anything that is being loaded, after which all is there. */
const QUIET_FRAMES = 10;

/**
 * Prints the page, with all of the open thread. Unlike the browser's own command, it first waits for views and images that
 * are being loaded, at most `PRINT_WAIT_MS`.
 */
export async function printPage(): Promise<void> {
  let hasBegun = false;
  const onBegin = ({ isTrusted }: Event) => {
    hasBegun ||= isTrusted;
  };
  // Views show all that they have, as when the browser prints.
  dispatchEvent(new Event('beforeprint'));
  addEventListener('beforeprint', onBegin);
  try {
    await loaded();
    print();
  } finally {
    removeEventListener('beforeprint', onBegin);
    // The browser says when it has printed, unless it refuses to print at all.
    if (!hasBegun) dispatchEvent(new Event('afterprint'));
  }
}

async function loaded(): Promise<void> {
  const end = performance.now() + PRINT_WAIT_MS;
  for (let quiet = 0; quiet < QUIET_FRAMES && performance.now() < end; ) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    quiet = isLoading() ? 0 : quiet + 1;
  }
}

const isLoading = (): boolean =>
  document.querySelector('main [data-loading-view]') !== null ||
  [...document.querySelectorAll<HTMLImageElement>('main img')].some((image) => !image.complete);
