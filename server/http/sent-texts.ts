import { sha256 } from '#lib/base/sha256.ts';
import type { SharedTexts } from './shared-texts.ts';

/**
 * Keeps long texts that browsers have sent, by hash, so that none has to be sent twice. If space runs out, the least
 * recently used texts are evicted. A browser that refers to a missing text is asked to send it again.
 */
export class SentTexts {
  readonly #maxBytes: number;
  readonly #shared: SharedTexts | undefined;
  /** The texts by hash, least recently used first. */
  readonly #texts = new Map<string, string>();
  #bytes = 0;

  /** `shared`: the texts of all processes, if there are several. */
  constructor(maxBytes: number, shared?: SharedTexts) {
    this.#maxBytes = maxBytes;
    this.#shared = shared;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Maximum total length of the texts that one request may refer to, in characters. */
  get maxLength(): number {
    return Math.floor(this.#maxBytes / BYTES_PER_CHARACTER);
  }

  async add(text: string): Promise<void> {
    const name = await sha256(text);
    await this.#shared?.add(name, text);
    this.#keep(name, text);
  }

  /**
   * Takes over the texts with these hashes that other processes of the studio have shared, as far as they are still there.
   */
  async fetch(names: readonly string[]): Promise<void> {
    for (const name of names) {
      const text = await this.#shared?.find(name);
      if (text !== undefined) this.#keep(name, text);
    }
  }

  #keep(name: string, text: string): void {
    if (this.find(name) !== undefined) return;
    this.#texts.set(name, text);
    this.#bytes += sizeOf(text);
    for (const [oldest, old] of this.#texts) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#texts.delete(oldest);
      this.#bytes -= sizeOf(old);
    }
  }

  find(name: string): string | undefined {
    const text = this.#texts.get(name);
    if (text === undefined) return undefined;
    this.#texts.delete(name);
    this.#texts.set(name, text);
    return text;
  }
}

/** The bytes that a character takes in memory at most. In most texts, a character takes only one. */
const BYTES_PER_CHARACTER = 2;
/** The bytes that a text's name and its entry need, however short the text is. */
const BYTES_PER_TEXT = 400;

const sizeOf = (text: string): number => BYTES_PER_TEXT + text.length * BYTES_PER_CHARACTER;
