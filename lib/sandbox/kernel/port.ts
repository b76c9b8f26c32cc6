import { getterOf, isWindow, uncurried } from './primordials.ts';

const postTo = uncurried(MessagePort.prototype.postMessage);
const portOf = getterOf(MessageChannel.prototype, 'port1');
const Channel = MessageChannel;
/** Sends a message to the parent window directly, not through the port; undefined in a worker. */
const tellParent = isWindow ? parent.postMessage.bind(parent) : undefined;

/** Returns a function that posts text to the port. It works even if evaluated code has replaced `postMessage`. */
export const posterTo =
  (port: MessagePort) =>
  (text: string): void =>
    postTo(port, text);

/**
 * Tells the studio's page that an evaluation has ended. The message goes directly to the page, not through the port, so that it
 * arrives after all others that the code has sent this way. It contains nothing but a new port, by which the page recognizes
 * it. Does nothing in a worker.
 */
export function markEnd(): void {
  tellParent?.(null, '*', [portOf(new Channel())]);
}
