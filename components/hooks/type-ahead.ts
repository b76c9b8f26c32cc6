/** The characters typed between opening the palette or the find bar and the moment it gets the focus, to be put into it. */
let typed = '';
let isEntered = false;
let isCollecting = false;
let timer: ReturnType<typeof setTimeout> | undefined;

/** The time to wait for the focus before giving up, in milliseconds. */
const PATIENCE_MS = 5_000;

export function beginTypeAhead(): void {
  if (isCollecting) return;
  isCollecting = true;
  addEventListener('keydown', collect, true);
  timer = setTimeout(endTypeAhead, PATIENCE_MS);
}

/**
 * Stops collecting the keys that are pressed before the palette or the find bar has the focus. Returns what was typed since
 * `beginTypeAhead`, and whether Enter followed.
 */
export function endTypeAhead(): { text: string; isEntered: boolean } {
  stop();
  const ahead = { text: typed, isEntered };
  typed = '';
  isEntered = false;
  return ahead;
}

function stop(): void {
  clearTimeout(timer);
  removeEventListener('keydown', collect, true);
  isCollecting = false;
}

function collect(event: KeyboardEvent): void {
  // The palette or find bar was already open when it was requested again, and gets the keys itself.
  if (document.activeElement?.closest('[role="dialog"], search')) {
    stop();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (isEntered) {
    // The palette is about to close again.
  } else if (event.key === 'Enter') isEntered = true;
  else if (event.key.length === 1) typed += event.key;
  else if (event.key === 'Backspace') typed = typed.slice(0, -1);
  else return;
  event.preventDefault();
  event.stopPropagation();
}
