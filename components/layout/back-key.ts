/** Matches the layers over the page that close with Esc. */
const OVERLAY = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';

const topOverlay = () =>
  [...document.querySelectorAll(OVERLAY)].findLast((one) => one.checkVisibility({ visibilityProperty: true }));

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
 * No page can prevent Back from leaving it. Where Back is how people close things, this adds an entry to the history when
 * something is opened on the first one, so that Back stays on the page.
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
