import { focusComposer, hasNothingFocus } from '#components/ui/focus.ts';

/** The time after a key press in which lost focus is looked for, in milliseconds. */
const WATCH_MS = 3_000;
/** The time between two checks for lost focus, in milliseconds. */
const CHECK_EVERY_MS = 100;

/** The number of checks in a row that find no focus before it is moved, so that views can move it first. */
const CHECKS = 4;

const FOCUSABLE =
  ':is(a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, [tabindex="0"]):not([aria-hidden="true"])';

/**
 * After a key press, moves the focus to something near the element that had it if that element was removed or disabled,
 * such as a button that has done its work. Otherwise the next Tab would start at the beginning of the page. Returns a
 * function that stops this.
 */
export function keepFocus(): () => void {
  let last: { element: Element; above: readonly Element[] } | undefined;
  let until = 0;
  let checks = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const check = () => {
    timer = undefined;
    checks = last !== undefined && hasNothingFocus() && isLost(last.element) ? checks + 1 : 0;
    if (last !== undefined && checks >= CHECKS) {
      const { above } = last;
      last = undefined;
      focusNextTo(above);
    }
    if (performance.now() < until) timer = setTimeout(check, CHECK_EVERY_MS);
  };
  const watch = () => {
    until = performance.now() + WATCH_MS;
    timer ??= setTimeout(check, CHECK_EVERY_MS);
  };
  const endWatch = () => {
    until = 0;
    last = undefined;
  };
  const remember = ({ target }: FocusEvent) => {
    if (target instanceof Element && target !== document.body)
      last = { element: target, above: [...ancestors(target)] };
  };
  addEventListener('focusin', remember, true);
  addEventListener('keydown', watch, true);
  addEventListener('pointerdown', endWatch, true);
  return () => {
    clearTimeout(timer);
    removeEventListener('focusin', remember, true);
    removeEventListener('keydown', watch, true);
    removeEventListener('pointerdown', endWatch, true);
  };
}

const isLost = (element: Element): boolean => !element.isConnected || element.matches(':disabled');

function* ancestors(element: Element): Generator<Element> {
  for (let above = element.parentElement; above !== null && above !== document.body; above = above.parentElement)
    yield above;
}

function focusNextTo(above: readonly Element[]): void {
  for (const place of above) {
    if (!place.isConnected) continue;
    // The view that appears here takes the focus itself.
    if (place.matches('[data-own-focus]')) return;
    // The first focusable element in a conversation may be far away, so the message box gets the focus.
    if (place.matches('article, [role="feed"], main')) break;
    const found = firstIn(place);
    if (found === undefined) continue;
    found.focus();
    return;
  }
  const dialog = [...document.querySelectorAll('[role="dialog"]')].at(-1);
  const inDialog = dialog === undefined ? undefined : firstIn(dialog);
  if (inDialog !== undefined) inDialog.focus();
  else focusComposer();
}

const firstIn = (place: Element): HTMLElement | undefined =>
  [...place.querySelectorAll<HTMLElement>(FOCUSABLE)].find((one) => one.checkVisibility({ visibilityProperty: true }));
