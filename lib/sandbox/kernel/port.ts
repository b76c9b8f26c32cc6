import { getterOf, isWindow, uncurried } from './primordials.ts';

const postTo = uncurried(MessagePort.prototype.postMessage);
const portOf = getterOf(MessageChannel.prototype, 'port1');
const Channel = MessageChannel;
/** Sends a message to the parent window directly, not through the port; undefined in a worker. */
const tellParent = isWindow ? parent.postMessage.bind(parent) : undefined;

/** A function that posts text to the port, whatever evaluated code has replaced. */
export const posterTo =
  (port: MessagePort) =>
  (text: string): void =>
    postTo(port, text);

/**
 * Marks the end of an evaluation, past the port. Arrives after everything that the code has sent this way. The page
 * waits for it, and recognizes it by its port.
 */
export function markEnd(): void {
  tellParent?.(null, '*', [portOf(new Channel())]);
}
