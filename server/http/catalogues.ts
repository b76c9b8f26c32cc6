import { sha256 } from '#lib/base/sha256.ts';
import { type Catalogue, CatalogueError, NO_TOOLS, readCatalogue } from '#lib/tools/catalogue/catalogue.ts';
import { CATALOGUE_LIMITS } from '#lib/tools/core/limits.ts';
import { HttpProblem } from './problem.ts';
import type { SharedTexts } from './shared-texts.ts';

/** The maximum number of catalogues that are kept. */
const CATALOGUES_MAX = 200;
/** The maximum total length of the texts of all catalogues that are kept, in characters. */
const CATALOGUES_MAX_LENGTH = 16_000_000;

/**
 * The maximum size of a request with the text of a catalogue (the tools that a run offers to its model, as data), in bytes:
 * JSON takes at most six for a character.
 */
export const CATALOGUE_BODY_MAX_BYTES = 6 * CATALOGUE_LIMITS.length + 1_000;

interface Kept {
  catalogue: Catalogue;
  length: number;
}

/**
 * Keeps the catalogues that browsers have sent: each has the tools that a run offers to its model. Its name is the hash of its
 * text, so none has to be sent twice. The least recently used ones are evicted; a browser that names a missing one is asked for
 * it.
 */
export class Catalogues {
  /** The catalogues by name, least recently used first. */
  readonly #kept = new Map<string, Kept>();
  readonly #shared: SharedTexts | undefined;
  #length = 0;

  /** `shared`: the texts of all processes, if there are several. */
  constructor(shared?: SharedTexts) {
    this.#shared = shared;
  }

  /**
   * Finds the catalogue that a request names. Resolves with one without tools if it names none. Rejects with `HttpProblem`
   * 409 `catalogue-needed` if its text must be sent first.
   */
  async find(name: string | undefined): Promise<Catalogue> {
    if (name === undefined) return NO_TOOLS;
    const kept = this.#kept.get(name) ?? (await this.#findShared(name));
    if (kept === undefined)
      throw new HttpProblem(409, 'catalogue-needed', 'Send the text of the catalogue of tools first.', [name]);
    this.#keep(name, kept);
    return kept.catalogue;
  }

  /** Keeps the catalogue with this text. Rejects with `HttpProblem` 400 `invalid-catalogue` if the text is not one. */
  async add(text: string): Promise<void> {
    try {
      const catalogue = readCatalogue(text);
      const name = await sha256(text);
      this.#keep(name, { catalogue, length: text.length });
      await this.#shared?.add(name, text);
    } catch (error) {
      if (error instanceof CatalogueError) throw new HttpProblem(400, 'invalid-catalogue', error.message);
      throw error;
    }
  }

  async #findShared(name: string): Promise<Kept | undefined> {
    const text = await this.#shared?.find(name);
    return text === undefined ? undefined : { catalogue: readCatalogue(text), length: text.length };
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
