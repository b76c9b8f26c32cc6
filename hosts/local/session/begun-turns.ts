import * as z from 'zod';
import { KeptList } from '../trust/kept-list.ts';

/** The most turns of a folder that are remembered. */
const TURNS_MAX = 1_000;

/**
 * The ids of the turns that were begun in a folder on this machine, at most the latest `TURNS_MAX`. Pending calls of any other
 * turn do not run, because anybody could have written them. The ids are stored outside of the folder, because files that come
 * with a folder could name false ones.
 */
export class BegunTurns {
  readonly #kept: KeptList<string>;
  #known: Set<string> | undefined;

  constructor(path: string) {
    this.#kept = new KeptList(path, z.string());
  }

  has(id: string): boolean {
    this.#known ??= new Set(this.#kept.read());
    return this.#known.has(id);
  }

  add(id: string): void {
    this.#known?.add(id);
    try {
      this.#kept.change((turns) => (turns.includes(id) ? undefined : [...turns, id].slice(-TURNS_MAX)));
    } catch {
      // If it cannot be noted, a later process settles the turn's open calls instead of running them.
    }
  }
}
