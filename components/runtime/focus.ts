/** The message box's id in the document: where the keyboard goes when its place is gone. */
export const COMPOSER_ID = 'composer';

/** Puts the keyboard into the message box. */
export const focusComposer = (): void => document.getElementById(COMPOSER_ID)?.focus();

/** Gives the keyboard back to where it was, or, if that is gone, to the message box. */
export function returnFocus(to: Element | null): void {
  if (to instanceof HTMLElement && to.isConnected && to !== document.body) to.focus();
  if (document.activeElement === document.body || document.activeElement === null) focusComposer();
}
