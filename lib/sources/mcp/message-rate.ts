import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { MCP_LIMITS } from './limits.ts';

/**
 * Makes a transport close when its server sends more than `MCP_LIMITS.messagesPerSecond`, counted second by second. `onFlood`
 * is called once, before the transport is closed. `transport.onmessage` can still be read and set as usual.
 */
export function limitMessages(transport: Transport, onFlood: () => void): void {
  let [second, count] = [0, 0];
  let last: JSONRPCMessage | undefined;
  let isOver = false;
  const take = (message: JSONRPCMessage): void => {
    // Receivers pass a message on to those who were there before them.
    if (message === last || isOver) return;
    last = message;
    const now = Math.floor(Date.now() / 1_000);
    if (now !== second) [second, count] = [now, 0];
    count += 1;
    if (count <= MCP_LIMITS.messagesPerSecond) return;
    isOver = true;
    onFlood();
    void transport.close();
  };
  let receive: Transport['onmessage'];
  const withReceiver = (next: Transport['onmessage']) => {
    receive =
      next &&
      ((message, extra) => {
        take(message);
        if (!isOver) next(message, extra);
      });
  };
  withReceiver(transport.onmessage);
  Object.defineProperty(transport, 'onmessage', { configurable: true, get: () => receive, set: withReceiver });
}
