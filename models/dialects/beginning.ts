import { ERROR_MAX_CHARACTERS } from './limits.ts';

/** Reads the beginning of a response's body as text, up to `max` characters, by default `ERROR_MAX_CHARACTERS`. */
export async function beginningOf({ body }: Response, max = ERROR_MAX_CHARACTERS): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > max) break;
  }
  return text.slice(0, max);
}
