import { getterOf, isWindow, uncurried } from './primordials.ts';

const postTo = uncurried(MessagePort.prototype.postMessage);
const portOf = getterOf(MessageChannel.prototype, 'port1');
const Channel = MessageChannel;
/** Sends a message to the parent window directly, not through the port; undefined in a worker. */
const tellParent = isWindow ? parent.postMessage.bind(parent) : undefined;

/** Returns a function that posts text to the port. It works whatever evaluated code has replaced, such as `postMessage`. */
export const posterTo =
  (port: MessagePort) =>
  (text: string): void =>
    postTo(port, text);

/**
 * Tells the studio's page that an evaluation has ended. The message goes directly to the page, past the port, so that it
 * arrives after all others that the code has sent this way. The page recognizes it by the port that comes with it. Does
 * nothing in a worker.
 */
export function markEnd(): void {
  tellParent?.(null, '*', [portOf(new Channel())]);
}
