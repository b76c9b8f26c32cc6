/** The longest silences of a server before its request is given up. */
interface SilenceLimits {
  /**
   * The longest silence before the first part of the response, in milliseconds. A model that reads a long prompt says nothing
   * for a long time.
   */
  firstMs: number;
  /** The longest silence between two parts of the response, in milliseconds. */
  betweenMs: number;
}

/**
 * Makes a `fetch` that sends requests with `request`, and gives up on a server that is silent for too long, but never on one
 * that keeps sending. `firstMs`: the limit before the first part of the body. `betweenMs`: the limit between two parts. Beyond
 * a limit, the `fetch` rejects with a `DOMException` `TimeoutError` or, once the response has begun, reading the body does.
 */
export const withSilenceLimit =
  ({ firstMs, betweenMs }: SilenceLimits, request: typeof fetch): typeof fetch =>
  async (input, init) => {
    const ending = new AbortController();
    const limit = (ms: number): NodeJS.Timeout => {
      const message = `The model’s server said nothing for ${Math.ceil(ms / 1_000)} s.`;
      return setTimeout(() => ending.abort(new DOMException(message, 'TimeoutError')), ms).unref();
    };
    let timer = limit(firstMs);
    let isFirst = true;
    const signal = init?.signal ? AbortSignal.any([init.signal, ending.signal]) : ending.signal;
    const end = () => clearTimeout(timer);
    let response: Response;
    try {
      response = await request(input, { ...init, signal });
    } catch (error) {
      end();
      throw error;
    }
    if (response.body === null) {
      end();
      return response;
    }
    const reader = response.body.getReader();
    const watched = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { done, value } = await reader.read().catch((error: unknown) => {
          end();
          throw error;
        });
        if (done) {
          end();
          return controller.close();
        }
        controller.enqueue(value);
        if (!isFirst) {
          timer.refresh();
          return;
        }
        isFirst = false;
        end();
        timer = limit(betweenMs);
      },
      cancel(reason) {
        end();
        return reader.cancel(reason);
      },
    });
    const { status, statusText, headers } = response;
    return new Response(watched, { status, statusText, headers });
  };
