import { ERROR_MAX_CHARACTERS } from './limits.ts';

/** The beginning of a response: as far as errors are read, or `max` characters. */
export async function beginningOf({ body }: Response, max = ERROR_MAX_CHARACTERS): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > max) break;
  }
  return text.slice(0, max);
}
