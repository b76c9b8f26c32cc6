import { isWriting } from '#components/hooks/is-writing.ts';

/**
 * Calls back for keys that are meant for the conversation: pressed in it, or after a click into its text, which focuses
 * nothing. Returns what ends that.
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
