import { MCP_LIMITS } from './limits.ts';

const LINE_BREAK = 10;
const CARRIAGE_RETURN = 13;

/**
 * Wraps `fetch` so that reading a response fails with `ResponseTooLarge` beyond `maxBytes`, which is the limit for each event
 * of an event stream, and for any other body as a whole.
 */
export const boundedFetch =
  (request: typeof fetch, maxBytes: number = MCP_LIMITS.responseBytes): typeof fetch =>
  async (input, init) => {
    const response = await request(input, init);
    if (response.body === null) return response;
    const { status, statusText, headers } = response;
    const isStream = headers.get('content-type')?.startsWith('text/event-stream') === true;
    /** The size of the body so far, or of the current event of a stream, in bytes. An empty line ends an event. */
    let size = 0;
    let lineLength = 0;
    const limit = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        if (!isStream) size += chunk.byteLength;
        else
          for (const byte of chunk) {
            size = byte === LINE_BREAK && lineLength === 0 ? 0 : size + 1;
            if (byte !== CARRIAGE_RETURN) lineLength = byte === LINE_BREAK ? 0 : lineLength + 1;
          }
        if (size <= maxBytes) controller.enqueue(chunk);
        else controller.error(new ResponseTooLarge(`The server’s response has more than ${maxBytes} bytes.`));
      },
    });
    return new Response(response.body.pipeThrough(limit), { status, statusText, headers });
  };

/** Thrown while reading a response that is too large. */
export class ResponseTooLarge extends Error {
  override readonly name = 'ResponseTooLarge';
}
