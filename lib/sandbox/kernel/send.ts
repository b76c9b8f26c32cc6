import type { FrameMessage } from '../protocol.ts';
import { ignore, stringify } from './primordials.ts';

let post: (text: string) => void = ignore;

/** Sets the function by which `send` sends all messages. Messages before that are lost. */
export function sendThrough(given: (text: string) => void): void {
  post = given;
}

/**
 * Sends a message to the studio's page, or to the host that started the process of the kernel, as JSON. A message before
 * `sendThrough` is lost.
 */
export function send(message: FrameMessage): void {
  post(stringify(message));
}
