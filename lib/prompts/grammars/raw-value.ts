import type { CallWriter } from '../call-writer.ts';
import { looseValue } from '../json-reader.ts';
import type { Reading, Source } from '../source.ts';

/** The rules for finding the end of an unescaped argument. */
interface RawValueEnd {
  /** The character at which the value may end: `<`, or a line break that is part of the end. */
  at: '<' | '\n';
  /** Checks whether the value ended without its own closing marker: if it is blank, the argument is then left out. */
  isForgotten?(): boolean;
  /** Whether line breaks at either end are part of the text; by default, one is removed at either end. */
  isExact?: boolean;
  /** False if the model declared that the value is not text. */
  isText?: boolean;
  /** Checks whether the value ends here. If so, reads its closing marker, if any; otherwise reads nothing. */
  closes(source: Source): Reading<boolean>;
}

/**
 * Reads the text of an unescaped argument up to its end, and writes it to the call as the argument `key`. `end`: the rules by
 * which the end is found. One line break is removed at either end, unless `end.isExact`. Returns whether the value was closed;
 * false if the reply ends inside it.
 */
export function* readRawValue(source: Source, call: CallWriter, key: string, end: RawValueEnd): Reading<boolean> {
  const text =
    call.takesText(key) && end.isText !== false
      ? new FlowingText(call, key, end.at === '<' && end.isExact !== true)
      : new WholeText(call, key, end.isText !== false);
  if (end.at === '\n' && (yield* source.peek()) === '\n' && (yield* end.closes(source))) {
    text.end();
    return true;
  }
  if (end.isExact !== true && !(yield* source.accept('\r\n'))) yield* source.accept('\n');
  for (;;) {
    const index = source.text.indexOf(end.at, source.at);
    const to = index === -1 ? source.text.length : index;
    text.write(source.text.slice(source.at, to));
    source.at = to;
    if ((yield* source.peek()) === '') return false;
    if (source.text.charAt(source.at) !== end.at) continue;
    if (yield* end.closes(source)) {
      if (end.isForgotten?.() !== true || !text.isBlank) text.end();
      return true;
    }
    text.write(end.at);
    source.at++;
  }
}

/** A text argument: streamed as it arrives, except for a final line break that is not part of the text. */
class FlowingText {
  readonly #call: CallWriter;
  readonly #key: string;
  readonly #losesLineBreak: boolean;
  #lineBreak = '';
  #isBegun = false;

  constructor(call: CallWriter, key: string, losesLineBreak: boolean) {
    this.#call = call;
    this.#key = key;
    this.#losesLineBreak = losesLineBreak;
  }

  /** Whether none of this argument's text has been passed on yet; a line break that is held back does not count. */
  get isBlank(): boolean {
    return !this.#isBegun;
  }

  write(piece: string): void {
    if (piece === '') return;
    const whole = this.#lineBreak + piece;
    this.#lineBreak = (this.#losesLineBreak ? /\r?\n$|\r$/ : /\r$/).exec(whole)?.[0] ?? '';
    const text = whole.slice(0, whole.length - this.#lineBreak.length);
    if (text === '') return;
    this.#begin();
    this.#call.text(text);
  }

  #begin(): void {
    if (!this.#isBegun) this.#call.beginText(this.#key);
    this.#isBegun = true;
  }

  end(): void {
    this.#begin();
    if (this.#losesLineBreak && this.#lineBreak === '\r') this.#call.text('\r');
    this.#call.endText();
  }
}

/** An argument that is not streamed as text: written once it is complete. */
class WholeText {
  readonly #call: CallWriter;
  readonly #key: string;
  readonly #isText: boolean;
  readonly #pieces: string[] = [];

  constructor(call: CallWriter, key: string, isText: boolean) {
    this.#call = call;
    this.#key = key;
    this.#isText = isText;
  }

  get isBlank(): boolean {
    return this.#pieces.every((piece) => piece.trim() === '');
  }

  write(piece: string): void {
    this.#pieces.push(piece);
  }

  end(): void {
    const text = this.#pieces.join('').replace(/\r?\n$/, '');
    this.#call.value(this.#key, this.#isText ? text : looseValue(text));
  }
}
