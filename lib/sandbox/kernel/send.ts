import type { FrameMessage } from '../protocol.ts';
import { ignore, stringify } from './primordials.ts';

let post: (text: string) => void = ignore;

/** Sets the function that sends all messages. Messages before that are lost. */
export function sendThrough(given: (text: string) => void): void {
  post = given;
}

/** Sends a message to whoever runs the kernel, as JSON. */
export function send(message: FrameMessage): void {
  post(stringify(message));
}
