import { PARSER_LIMITS } from '../limits.ts';

/**
 * Keeps the beginning of the latest reasoning, at most `PARSER_LIMITS.reasoning` characters, for as long as neither visible text
 * nor a call follows it: if nothing does, the calls that were drafted in it are made.
 */
export class LatestThought {
  #pieces: string[] | undefined;
  #length = 0;

  /** The text in pieces as it arrived; undefined if the latest thing in the reply is not reasoning. */
  get pieces(): readonly string[] | undefined {
    return this.#pieces;
  }

  /** Begins a new piece of reasoning, and forgets the one before. */
  begin(): void {
    this.#pieces = [];
    this.#length = 0;
  }

  /** Records text of the reasoning. */
  add(piece: string): void {
    this.#length += piece.length;
    if (this.#length <= PARSER_LIMITS.reasoning) this.#pieces?.push(piece);
  }

  /** Forgets the reasoning, because visible text or a call has followed it. */
  forget(): void {
    this.#pieces = undefined;
  }

  /** Keeps the state, so that forgetting can be undone by calling the returned function. */
  remember(): () => void {
    const pieces = this.#pieces;
    return () => {
      this.#pieces = pieces;
    };
  }
}
