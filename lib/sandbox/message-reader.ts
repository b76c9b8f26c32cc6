import { CHARS_MAX_PER_SECOND, MESSAGE_MAX_CHARS, MESSAGES_MAX_PER_SECOND } from './limits.ts';
import { type FrameMessage, frameMessageSchema } from './protocol.ts';

/**
 * Reads the messages of one kernel (see `KernelConnection`), any of which may be forged: limits their size and rate, and
 * validates them.
 */
export class MessageReader {
  #second = 0;
  #messages = 0;
  #characters = 0;

  /** Returns the message in `data`, which should be JSON text, or, as a sentence, the reason why the kernel must be ended. */
  read(data: unknown): FrameMessage | string {
    if (typeof data !== 'string' || data.length > MESSAGE_MAX_CHARS)
      return 'The code sent a message that is invalid or too large.';
    if (this.#isFlood(data.length)) return 'The code sent too many messages.';
    try {
      return frameMessageSchema.parse(JSON.parse(data));
    } catch {
      return 'The code sent an invalid message.';
    }
  }

  #isFlood(characters: number): boolean {
    const second = Math.floor(performance.now() / 1000);
    if (second !== this.#second) [this.#second, this.#messages, this.#characters] = [second, 0, 0];
    this.#messages++;
    this.#characters += characters;
    return this.#messages > MESSAGES_MAX_PER_SECOND || this.#characters > CHARS_MAX_PER_SECOND;
  }
}
