import { isWriting } from '#components/hooks/is-writing.ts';

/**
 * Calls `onKey` for keys that are pressed while the focus is in the conversation, or nowhere after a click into its text;
 * not for keys in text fields, and not for keys that other code has handled. Returns a function that stops this.
 */
export function onListKey(scroller: HTMLElement, onKey: (event: KeyboardEvent, target: Element) => void): () => void {
  let isPressedHere = false;
  const onPress = ({ target }: Event) => {
    isPressedHere = target instanceof Node && scroller.contains(target);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { target } = event;
    if (event.defaultPrevented || !(target instanceof Element) || isWriting(target)) return;
    if (target === document.body ? isPressedHere : scroller.contains(target)) onKey(event, target);
  };
  document.addEventListener('pointerdown', onPress, true);
  document.addEventListener('keydown', onKeyDown);
  return () => {
    document.removeEventListener('pointerdown', onPress, true);
    document.removeEventListener('keydown', onKeyDown);
  };
}
