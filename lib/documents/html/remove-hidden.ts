const HIDDEN =
  '[hidden], [aria-hidden="true"], [style*="display:none"], [style*="display: none"], [style*="visibility:hidden"], [style*="visibility: hidden"]';

/** Removes the elements of an HTML page that are marked as hidden: by `hidden`, by `aria-hidden`, or by an inline style. */
export function removeHidden(page: Document): void {
  for (const element of page.querySelectorAll(HIDDEN)) element.remove();
}
