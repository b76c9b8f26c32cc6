import type { CallWriter } from '../call-writer.ts';
import type { Reading, Source } from '../source.ts';

/** Whether a value ends at a `<`; reads its closer if it has one of its own. Where it does not end, nothing is read. */
export type Closes = (source: Source) => Reading<boolean>;

/**
 * Reads the text of an argument that stands unescaped between tags. It loses exactly one line break at either end.
 * Returns whether it was closed; false where the reply ends inside it.
 */
export function* readRawValue(source: Source, call: CallWriter, key: string, closes: Closes): Reading<boolean> {
  const text = call.takesText(key) ? new FlowingText(call, key) : new WholeText(call, key);
  if (!(yield* source.accept('\r\n'))) yield* source.accept('\n');
  for (;;) {
    const end = source.text.indexOf('<', source.at);
    const to = end === -1 ? source.text.length : end;
    text.write(source.text.slice(source.at, to));
    source.at = to;
    if ((yield* source.peek()) === '') return false;
    if (source.text.charAt(source.at) !== '<') continue;
    if (yield* closes(source)) {
      text.end();
      return true;
    }
    text.write('<');
    source.at++;
  }
}

/** A text argument: leaves as it comes, but for a last line break. */
class FlowingText {
  readonly #call: CallWriter;
  #lineBreak = '';

  constructor(call: CallWriter, key: string) {
    this.#call = call;
    call.beginText(key);
  }

  write(piece: string): void {
    if (piece === '') return;
    const whole = this.#lineBreak + piece;
    this.#lineBreak = /\r?\n$|\r$/.exec(whole)?.[0] ?? '';
    this.#call.text(whole.slice(0, whole.length - this.#lineBreak.length));
  }

  end(): void {
    if (this.#lineBreak === '\r') this.#call.text('\r');
    this.#call.endText();
  }
}

/** Any other argument: leaves when it is whole. */
class WholeText {
  readonly #call: CallWriter;
  readonly #key: string;
  readonly #pieces: string[] = [];

  constructor(call: CallWriter, key: string) {
    this.#call = call;
    this.#key = key;
  }

  write(piece: string): void {
    this.#pieces.push(piece);
  }

  end(): void {
    this.#call.value(this.#key, this.#pieces.join('').replace(/\r?\n$/, ''));
  }
}
