/** Matches the layers over the page that close with Esc. */
const OVERLAY = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';

/**
 * Lets the browser's Back close a dialog or a menu, as on a phone, before it changes what is behind it. Browsers without the
 * Navigation API go back at once. Returns a function that ends that.
 */
export function closeOverlaysOnBack(): () => void {
  const { navigation } = window;
  if (navigation === undefined) return () => {};
  /** Those that have been asked to close. One that does not must not keep the person on the page. */
  const asked = new WeakSet<Element>();
  const onNavigate = (event: NavigateEvent) => {
    if (event.navigationType !== 'traverse' || !event.cancelable) return;
    const isBack = event.destination.index < (navigation.currentEntry?.index ?? 0);
    const overlay = [...document.querySelectorAll(OVERLAY)].findLast((one) => one.checkVisibility());
    if (!isBack || overlay === undefined || asked.has(overlay)) return;
    asked.add(overlay);
    event.preventDefault();
    const target = overlay.contains(document.activeElement) ? document.activeElement : overlay;
    target?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }));
  };
  navigation.addEventListener('navigate', onNavigate);
  return () => navigation.removeEventListener('navigate', onNavigate);
}
