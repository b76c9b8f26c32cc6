/** The message box's id in the document: where the keyboard goes when its place is gone. */
export const COMPOSER_ID = 'composer';

/** Puts the keyboard into the message box. */
export const focusComposer = (): void => document.getElementById(COMPOSER_ID)?.focus();

/** Where the keyboard is, to be given back to. */
export interface FocusPlace {
  element: Element | null;
  /** What it is in, if that is marked `data-focus-home`: the place of an entry that goes away. */
  home: Element | null;
}

export function focusPlace(): FocusPlace {
  const element = document.activeElement;
  return { element, home: element?.closest('[data-focus-home]') ?? null };
}

/**
 * Gives the keyboard back to where it was, or, if that is gone, to what it was in, or to the message box; unless
 * something else has taken it.
 */
export function returnFocus({ element, home }: FocusPlace): void {
  if (!isNowhere()) return;
  if (element instanceof HTMLElement && element.isConnected && element !== document.body) element.focus();
  if (isNowhere()) home?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  if (isNowhere()) focusComposer();
}

/** Whether nothing has the keyboard. */
export const isNowhere = (): boolean => document.activeElement === document.body || document.activeElement === null;
