import type { ColorScheme } from '../../color-scheme.ts';

/** The data and functions that a page's window gets before any of the page's code runs. */
export interface Given {
  /** The page's path in the workspace; its addresses are relative to it. */
  path: string;
  /** The query and fragment of the link that led to the page; usually empty. */
  suffix: string;
  /** The entries with which the page's storages begin, such as those from before it was reloaded. */
  stored: Record<Area, Record<string, string>>;
  /** The maximum size of each storage, in characters. */
  storedMaxChars: number;
  /** The page's scroll position before it was reloaded; absent if it begins at the top. */
  scrolled?: Scrolled;
  /** The studio's colors, if known. */
  colorScheme?: ColorScheme;
  /** Returns a workspace file as a data URL. Rejects if there is none. */
  readFile(path: string): Promise<string>;
  /** Returns the text of a workspace script bundled with all its imports, for a worker. Rejects if that is impossible. */
  bundle(path: string): Promise<string>;
  /** Reports all entries of a storage after they have changed. */
  store(area: Area, entries: Record<string, string>): void;
  /** Reports the page's scroll position. */
  scroll(x: number, y: number): void;
  /** Reports that a link to another page was followed. */
  leave(address: string): void;
}

/** A storage of the page: `local` for `localStorage`, `session` for `sessionStorage`. */
export type Area = 'local' | 'session';

/** The scroll position of the page, in CSS pixels. */
interface Scrolled {
  x: number;
  y: number;
}
