/** What is typed between the wish for the palette and the moment when it has the keyboard belongs to it. */
let typed = '';
let isCollecting = false;
let timer: ReturnType<typeof setTimeout> | undefined;

/** A palette that has not come by then does not come. */
const PATIENCE_MS = 5_000;

export function beginTypeAhead(): void {
  if (isCollecting) return;
  isCollecting = true;
  addEventListener('keydown', collect, true);
  timer = setTimeout(endTypeAhead, PATIENCE_MS);
}

/** What was typed meanwhile; from now on keys go where the focus is. */
export function endTypeAhead(): string {
  stop();
  const ahead = typed;
  typed = '';
  return ahead;
}

function stop(): void {
  clearTimeout(timer);
  removeEventListener('keydown', collect, true);
  isCollecting = false;
}

function collect(event: KeyboardEvent): void {
  // The palette has the keyboard already: it was open, and is asked for once more.
  if (document.activeElement?.closest('[role="dialog"]')) {
    stop();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.key.length === 1) typed += event.key;
  else if (event.key === 'Backspace') typed = typed.slice(0, -1);
  else if (event.key !== 'Enter') return;
  event.preventDefault();
  event.stopPropagation();
}
