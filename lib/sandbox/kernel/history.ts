import { HISTORY_BURST, HISTORY_CHANGES_MAX } from './limits.ts';
import { getterOf, global, ignore, now, slice, uncurried } from './primordials.ts';
import { state } from './state.ts';

interface Entry {
  state: unknown;
  url: string;
}

/** Updates the page's history when a link within the page was followed, or code has set the fragment. */
let noteHash: (url: string) => void = ignore;

/**
 * Gives a frame of the sandbox a history of its own. A step in the browser's history could lead the studio away, so the methods
 * of `history` only replace the browser's current entry; they throw `RangeError` after too many changes. Links within a page,
 * and code that sets the fragment, still add entries to the browser's history; the frame's own history follows them (see
 * `listenForHashes`).
 */
export function limitHistory(): void {
  const { prototype } = History;
  const replace = uncurried(prototype.replaceState);
  const stateOf = getterOf(prototype, 'state');
  const later = global.setTimeout.bind(global);
  const tell = global.dispatchEvent.bind(global);
  const reload = location.reload.bind(location);
  const find = document.getElementById.bind(document);
  const { PopStateEvent: StateEvent, HashChangeEvent: HashEvent } = global;
  const current = (url = location.href): Entry => ({ state: stateOf(history), url });
  let entries = [current()];
  let at = 0;
  let changes = 0;
  let burst = { from: now(), changes: 0 };

  /** Adds an entry for `url`, by default the current address, after the entry that the page is at, and drops all later ones. */
  const addEntry = (url?: string) => {
    const before = entries;
    entries = [];
    for (let index = 0; index <= at; index++) {
      const entry = before[index];
      if (entry !== undefined) entries[index] = entry;
    }
    entries[++at] = current(url);
  };

  const change = (newState: unknown, url: string | URL | null | undefined) => {
    if (++changes > HISTORY_CHANGES_MAX)
      throw new RangeError(`At most ${HISTORY_CHANGES_MAX} changes of the history are made in one session.`);
    if (now() - burst.from >= HISTORY_BURST.ms) burst = { from: now(), changes: 0 };
    if (++burst.changes > HISTORY_BURST.changes)
      throw new RangeError(
        `At most ${HISTORY_BURST.changes} changes of the history are made in ${HISTORY_BURST.ms / 1_000} seconds.`,
      );
    replace(history, newState, '', url);
  };

  const goBy = (steps: number) => {
    later(() => {
      const entry = entries[at + steps];
      if (entry === undefined) return;
      at += steps;
      const oldURL = location.href;
      const oldHash = location.hash;
      change(entry.state, entry.url);
      tell(new StateEvent('popstate', { state: stateOf(history) }));
      if (location.hash === oldHash) return;
      tell(new HashEvent('hashchange', { oldURL, newURL: location.href }));
      find(decoded(slice(location.hash, 1)))?.scrollIntoView();
    }, 0);
  };

  noteHash = (url) => {
    // The user went back or forward, or the code has already gone there itself.
    if (entries[at]?.url === url) return;
    if (entries[at - 1]?.url === url) at--;
    else if (entries[at + 1]?.url === url) at++;
    else addEntry(url);
  };

  prototype.pushState = (newState, _title, url) => {
    change(newState, url);
    addEntry();
  };
  prototype.replaceState = (newState, _title, url) => {
    change(newState, url);
    entries[at] = current();
  };
  prototype.back = () => goBy(-1);
  prototype.forward = () => goBy(1);
  prototype.go = (by = 0) => {
    const steps = +by | 0;
    if (steps !== 0) goBy(steps);
    // Only pages may reload themselves.
    else if (state.isPage) reload();
  };
  Object.defineProperty(prototype, 'length', { configurable: true, get: () => entries.length });
  listenForHashes();
}

/**
 * Updates the history that `limitHistory` gave the page whenever the browser changes the fragment of the address: for a link
 * within the page, for code that sets the fragment, and when the user goes back or forward.
 */
export function listenForHashes(): void {
  global.addEventListener('hashchange', ({ isTrusted, newURL }) => {
    if (isTrusted) noteHash(newURL);
  });
}

/** Decodes text; returns it unchanged if its encoding is invalid. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
