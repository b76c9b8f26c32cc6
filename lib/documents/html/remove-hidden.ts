const HIDDEN =
  '[hidden], [aria-hidden="true"], [style*="display:none"], [style*="display: none"], [style*="visibility:hidden"], [style*="visibility: hidden"]';

/** Removes the elements of a page that nobody sees. */
export function removeHidden(page: Document): void {
  for (const element of page.querySelectorAll(HIDDEN)) element.remove();
}
