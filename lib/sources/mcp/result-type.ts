import type { JSONRPCMessage } from '@modelcontextprotocol/client';

/**
 * Completes the result of a server of the later era that does not say what kind of result it is. It counts as a complete one;
 * the client would refuse it, although the call has been run.
 */
export function assumeComplete(message: JSONRPCMessage): void {
  if (!('result' in message)) return;
  const result: unknown = message.result;
  if (typeof result === 'object' && result !== null && !('resultType' in result))
    Object.assign(result, { resultType: 'complete' });
}
