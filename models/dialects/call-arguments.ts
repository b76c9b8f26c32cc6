import { parsed } from './fields.ts';

/** The length of the beginning by which a piece that repeats all earlier ones is recognized, in characters. */
const BEGINNING = 64;

/**
 * The arguments of a call, which arrive in pieces. Pieces of a JSON object are passed on at once. Anything else is kept
 * until the end, because it may be an object that was encoded twice, or stand for no arguments.
 */
export class CallArguments {
  #length = 0;
  #beginning = '';
  /** Pieces of arguments that are not an object, held back until the end. */
  #held: string[] = [];
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #form: 'unknown' | 'object' | 'other' = 'unknown';
  #isEmptyObject = false;

  /** The length of the pieces that are kept until the end, in characters. */
  get heldLength(): number {
    return this.#form === 'other' ? this.#length : 0;
  }

  /** True once an object has come to its end. */
  get isWhole(): boolean {
    return this.#form === 'object' && this.#depth === 0;
  }

  /** Checks whether a piece repeats all that came before, and may add to it. No JSON goes on with its own beginning. */
  repeats(piece: string): boolean {
    return this.#form === 'object' && piece.length >= this.#length && piece.startsWith(this.#beginning);
  }

  /** Takes a piece, and returns the part that can be passed on: of one that repeats all before, only what it adds. */
  take(piece: string): string {
    // An empty object may stand for arguments that follow.
    if (this.#isEmptyObject && piece.trimStart().startsWith('{')) this.#reset();
    const isFirst = this.#length === 0;
    const passed = this.#takePiece(piece);
    if (isFirst) this.#isEmptyObject = passed === EMPTY;
    else if (this.#isEmptyObject && passed !== '') {
      this.#isEmptyObject = false;
      return EMPTY + passed;
    }
    return this.#isEmptyObject ? '' : passed;
  }

  #reset(): void {
    this.#length = 0;
    this.#beginning = '';
    this.#form = 'unknown';
    this.#isEmptyObject = false;
  }

  #takePiece(piece: string): string {
    const added = this.repeats(piece) ? piece.slice(this.#length) : this.#length === 0 ? piece.trimStart() : piece;
    if (added === '' || (this.isWhole && added.trim() === '')) return '';
    if (this.#form === 'unknown') this.#form = added.startsWith('{') ? 'object' : 'other';
    this.#length += added.length;
    if (this.#form === 'other') {
      this.#held.push(added);
      return '';
    }
    if (this.#beginning.length < BEGINNING) this.#beginning = (this.#beginning + added).slice(0, BEGINNING);
    this.#scan(added);
    return added;
  }

  /** Ends the arguments, and returns the text that was kept until now, as an object where it stands for one. */
  end(): string {
    if (this.#form === 'object') return this.#isEmptyObject ? EMPTY : '';
    return asObject(this.#held.join('').trim());
  }

  #scan(text: string): void {
    for (let index = 0; index < text.length; index++) {
      const character = text.charCodeAt(index);
      if (this.#isEscaped) this.#isEscaped = false;
      else if (this.#isInString) {
        if (character === BACKSLASH) this.#isEscaped = true;
        else if (character === QUOTE) this.#isInString = false;
      } else if (character === QUOTE) this.#isInString = true;
      else if (character === OPEN) this.#depth++;
      else if (character === CLOSE) this.#depth--;
    }
  }
}

const EMPTY = '{}';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/**
 * Returns the JSON text of the object that arguments stand for if they were encoded twice, or are empty; otherwise the text
 * as it is.
 */
function asObject(text: string): string {
  if (text === '' || text === 'null') return '{}';
  const inner = text.startsWith('"') ? parsed(text) : undefined;
  return typeof inner === 'string' && typeof parsed(inner) === 'object' ? asObject(inner.trim()) : text;
}
