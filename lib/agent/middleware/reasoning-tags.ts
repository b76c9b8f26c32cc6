import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { LanguageModelMiddleware } from 'ai';

/** The tags around thoughts in the text of a reply. */
export interface ReasoningTagOptions {
  /** Without brackets, such as `think`. */
  tag: string;
  /** True if the template has already opened the tag, so that the reply begins inside of it. */
  startsInReasoning: boolean;
}

/**
 * Takes thoughts between tags out of the text of a reply. A tag counts only where a thought can begin, at the start of a step,
 * so that an answer may talk about it. A thought that never ends, and that no answer or call follows, is the answer.
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
  /** The part of the provider that is being read, and what is open of what is passed on. */
  let id = '';
  let open: { kind: Kind; id: string } | undefined;
  let count = 0;
  let hasMore = false;
  return new TransformStream({
    transform(part, controller) {
      const close = () => {
        if (open !== undefined) controller.enqueue({ type: `${open.kind}-end`, id: open.id });
        open = undefined;
      };
      const say = (pieces: readonly Piece[]) => {
        for (const { kind, text } of pieces) {
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
        close();
      } else {
        if (part.type === 'finish') {
          say(hasMore ? separator.flush() : separator.end());
          close();
        } else if (part.type.startsWith('tool-')) hasMore = true;
        controller.enqueue(part);
      }
    },
  });
}

interface Piece {
  kind: Kind;
  text: string;
}

/** The most white space that is held back before a thought, in characters. */
const SPACE_MAX = 1_000;

class Separator {
  readonly #opening: string;
  readonly #closing: string;
  #state: 'start' | 'thought' | 'answer';
  /** Text that may be a part of a tag, or white space before one. */
  #held = '';
  #thought = '';
  #hasThought = false;
  #hasAnswer = false;

  constructor({ tag, startsInReasoning }: ReasoningTagOptions) {
    this.#opening = `<${tag}>`;
    this.#closing = `</${tag}>`;
    this.#state = startsInReasoning ? 'thought' : 'start';
  }

  /** Takes a piece of the text, and returns what is certain now. */
  take(text: string): Piece[] {
    this.#held += text;
    const pieces: Piece[] = [];
    while (this.#read(pieces)) {
      // Until nothing is certain any more.
    }
    return pieces;
  }

  /** Returns the rest at the end of a text. */
  flush(): Piece[] {
    const text = this.#held;
    this.#held = '';
    if (text === '' || (this.#state === 'start' && text.trim() === '')) return [];
    return [this.#piece(this.#state === 'thought' ? 'reasoning' : 'text', text)];
  }

  /** Returns the rest at the end of a reply without calls: the thought, if there was nothing else. */
  end(): Piece[] {
    const rest = this.flush();
    return this.#hasAnswer || this.#thought.trim() === '' ? rest : [...rest, this.#piece('text', this.#thought)];
  }

  /** Reads what is held; false if more has to come. */
  #read(pieces: Piece[]): boolean {
    if (this.#held === '') return false;
    if (this.#state === 'answer') {
      pieces.push(this.#piece('text', this.#held));
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
    // Another thought may follow.
    this.#state = 'start';
    return true;
  }

  #piece(kind: Kind, text: string): Piece {
    if (kind === 'reasoning') this.#thought += text;
    else if (text.trim() !== '') this.#hasAnswer = true;
    return { kind, text };
  }
}

/** The number of characters at the end of a text that may begin a tag. */
function beginningAtEnd(text: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length--)
    if (tag.startsWith(text.slice(-length))) return length;
  return 0;
}
