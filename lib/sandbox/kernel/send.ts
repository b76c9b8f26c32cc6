import type { FrameMessage } from '../protocol.ts';
import { postTo, stringify } from './primordials.ts';

let port: MessagePort | undefined;

/** Sets the port for all messages. Must be called before the first one is sent. */
export function sendThrough(given: MessagePort): void {
  port = given;
}

/** Sends a message to the studio's page, as JSON. */
export function send(message: FrameMessage): void {
  postTo(port, stringify(message));
}
