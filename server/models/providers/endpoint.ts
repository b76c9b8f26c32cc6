import { directFetch } from '#server/net/direct-fetch.ts';
import type { ListedModel } from './provider.ts';

/** The endpoint responded, but not with a list. */
export class EndpointError extends Error {
  override readonly name = 'EndpointError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The longest list of models that is read, in bytes. OpenRouter's has 1 MB. */
const LIST_MAX_BYTES = 16_777_216;

/** Models that cannot chat, by the providers' naming conventions. */
const NOT_CHAT =
  /embed|whisper|tts|dall-e|image|moderation|realtime|audio|transcribe|rerank|guard|davinci|babbage|sora/i;

/** How one provider's list is asked for and read. */
interface ListRequest {
  /** The provider's label, for errors. */
  label: string;
  baseURL: string;
  headers: Record<string, string>;
  timeoutMs: number;
  fetch?: typeof fetch | undefined;
  /** Added to the address. */
  query?: string;
  /** Throws `ZodError` for a body that is not a list of models. */
  read(body: unknown): ListedModel[];
}

/** Asks `{baseURL}/models` for the models that can chat. Rejects like `Provider.listModels`. */
export async function requestModels({
  label,
  baseURL,
  headers,
  timeoutMs,
  fetch: request = directFetch,
  query = '',
  read,
}: ListRequest): Promise<ListedModel[]> {
  const url = `${baseURL.replace(/\/+$/, '')}/models`;
  const response = await request(url + query, { headers, signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) {
    await response.body?.cancel();
    throw new EndpointError(response.status, `${label} responded with ${response.status} to ${url}`);
  }
  return read(JSON.parse(await readText(response, LIST_MAX_BYTES))).filter(({ model }) => !NOT_CHAT.test(model));
}

/** Reads a response of at most `maxBytes`. Rejects with `EndpointError` if it is longer. */
async function readText(response: Response, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new EndpointError(response.status, `The response has more than ${maxBytes} bytes.`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
