import { APICallError, type LanguageModelMiddleware } from 'ai';
import { problemCode } from '../problems.ts';

/** A failed request that is about to be repeated. */
export interface Retry {
  /** The problem's code, such as `rate-limited`. */
  code: string;
  /** The time until the request is repeated, in milliseconds. */
  delayMs: number;
}

/**
 * Returns a middleware that calls `announce` before each retry that the AI SDK is about to make: the SDK itself waits
 * silently, for up to a minute. `maxRetries`: the SDK's own limit.
 */
export function announceRetries(maxRetries: number, announce: (retry: Retry) => void): LanguageModelMiddleware {
  let failures = 0;
  return {
    specificationVersion: 'v4',
    wrapStream: async ({ doStream }) => {
      try {
        return await doStream();
      } catch (error) {
        failures++;
        if (failures <= maxRetries && APICallError.isInstance(error) && error.isRetryable)
          announce({ code: problemCode(error), delayMs: retryDelay(error, failures) });
        throw error;
      }
    },
  };
}

/**
 * Returns the SDK's delay before a retry, in milliseconds: as the endpoint asks if that is less than a minute,
 * otherwise 2 s, 4 s, 8 s and so on.
 */
function retryDelay({ responseHeaders }: APICallError, failures: number): number {
  const backoff = 1_000 * 2 ** failures;
  const milliseconds = Number.parseFloat(responseHeaders?.['retry-after-ms'] ?? '');
  const after = responseHeaders?.['retry-after'] ?? '';
  const seconds = Number.parseFloat(after);
  const asked = Number.isNaN(milliseconds)
    ? Number.isNaN(seconds)
      ? Date.parse(after) - Date.now()
      : seconds * 1_000
    : milliseconds;
  return asked >= 0 && asked < 60_000 ? asked : backoff;
}
