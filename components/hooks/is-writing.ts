/** Checks whether the target of an event, such as a key press, is in a form field or in other text that can be edited. */
export const isWriting = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;
