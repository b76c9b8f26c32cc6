import { PARSER_LIMITS } from '../limits.ts';
import type { ToolNames } from '../tool-names.ts';

/**
 * Collects the text of the first call in a reply that could not be read, though its marker says that it is one, and finds
 * the name of the tool in it.
 */
export class UnreadableCall {
  #text: string | undefined;

  /** Notes that a call that could not be read begins here. Only the first one counts. */
  begin(): void {
    this.#text ??= '';
  }

  /** Whether text is still being collected. */
  get isOpen(): boolean {
    return this.#text !== undefined && this.#text.length < PARSER_LIMITS.unreadable;
  }

  /** Records text that was shown. */
  text(piece: string): void {
    if (this.isOpen) this.#text += piece;
  }

  /**
   * Returns the name of the tool that the call was meant for; undefined if none is found. `dropped`: the text of a call that
   * the end of the reply cut off.
   */
  toolName(tools: ToolNames, dropped: string): string | undefined {
    return tools.findCalled((this.#text ?? dropped).slice(0, PARSER_LIMITS.unreadable))?.name;
  }
}
