import { StepError } from '#lib/agent/problems.ts';

/** The maximum length that is read of the body of a response with an error status, in bytes. */
const ERROR_MAX_BYTES = 65_536;

/** The longest line of a stream, and the longest body without line breaks, in bytes. */
const LINE_MAX_BYTES = 16_777_216;

/** The longest body of any kind, in bytes: far more than a reply of 2,000,000 characters, piece by piece. */
const BODY_MAX_BYTES = 1_073_741_824;

const LINE_BREAK = 10;

/**
 * Returns the response with a body of limited length, so that it cannot fill the memory. Reading a body that is too long, or
 * has a line that is, fails with `StepError`; the body of a response with an error status is cut off instead. A small
 * compressed body may become a large one, so what counts is its size once it is unpacked.
 */
export function withinLimits(response: Response): Response {
  if (response.body === null) return response;
  const { status, statusText, headers } = response;
  const limit = response.ok ? failingBeyond() : endingBeyond(ERROR_MAX_BYTES);
  return new Response(response.body.pipeThrough(limit), { status, statusText, headers: new Headers([...headers]) });
}

/** Returns a stream that cuts a body off at a length. */
function endingBeyond(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let left = maxBytes;
  return new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(chunk.subarray(0, left));
      left -= chunk.byteLength;
      if (left <= 0) controller.terminate();
    },
  });
}

/** Returns a stream that fails with `StepError` if a body is too long, or has a line that is. */
function failingBeyond(): TransformStream<Uint8Array, Uint8Array> {
  let total = 0;
  let line = 0;
  return new TransformStream({
    transform(chunk, controller) {
      total += chunk.byteLength;
      const lastBreak = chunk.lastIndexOf(LINE_BREAK);
      line = lastBreak === -1 ? line + chunk.byteLength : chunk.byteLength - lastBreak - 1;
      if (total <= BODY_MAX_BYTES && line <= LINE_MAX_BYTES) controller.enqueue(chunk);
      else controller.error(new StepError('endpoint-error', 'The response is too long.'));
    },
  });
}
