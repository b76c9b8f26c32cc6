import type { Doubts } from '../doubts.ts';
import type { Where } from '../forms.ts';
import { PARSER_LIMITS } from '../limits.ts';
import { type Opening, openingAt } from '../openings.ts';
import { ProsePosition } from '../prose-position.ts';
import type { Reply } from '../reply.ts';
import type { Reading } from '../source.ts';
import type { LatestThought } from './latest-thought.ts';
import type { UnreadableCall } from './unreadable-call.ts';

/** The properties of a position in prose that can be read from outside. */
type Position = Readonly<
  Pick<ProsePosition, 'atLineStart' | 'isBetweenWords' | 'isBehindSentence' | 'isBehindStop' | 'settingOf'>
>;

/**
 * Reads the visible text of a reply. Keeps the position in it (`ProsePosition`), and whether only white space has followed a
 * call or the end of a message; white space after a call is shown only if text follows. Passes the text on to `Doubts` and
 * `UnreadableCall`, and makes `LatestThought` forget the reasoning that text or a call follows.
 */
export class Prose {
  readonly #reply: Reply;
  readonly #doubts: Doubts;
  readonly #thought: LatestThought;
  readonly #unreadable: UnreadableCall;
  readonly #position = new ProsePosition();
  #isBehindCall = false;
  /** White space after a call, held back. */
  #blank = '';
  #isOver = false;

  constructor(reply: Reply, doubts: Doubts, thought: LatestThought, unreadable: UnreadableCall) {
    this.#reply = reply;
    this.#doubts = doubts;
    this.#thought = thought;
    this.#unreadable = unreadable;
  }

  /** The position of the next character in the prose. */
  get position(): Position {
    return this.#position;
  }

  /** Whether only white space has followed the last call: closing tags here belong to it. */
  get isBehindCall(): boolean {
    return this.#isBehindCall;
  }

  /** Whether a token ended the message and nothing has followed it. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Checks whether the current position is one of these. */
  isAt(positions: readonly Where[]): boolean {
    for (const where of positions) if (this.#isAt(where)) return true;
    return false;
  }

  #isAt(where: Where): boolean {
    const position = this.#position;
    switch (where) {
      case 'anywhere':
        return true;
      case 'line':
      case 'own line':
        return position.atLineStart;
      case 'behind sentence':
        return !position.atLineStart && position.isBehindSentence;
      case 'word':
        return !position.isCode && !/\w/.test(position.before);
      case 'outside code':
        return !position.isCode;
      case 'not between words':
        return !position.isBetweenWords;
      case 'behind call':
        return this.#isBehindCall;
      case 'message start':
        return position.before === '';
      case 'fence':
      case 'tool_code':
      case 'quotation':
      case 'foreign text':
        return false;
    }
  }

  /**
   * The fast path for most output: takes a chunk in the middle of a line, in which nothing can begin or end. Returns
   * whether it did; if not, nothing has changed.
   */
  takePlain(chunk: string): boolean {
    if (this.#isBehindCall || this.#isOver || this.#blank !== '') return false;
    if (this.#thought.pieces !== undefined || this.#unreadable.isOpen) return false;
    if (!this.#position.followPlain(chunk)) return false;
    this.#doubts.text(chunk);
    return true;
  }

  /**
   * Reads text up to a character that may begin a form, and returns that character's opening; undefined if no such character
   * has arrived.
   */
  readPlain(): Opening | undefined {
    const { source } = this.#reply;
    const { text } = source;
    const from = source.at;
    let at = from;
    let opening: Opening | undefined;
    for (; at < text.length; at++) {
      opening = openingAt(text.charCodeAt(at));
      if (opening !== undefined && this.#mayBegin(opening, text.charAt(at + 1))) break;
      this.#follow(text.charAt(at));
    }
    source.at = at;
    this.text(text.slice(from, at));
    return at < text.length ? opening : undefined;
  }

  /** Checks whether a form may begin here. `next`: the character after its first one; '' if it has not arrived yet. */
  #mayBegin(opening: Opening, next: string): boolean {
    const { isSetApart, atLineStart } = this.#position;
    if (isSetApart || ((opening.needsLookahead || !atLineStart) && !opening.isPromising(next))) return false;
    return this.isAt(opening.where);
  }

  /** Reads one character as text. */
  readCharacter(): void {
    const { source } = this.#reply;
    const character = source.text.charAt(source.at++);
    this.#follow(character);
    this.text(character);
  }

  /** Reads an HTML comment, if one comes next: it is text, whatever it contains. */
  *readComment(): Reading<boolean> {
    const { source } = this.#reply;
    if (!(yield* source.sees('<!--'))) return false;
    const start = source.hold();
    let length = 0;
    while (!(yield* source.sees('-->')) && (yield* source.peek()) !== '' && length++ < PARSER_LIMITS.comment)
      source.at++;
    const end = source.position;
    source.rewind(start);
    while (source.position < end) this.readCharacter();
    return true;
  }

  #follow(character: string): void {
    this.#position.follow(character);
    if (!this.#position.atLineStart) this.#isBehindCall = false;
  }

  /** Emits visible text, but holds white space after a call back. The position in the prose stays as it is. */
  text(piece: string): void {
    if (piece === '') return;
    if (this.#isBehindCall && piece.trim() === '') {
      this.#blank += piece;
      return;
    }
    const shown = this.#blank + piece;
    this.#doubts.text(shown);
    this.#isBehindCall = false;
    this.#unreadable.text(piece);
    this.#reply.output.text(shown);
    this.#blank = '';
    if (piece.trim() === '') return;
    this.#thought.forget();
    this.#isOver = false;
  }

  /** Emits text that looks like a call but is none. A quotation around it stays open. */
  quote(text: string): void {
    this.text(text);
    this.#position.resume(text);
  }

  /** Notes that a token has ended the message; text after it belongs to another one. */
  endMessage(): void {
    this.#isOver = true;
  }

  /** Notes that a call ends here. White space after it is held back. */
  startBehindCall(): void {
    this.#thought.forget();
    this.#isBehindCall = true;
    this.#blank = '';
    this.#position.reset();
  }

  /** Notes that the next character is at the beginning of a line. `before`: the previous character, if it counts. */
  startLine(before = ''): void {
    this.#position.reset(before);
  }

  /** Keeps the state; the returned function restores it, so that calls that are read meanwhile can be undone. */
  remember(): () => void {
    const isBehindCall = this.#isBehindCall;
    const blank = this.#blank;
    const recallThought = this.#thought.remember();
    return () => {
      this.#isBehindCall = isBehindCall;
      this.#blank = blank;
      recallThought();
    };
  }
}
