import { INTERNAL_ERROR, isJSONRPCResponse, type JSONRPCMessage } from '@modelcontextprotocol/client';
import { PROGRAM_LIMITS } from '#lib/sources/mcp/programs/limits.ts';
import { STUDIO_SERVER_LIMITS } from './limits.ts';

const encoder = new TextEncoder();

/**
 * A response to a page that is a stream of JSON-RPC messages, as MCP's HTTP transport has it: server-sent events, one for
 * each message.
 */
export class MessageStream {
  readonly response: Response;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  readonly #keepAlive: NodeJS.Timeout;

  /** `onLeft`: called when the reader of the response is gone. */
  constructor(onLeft: () => void) {
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        cancel: () => {
          this.#stop();
          onLeft();
        },
      },
      new ByteLengthQueuingStrategy({ highWaterMark: PROGRAM_LIMITS.messageBytes }),
    );
    this.response = new Response(body, {
      headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
    });
    this.#keepAlive = setInterval(() => this.#write(': open\n\n'), STUDIO_SERVER_LIMITS.keepAliveMs).unref();
    // A client that waits for the headers gets them at once.
    this.#write(': open\n\n');
  }

  /** Sends a message; drops it while the reader takes nothing and the buffer is full. */
  send(message: JSONRPCMessage): void {
    if ((this.#controller?.desiredSize ?? 0) > 0) this.#writeMessage(message);
  }

  /** Ends the stream, with a last message if there is one. */
  end(last?: JSONRPCMessage): void {
    if (last !== undefined) this.#writeMessage(last);
    const controller = this.#controller;
    this.#stop();
    controller?.close();
  }

  #writeMessage(message: JSONRPCMessage): void {
    const text = textOf(message);
    if (text !== undefined) this.#write(`event: message\ndata: ${text}\n\n`);
  }

  #write(text: string): void {
    this.#controller?.enqueue(encoder.encode(text));
  }

  #stop(): void {
    clearInterval(this.#keepAlive);
    this.#controller = undefined;
  }
}

/**
 * Returns a message as JSON. If an answer is nested too deeply for that, returns an error as the answer instead; for any other
 * such message, returns undefined.
 */
function textOf(message: JSONRPCMessage): string | undefined {
  try {
    return JSON.stringify(message);
  } catch {
    if (!isJSONRPCResponse(message) || message.id === undefined) return undefined;
    const error = {
      code: INTERNAL_ERROR,
      message: 'The server’s response is nested too deeply to be passed on.',
    };
    return JSON.stringify({ jsonrpc: '2.0', id: message.id, error });
  }
}
