import type { CatalogueReference } from '#lib/api/catalogue.ts';
import { sha256 } from '#lib/base/sha256.ts';
import { type Catalogue, CatalogueError, NO_TOOLS, readCatalogue } from '#lib/tools/core/catalogue.ts';
import { HttpProblem } from './problem.ts';

/** How many catalogues are kept, and how long their texts may be together, in characters. */
const CATALOGUES_MAX = 200;
const CATALOGUES_MAX_LENGTH = 16_000_000;

interface Kept {
  catalogue: Catalogue;
  length: number;
}

/**
 * The catalogues of tools that browsers have sent, by name, so that none has to be sent twice. The least recently used
 * ones are evicted; a browser that names a missing one is asked for it.
 */
export class Catalogues {
  /** Least recently used first. */
  readonly #kept = new Map<string, Kept>();
  #length = 0;

  /**
   * The catalogue of a request; one without tools if the request names none. Throws `HttpProblem`: 409
   * `catalogue-needed` if its text must be sent, 400 `invalid-catalogue` if that is not what it should be.
   */
  async find(reference: CatalogueReference | undefined): Promise<Catalogue> {
    if (reference === undefined) return NO_TOOLS;
    const { name, text } = reference;
    const kept = this.#kept.get(name) ?? (text === undefined ? undefined : await this.#read(name, text));
    if (kept === undefined)
      throw new HttpProblem(409, 'catalogue-needed', 'Send the text of the catalogue of tools, too.', [name]);
    this.#keep(name, kept);
    return kept.catalogue;
  }

  async #read(name: string, text: string): Promise<Kept> {
    if ((await sha256(text)) !== name)
      throw new HttpProblem(400, 'invalid-catalogue', 'The catalogue of tools does not have the name that was given.');
    try {
      return { catalogue: readCatalogue(text), length: text.length };
    } catch (error) {
      if (error instanceof CatalogueError) throw new HttpProblem(400, 'invalid-catalogue', error.message);
      throw error;
    }
  }

  #keep(name: string, kept: Kept): void {
    this.#length += kept.length - (this.#kept.get(name)?.length ?? 0);
    this.#kept.delete(name);
    this.#kept.set(name, kept);
    for (const [oldest, { length }] of this.#kept) {
      if (this.#kept.size <= CATALOGUES_MAX && this.#length <= CATALOGUES_MAX_LENGTH) break;
      this.#kept.delete(oldest);
      this.#length -= length;
    }
  }
}
