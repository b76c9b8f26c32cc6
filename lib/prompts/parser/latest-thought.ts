import { PARSER_LIMITS } from '../limits.ts';

/**
 * The latest piece of reasoning, for as long as neither visible text nor a call follows it. Owns its text, of which it
 * keeps at most `PARSER_LIMITS.reasoning` characters.
 */
export class LatestThought {
  #pieces: string[] | undefined;
  #length = 0;

  /** The text in pieces as it arrived; undefined if the latest thing in the reply is not reasoning. */
  get pieces(): readonly string[] | undefined {
    return this.#pieces;
  }

  /** Reasoning begins. */
  begin(): void {
    this.#pieces = [];
    this.#length = 0;
  }

  /** Records a piece of it. */
  add(piece: string): void {
    this.#length += piece.length;
    if (this.#length <= PARSER_LIMITS.reasoning) this.#pieces?.push(piece);
  }

  /** Something else has followed it. */
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
