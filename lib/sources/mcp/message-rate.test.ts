import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { MCP_LIMITS } from './limits.ts';
import { McpSession } from './session.ts';

/** A server that answers each message with many that mean nothing. */
class FloodTransport implements Transport {
  onclose?: () => void;
  onmessage?: (message: JSONRPCMessage) => void;
  sent = 0;
  isClosed = false;

  async start(): Promise<void> {}

  async send(): Promise<void> {
    while (!this.isClosed && this.sent < 20 * MCP_LIMITS.messagesPerSecond) {
      this.sent += 1;
      this.onmessage?.({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.onclose?.();
  }
}

test('a server that floods its client with messages is left, with a clear reason', async () => {
  const transport = new FloodTransport();
  await expect(McpSession.open(transport, { onChange: () => undefined, onClose: () => undefined })).rejects.toThrow(
    'The server sent more than 5,000 messages in a second.',
  );
  // A second may begin in between.
  expect(transport.sent).toBeLessThanOrEqual(2 * MCP_LIMITS.messagesPerSecond + 1);
});
