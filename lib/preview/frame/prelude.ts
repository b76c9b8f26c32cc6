import { defineElements } from './parts/elements.ts';
import type { Given } from './parts/given.ts';
import { followLinks } from './parts/links.ts';
import { defineRequests } from './parts/requests.ts';
import { keepScrolled } from './parts/scrolled.ts';
import { defineStorages } from './parts/storage.ts';
import { defineWorkers } from './parts/workers.ts';

/** Gives the window of a page what one without an origin lacks. */
export function prepare(given: Given): void {
  takeAddress(given);
  defineStorages(given);
  // There is none for a page without an origin; asking for it would throw.
  delete (Navigator.prototype as { serviceWorker?: unknown }).serviceWorker;
  defineRequests(given);
  defineElements(given);
  defineWorkers(given);
  followLinks(given);
  keepScrolled(given);
}

/** The page's address is the one that it would have on a server of its own: what counts from there comes out right. */
function takeAddress({ path, suffix }: Given): void {
  const address = path
    .replace(/\/index\.html?$/i, '/')
    .split('/')
    .map(encodeURIComponent)
    .join('/');
  history.replaceState(null, '', address + suffix);
  const id = decoded(/#(.+)$/.exec(suffix)?.[1] ?? '');
  // Nothing is gone to, so the browser does not look for it.
  if (id !== '') addEventListener('load', () => document.getElementById(id)?.scrollIntoView());
}

/** As it is where it is encoded wrongly. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
