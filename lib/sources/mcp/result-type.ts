import type { JSONRPCMessage } from '@modelcontextprotocol/client';

/**
 * Adds `resultType: 'complete'` to a result that has no type. The client requires one from servers whose `ProtocolEra` is
 * `modern`, and would refuse the result otherwise, although the call has been run.
 */
export function assumeComplete(message: JSONRPCMessage): void {
  if (!('result' in message)) return;
  const result: unknown = message.result;
  if (typeof result === 'object' && result !== null && !('resultType' in result))
    Object.assign(result, { resultType: 'complete' });
}
