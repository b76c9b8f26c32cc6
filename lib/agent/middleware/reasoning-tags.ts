import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { LanguageModelMiddleware } from 'ai';
import { OWN_METADATA_KEY } from './call-ids.ts';

/** The tags around thoughts in the text of a reply. */
interface ReasoningTagOptions {
  /** The tag's name without brackets, such as `think`. */
  tag: string;
  /** True if the template has already opened the tag, so that the reply begins inside of it. */
  startsInReasoning: boolean;
}

/**
 * Returns a middleware that turns thoughts between tags in the text of a reply into reasoning. An opening tag counts only at
 * the start of a reply or right behind another thought, so that an answer may talk about it. A closing tag without an opening
 * one, at the border of a line and outside of code, means that the text before it was a thought, which the model's template had
 * opened: the end of that text block says so (`BECOMES_REASONING`). If a reply has only a thought, without an answer or a call,
 * the thought is its text, too, and the finish part says so in `providerMetadata.studio` (`thoughtIsAnswer`).
 */
export const reasoningTags = (options: ReasoningTagOptions): LanguageModelMiddleware => ({
  specificationVersion: 'v4',
  wrapStream: async ({ doStream }) => {
    const { stream, ...rest } = await doStream();
    return { ...rest, stream: stream.pipeThrough(separate(options)) };
  },
});

type Part = LanguageModelV4StreamPart;
type Kind = 'text' | 'reasoning';

function separate(options: ReasoningTagOptions): TransformStream<Part, Part> {
  const separator = new Separator(options);
  /** The id of the provider's text block that is being read. */
  let id = '';
  /** The block that is being passed on; undefined between two blocks. */
  let open: { kind: Kind; id: string } | undefined;
  let count = 0;
  let hasMore = false;
  return new TransformStream({
    transform(part, controller) {
      // Most parts are words of the answer.
      if (part.type === 'text-delta' && open?.kind === 'text' && separator.passes(part.delta)) {
        controller.enqueue({ type: 'text-delta', id: open.id, delta: part.delta });
        return;
      }
      const close = () => {
        if (open !== undefined) controller.enqueue({ type: `${open.kind}-end`, id: open.id });
        open = undefined;
      };
      const becomeThought = () => {
        if (open !== undefined)
          controller.enqueue({ type: 'text-end', id: open.id, providerMetadata: BECOMES_REASONING });
        open = undefined;
      };
      const say = (pieces: readonly Piece[]) => {
        for (const { kind, text, isBehindThought } of pieces) {
          if (isBehindThought === true) becomeThought();
          if (open?.kind !== kind) {
            close();
            open = { kind, id: `${id}-${count++}` };
            controller.enqueue({ type: `${kind}-start`, id: open.id });
          }
          controller.enqueue({ type: `${kind}-delta`, id: open.id, delta: text });
        }
      };
      if (part.type === 'text-start') id = part.id;
      else if (part.type === 'text-delta') say(separator.take(part.delta));
      else if (part.type === 'text-end') {
        say(separator.flush());
        if (!separator.isBehindThought) close();
      } else if (part.type === 'finish') {
        say(hasMore ? separator.flush() : separator.end());
        close();
        const studio = { ...part.providerMetadata?.studio, thoughtIsAnswer: true };
        const isThought = !hasMore && separator.isThoughtAnswer;
        controller.enqueue(isThought ? { ...part, providerMetadata: { ...part.providerMetadata, studio } } : part);
      } else {
        if (part.type.startsWith('tool-')) {
          hasMore = true;
          if (separator.isBehindThought) becomeThought();
          separator.goOn();
        }
        controller.enqueue(part);
      }
    },
  });
}

interface Piece {
  kind: Kind;
  text: string;
  /** True if the text before this piece was a thought. */
  isBehindThought?: true;
}

/** The most white space that is held back before a thought, in characters. */
const SPACE_MAX = 1_000;

/** Matches characters that may begin a tag, code, or a line. */
const TELLING = /[<`\n]/;

/** The number of characters at the beginning of a line that are searched for a fence. */
const LINE_START = 20;

class Separator {
  readonly #opening: string;
  readonly #closing: string;
  /**
   * The place that was reached. `start`: where a thought may begin. `thought`: inside one. `answer`: in any other text.
   * `behind`: behind a closing tag without a partner, before anything follows.
   */
  #state: 'start' | 'thought' | 'answer' | 'behind';
  /** Text that may be a part of a tag, or white space before one. */
  #held = '';
  #thought = '';
  #hasThought = false;
  #hasAnswer = false;
  /** The first characters of the line of the answer that is being read. */
  #lineStart = '';
  /** Whether inline code is open in the line of the answer that is being read. */
  #isInCode = false;
  /** Whether a fence of code is open around the line of the answer that is being read. */
  #isInFence = false;
  /** True if a closing tag without a partner may still come. */
  #mayClose = true;
  #isThoughtAnswer = false;

  constructor({ tag, startsInReasoning }: ReasoningTagOptions) {
    this.#opening = `<${tag}>`;
    this.#closing = `</${tag}>`;
    this.#state = startsInReasoning ? 'thought' : 'start';
  }

  /** True behind a closing tag without a partner: the text so far was a thought, unless nothing follows it. */
  get isBehindThought(): boolean {
    return this.#state === 'behind';
  }

  /** True if the reply has ended with nothing but a thought, which is its answer. */
  get isThoughtAnswer(): boolean {
    return this.#isThoughtAnswer;
  }

  /** Must be called for a part that is not text, such as a call: the text after it is not behind a thought. */
  goOn(): void {
    if (this.#state === 'behind') this.#state = 'answer';
  }

  /** Checks whether a piece of the text can be passed on as it is, because it contains no sign of a tag. If so, takes it. */
  passes(text: string): boolean {
    if (this.#state !== 'answer' || this.#held !== '' || (this.#mayClose && TELLING.test(text))) return false;
    if (this.#mayClose) this.#follow(text);
    if (!this.#hasAnswer && text.trim() !== '') this.#hasAnswer = true;
    return true;
  }

  /** Takes a piece of the text, and returns the pieces that are certainly text or reasoning now. */
  take(text: string): Piece[] {
    this.#held += text;
    const pieces: Piece[] = [];
    while (this.#read(pieces)) {
      // Until nothing is certain any more.
    }
    return pieces;
  }

  /** Ends a text block: returns the text that was held back, as text or reasoning. */
  flush(): Piece[] {
    if (this.#isLoneClosing(true)) this.#takeLoneClosing();
    const text = this.#held;
    this.#held = '';
    if (this.#state === 'behind') return text.trim() === '' ? [] : [this.#behind(text)];
    if (text === '' || (this.#state === 'start' && text.trim() === '')) return [];
    return [this.#piece(this.#state === 'thought' ? 'reasoning' : 'text', text)];
  }

  /** Ends a reply without calls: returns what was held back and, if there was no answer, the thought once more, as text. */
  end(): Piece[] {
    const rest = this.flush();
    this.#isThoughtAnswer = this.#state === 'behind' || (!this.#hasAnswer && this.#thought.trim() !== '');
    return this.#hasAnswer || this.#thought.trim() === '' ? rest : [...rest, this.#piece('text', this.#thought)];
  }

  /**
   * Reads one piece of the held text and adds it to `pieces`. Returns false if nothing more is certain before more text
   * arrives.
   */
  #read(pieces: Piece[]): boolean {
    if (this.#held === '') return false;
    if (this.#state === 'answer') return this.#readAnswer(pieces);
    if (this.#state === 'behind') {
      // White space there belongs to nothing.
      if (this.#held.trim() === '') this.#held = '';
      if (this.#held === '') return false;
      pieces.push(this.#behind(this.#held.trimStart()));
      this.#held = '';
      return false;
    }
    const text = this.#held.trimStart();
    if (this.#state === 'start' || this.#thought === '') {
      if (text.startsWith(this.#opening)) {
        this.#held = text.slice(this.#opening.length);
        this.#state = 'thought';
        return true;
      }
      if (this.#opening.startsWith(text) && this.#held.length < SPACE_MAX) return false;
      if (this.#state === 'start') {
        this.#state = 'answer';
        // The space between a thought and the answer belongs to neither.
        if (this.#hasThought) this.#held = text;
        return true;
      }
    }
    const end = this.#held.indexOf(this.#closing);
    const certain = end === -1 ? this.#held.length - beginningAtEnd(this.#held, this.#closing) : end;
    if (certain > 0) pieces.push(this.#piece('reasoning', this.#held.slice(0, certain)));
    this.#held = this.#held.slice(certain);
    if (end === -1) return false;
    this.#held = this.#held.slice(this.#closing.length);
    this.#hasThought = true;
    this.#mayClose = false;
    // Another thought may follow.
    this.#state = 'start';
    return true;
  }

  #readAnswer(pieces: Piece[]): boolean {
    if (!this.#mayClose) {
      pieces.push(this.#piece('text', this.#held));
      this.#held = '';
      return false;
    }
    if (this.#isLoneClosing(false)) {
      this.#takeLoneClosing();
      return true;
    }
    // An answer that opens the tag itself talks about it.
    if (this.#held.includes(this.#opening)) this.#mayClose = false;
    const isTag = this.#mayClose && this.#held.startsWith(this.#closing);
    // The end of its line may follow.
    if (isTag && this.#held.length === this.#closing.length) return false;
    const next = this.#mayClose ? this.#held.indexOf(this.#closing, isTag ? 1 : 0) : -1;
    const isHeld = next === -1 && this.#mayClose;
    const held = isHeld
      ? Math.max(beginningAtEnd(this.#held, this.#closing), beginningAtEnd(this.#held, this.#opening))
      : 0;
    const certain = next === -1 ? this.#held.length - held : next;
    if (certain === 0) return false;
    pieces.push(this.#piece('text', this.#held.slice(0, certain)));
    this.#held = this.#held.slice(certain);
    return this.#held !== '' && next !== -1;
  }

  /** Checks whether the held text begins with a lone closing tag that ends a thought. `isEnd`: nothing follows that text. */
  #isLoneClosing(isEnd: boolean): boolean {
    if (this.#state !== 'answer' || !this.#mayClose || !this.#held.startsWith(this.#closing)) return false;
    const after = this.#held.charAt(this.#closing.length);
    if (this.#isInFence || this.#isInCode || /^(?: {4}|\t)/.test(this.#lineStart)) return false;
    return after === '' ? isEnd : /[\r\n]/.test(after) || this.#lineStart.trim() === '';
  }

  #takeLoneClosing(): void {
    this.#held = this.#held.slice(this.#closing.length);
    this.#mayClose = false;
    this.#state = 'behind';
  }

  /** Returns the first piece of the answer behind a text that looked like the answer but was a thought. */
  #behind(text: string): Piece {
    this.#state = 'answer';
    return { ...this.#piece('text', text), isBehindThought: true };
  }

  #piece(kind: Kind, text: string): Piece {
    if (kind === 'text' && this.#mayClose) this.#follow(text);
    if (kind === 'reasoning') this.#thought += text;
    else if (!this.#hasAnswer && text.trim() !== '') this.#hasAnswer = true;
    return { kind, text };
  }

  /** Keeps track of the line, and of whether inline code or a fence is open. */
  #follow(text: string): void {
    if (!TELLING.test(text)) {
      if (this.#lineStart.length < LINE_START) this.#lineStart = (this.#lineStart + text).slice(0, LINE_START);
      return;
    }
    for (const [index, line] of text.split('\n').entries()) {
      if (index > 0) {
        if (/^[\s>]*(```|~~~)/.test(this.#lineStart)) this.#isInFence = !this.#isInFence;
        this.#lineStart = '';
        this.#isInCode = false;
      }
      this.#lineStart = (this.#lineStart + line).slice(0, LINE_START);
      if (line.split('`').length % 2 === 0) this.#isInCode = !this.#isInCode;
    }
  }
}

/** Metadata for the end of a text block that was a thought, because a closing tag without a partner followed it. */
const BECOMES_REASONING = { [OWN_METADATA_KEY]: { becomesReasoning: true } };

/** The number of characters at the end of a text that may begin a tag. */
function beginningAtEnd(text: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length--)
    if (tag.startsWith(text.slice(-length))) return length;
  return 0;
}
