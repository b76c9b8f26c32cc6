import type { Transport } from '@modelcontextprotocol/client';

/** The error message of a request whose answer can no longer arrive. */
export const BROKEN_STREAM = 'The connection broke before the server answered.';

/**
 * Makes a request fail with `BROKEN_STREAM` if the stream of its response ends without an answer, for which the client would
 * otherwise wait. Must be called before the client connects.
 */
export function endBrokenRequests(transport: Transport): void {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    if (Array.isArray(message) || !('id' in message) || !('method' in message)) return send(message, options);
    const { id } = message;
    // If the answer has come, nobody waits for this one.
    const onRequestStreamEnd = () =>
      transport.onmessage?.({ jsonrpc: '2.0', id, error: { code: -32_000, message: BROKEN_STREAM } });
    return send(message, { onRequestStreamEnd, ...options });
  };
}
