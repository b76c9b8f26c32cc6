import { COMPOSER_ID } from '#components/hooks/composer-id.ts';

/** Moves the focus to the message box. */
export const focusComposer = (): void => document.getElementById(COMPOSER_ID)?.focus();

/** The element that had the focus, so that it can be restored. */
export interface FocusPlace {
  element: Element | null;
  /** The closest ancestor marked `data-focus-home`. If `element` disappears, the focus goes to its `tabindex="0"` element. */
  home: Element | null;
}

export function focusPlace(): FocusPlace {
  const element = document.activeElement;
  return { element, home: element?.closest('[data-focus-home]') ?? null };
}

/**
 * Restores the focus to the element that had it or, if that is gone, to an element in its `home` or to the message box, unless
 * something else has taken the focus.
 */
export function returnFocus({ element, home }: FocusPlace): void {
  if (!hasNothingFocus()) return;
  if (element instanceof HTMLElement && element.isConnected && element !== document.body) element.focus();
  if (hasNothingFocus()) home?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  if (hasNothingFocus()) focusComposer();
}

const targetOf = ({ element, home }: FocusPlace): HTMLElement | undefined => {
  const candidates = [element, home?.querySelector('[tabindex="0"]')];
  return candidates.find(
    (candidate): candidate is HTMLElement =>
      candidate instanceof HTMLElement &&
      candidate !== document.body &&
      candidate.isConnected &&
      candidate.getClientRects().length > 0,
  );
};

/** The number of frames that a list may take to render the element that had the focus. */
const FRAMES_MAX = 20;

/**
 * Moves the focus from the message box back to `place` in a pane that is shown again, as soon as it is rendered. Gives up
 * after `FRAMES_MAX` frames, or once the message box has lost the focus. Returns a function that cancels this.
 */
export function returnFocusFromComposer(place: FocusPlace): () => void {
  let frame = 0;
  let left = FRAMES_MAX;
  const attempt = () => {
    if (document.activeElement?.id !== COMPOSER_ID) return;
    const target = targetOf(place);
    if (target !== undefined) target.focus();
    else if (left-- > 0) frame = requestAnimationFrame(attempt);
  };
  frame = requestAnimationFrame(attempt);
  return () => cancelAnimationFrame(frame);
}

/** Checks whether nothing has the focus. */
export const hasNothingFocus = (): boolean =>
  document.activeElement === document.body || document.activeElement === null;

/** Moves the focus to the message box in the next frame if nothing has it then. */
export const focusComposerIfNoFocus = (): void => {
  requestAnimationFrame(() => {
    if (hasNothingFocus()) focusComposer();
  });
};
