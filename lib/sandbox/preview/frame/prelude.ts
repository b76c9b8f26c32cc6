import { takeColors } from './parts/colors.ts';
import { defineElements } from './parts/elements.ts';
import type { Given } from './parts/given.ts';
import { followLinks } from './parts/links.ts';
import { defineRequests } from './parts/requests.ts';
import { keepScrolled } from './parts/scrolled.ts';
import { defineStorages } from './parts/storage.ts';
import { defineWorkers } from './parts/workers.ts';

/**
 * Prepares the window of a previewed page before the page's code runs: provides what the window lacks because it has no
 * origin, such as storage, workers, and requests for workspace files.
 */
export function prepare(given: Given): void {
  takeAddress(given);
  takeColors(given);
  defineStorages(given);
  // Not available to a page without an origin; accessing it would throw.
  delete (Navigator.prototype as { serviceWorker?: unknown }).serviceWorker;
  defineRequests(given);
  defineElements(given);
  defineWorkers(given);
  followLinks(given);
  keepScrolled(given);
}

/** Gives the page the address that it would have on its own server, so that relative addresses resolve correctly. */
function takeAddress({ path, suffix }: Given): void {
  const address = path
    .replace(/\/index\.html?$/i, '/')
    .split('/')
    .map(encodeURIComponent)
    .join('/');
  history.replaceState(null, '', address + suffix);
  const id = decoded(/#(.+)$/.exec(suffix)?.[1] ?? '');
  // There was no navigation, so the browser does not scroll to it by itself.
  if (id !== '') addEventListener('load', () => document.getElementById(id)?.scrollIntoView());
}

/** Decodes text; returns it unchanged if its encoding is invalid. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
