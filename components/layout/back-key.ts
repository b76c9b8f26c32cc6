/** Matches the layers over the page that close with Esc. */
const OVERLAY = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';

const topOverlay = () =>
  [...document.querySelectorAll(OVERLAY)].findLast((one) => one.checkVisibility({ visibilityProperty: true }));

/**
 * Makes the browser's Back close an open dialog or menu, as on a phone, instead of going back. In browsers without the
 * Navigation API, Back goes back. Returns a function that stops this.
 */
export function closeOverlaysOnBack(): () => void {
  const { navigation } = window;
  if (navigation === undefined) return () => {};
  /** The overlays that Back has already tried to close. If one stays open, the next Back goes back. */
  const asked = new WeakSet<Element>();
  const onNavigate = (event: NavigateEvent) => {
    if (event.navigationType !== 'traverse' || !event.cancelable) return;
    const isBack = event.destination.index < (navigation.currentEntry?.index ?? 0);
    const overlay = topOverlay();
    if (!isBack || overlay === undefined || asked.has(overlay)) return;
    asked.add(overlay);
    event.preventDefault();
    const target = overlay.contains(document.activeElement) ? document.activeElement : overlay;
    target?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }));
  };
  navigation.addEventListener('navigate', onNavigate);
  const endGuard = matchMedia('(pointer: coarse)').matches ? guardFirstEntry(navigation) : () => {};
  return () => {
    navigation.removeEventListener('navigate', onNavigate);
    endGuard();
  };
}

/**
 * Adds an entry to the browser's history when a dialog or menu opens on the page's first entry: no page can prevent a Back
 * that would leave it. Only for touch devices, where people close things with Back. Returns a function that stops this.
 */
function guardFirstEntry(navigation: Navigation): () => void {
  const guard = () => {
    const entries = navigation.entries();
    const index = navigation.currentEntry?.index ?? 0;
    // Entries that Forward leads to would be lost.
    const isLast = index === entries.length - 1;
    if (isLast && entries[index - 1]?.sameDocument !== true && topOverlay() !== undefined)
      history.pushState(history.state, '');
  };
  const observer = new MutationObserver(guard);
  observer.observe(document.body, { childList: true, subtree: true });
  // A person may have opened something before this code was loaded.
  guard();
  return () => observer.disconnect();
}
