/**
 * Keeps an editor from taking a key for a shortcut that types a character: on many layouts, Option or Alt with a letter does,
 * and Monaco's shortcuts with Alt would swallow it. Returns what ends that.
 */
export function keepTypedCharacters(container: HTMLElement): () => void {
  const keep = (event: KeyboardEvent) => {
    const { key, code, altKey, ctrlKey, metaKey } = event;
    if (!altKey || ctrlKey || metaKey || [...key].length !== 1) return;
    const printed = /^(?:Key|Digit)(.)$/.exec(code)?.[1];
    const isOther = printed === undefined ? !/[ -~]/.test(key) : key.toUpperCase() !== printed;
    if (isOther) event.stopPropagation();
  };
  container.addEventListener('keydown', keep, { capture: true });
  return () => container.removeEventListener('keydown', keep, { capture: true });
}
