import { directFetch } from '../direct-fetch.ts';
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
  query = '',
  read,
}: ListRequest): Promise<ListedModel[]> {
  const url = `${baseURL.replace(/\/+$/, '')}/models`;
  const response = await directFetch(url + query, { headers, signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) throw new EndpointError(response.status, `${label} responded with ${response.status} to ${url}`);
  return read(await response.json()).filter(({ model }) => !NOT_CHAT.test(model));
}
