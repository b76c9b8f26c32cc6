import { defined } from '#lib/base/defined.ts';
import type { WebAnswer } from '#lib/tools/capabilities/web.ts';

/**
 * The part of a response's body that was read. `cut`: the reason why it is incomplete: it was too large (`size`), took too long
 * (`time`), or broke off (`broken`); absent if it is complete.
 */
export interface BodyPart {
  bytes: Uint8Array;
  cut?: NonNullable<WebAnswer['cut']>;
}

/**
 * Reads a body until it ends, has `maxBytes`, or has taken `maxMs`; what has arrived by then is kept. Rejects if the signal
 * fires, or if the body breaks off before anything has arrived.
 */
export async function readBody(
  { body }: Response,
  { maxBytes, maxMs, signal }: { maxBytes: number; maxMs: number; signal: AbortSignal },
): Promise<BodyPart> {
  if (body === null) return { bytes: new Uint8Array() };
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  let cut: BodyPart['cut'];
  const late = Promise.withResolvers<'late'>();
  const timer = setTimeout(() => late.resolve('late'), maxMs);
  try {
    for (;;) {
      const read = await Promise.race([reader.read(), late.promise]);
      if (read === 'late') {
        cut = 'time';
        break;
      }
      if (read.done) break;
      chunks.push(read.value);
      size += read.value.byteLength;
      if (size <= maxBytes) continue;
      cut = 'size';
      break;
    }
  } catch (error) {
    if (signal.aborted || size === 0) throw error;
    cut = 'broken';
  } finally {
    clearTimeout(timer);
    // Nobody reads the rest. A stream that has failed cannot be cancelled.
    reader.cancel().catch(() => undefined);
  }
  return { bytes: joined(chunks, Math.min(size, maxBytes)), ...defined({ cut }) };
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk.subarray(0, size - at), at);
    at += chunk.byteLength;
    if (at >= size) break;
  }
  return whole;
}
