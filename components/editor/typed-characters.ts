/**
 * Lets keys that type a character with Option or Alt, as on many layouts, type it in an editor: Monaco would take some of
 * them as its shortcuts. Returns a function that stops this.
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
