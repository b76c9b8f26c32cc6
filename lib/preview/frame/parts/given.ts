/** What a page's window is given before anything of the page runs. */
export interface Given {
  /** Where the page is in the workspace; its addresses count from there. */
  path: string;
  /** The query and the fragment with which a link has led to it; mostly empty. */
  suffix: string;
  stored: Record<Area, Record<string, string>>;
  storedMaxChars: number;
  /** How far it was scrolled when it was loaded anew. */
  scrolled?: Scrolled;
  /** A file of the workspace, as a data URL. */
  readFile(path: string): Promise<string>;
  /** A script of the workspace with all that it imports, for a thread of its own. */
  bundle(path: string): Promise<string>;
  store(area: Area, entries: Record<string, string>): void;
  /** Tells how far it is scrolled. */
  scroll(x: number, y: number): void;
  /** Tells that a link leads to another page. */
  leave(address: string): void;
}

export type Area = 'local' | 'session';

export interface Scrolled {
  x: number;
  y: number;
}
