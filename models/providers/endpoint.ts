import * as z from 'zod';
import { readBounded } from '#lib/base/read-bounded.ts';
import { modelUseSchema } from '#lib/wire/model-config.ts';
import { withoutKey } from '#log/redact.ts';
import { directFetch } from '#net/direct-fetch.ts';
import type { ListedModel } from './provider.ts';

/** Thrown if an endpoint answers with an error status, or with too long a response. `status`: that of the response. */
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

/** Matches names of models that cannot chat, by the providers' naming conventions. */
const NOT_CHAT =
  /embed|whisper|tts|dall-e|image|moderation|realtime|audio|transcribe|rerank|guard|davinci|babbage|sora/i;

/** The request for one provider's list, and the way to read it. */
interface ListRequest {
  /** The provider's label, for errors. */
  label: string;
  baseURL: string;
  headers: Record<string, string>;
  /** The key in the headers, which is removed from errors. */
  apiKey: string | undefined;
  timeoutMs: number;
  fetch?: typeof fetch | undefined;
  /** The query that is added to the address, with its `?`. */
  query?: string;
  /** Reads the models in the body of a response, which was parsed as JSON. Throws `ZodError` if it is not a list of models. */
  read(body: unknown): ListedModel[];
}

/**
 * Asks `{baseURL}/models` for a provider's models, reads them with `read`, and leaves out those that cannot chat, by their
 * names. Rejects with the network error, `EndpointError`, `SyntaxError`, or `ZodError`, like `Provider.listModels`.
 */
export async function requestModels({
  label,
  baseURL,
  headers,
  apiKey,
  timeoutMs,
  fetch: request = directFetch,
  query = '',
  read,
}: ListRequest): Promise<ListedModel[]> {
  const url = `${baseURL.replace(/\/+$/, '')}/models`;
  const response = await request(url + query, { headers, signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) {
    const words = await wordsOf(response, apiKey);
    const status = `${label} responded with ${response.status} to ${url}`;
    throw new EndpointError(response.status, words === '' ? status : `${status}: ${words}`);
  }
  return read(JSON.parse(await readBodyText(response, LIST_MAX_BYTES)))
    .filter(({ model }) => !NOT_CHAT.test(model))
    .map(withUsableWindow);
}

/** The longest body of an error that is read, in bytes. */
const ERROR_MAX_BYTES = 65_536;
/** The part of an endpoint's message about an error that is repeated, in characters. */
const WORDS_MAX_CHARACTERS = 300;

const errorBody = z.union([
  z.object({ error: z.object({ message: z.string() }) }).transform(({ error }) => error.message),
  z.object({ error: z.string() }).transform(({ error }) => error),
  z.object({ message: z.string() }).transform(({ message }) => message),
  z.object({ detail: z.string() }).transform(({ detail }) => detail),
]);

/** Returns an endpoint's message about an error, without the key; empty if it is not for people, such as a web page. */
async function wordsOf(response: Response, apiKey: string | undefined): Promise<string> {
  try {
    const body: unknown = JSON.parse(await readBodyText(response, ERROR_MAX_BYTES));
    // Cut first, a part of the key would stay.
    return withoutKey(errorBody.parse(Array.isArray(body) ? body[0] : body), apiKey).slice(0, WORDS_MAX_CHARACTERS);
  } catch {
    return '';
  }
}

/** Returns a model with its context size rounded down, or without it if it is not usable: endpoints list 0, and fractions. */
export function withUsableWindow({ contextSize, ...model }: ListedModel): ListedModel {
  const whole = Math.floor(contextSize ?? 0);
  return modelUseSchema.shape.contextSize.safeParse(whole).success ? { ...model, contextSize: whole } : model;
}

/** Reads a response of at most `maxBytes`. Rejects with `EndpointError` if it is longer. */
export async function readBodyText({ body, status }: Response, maxBytes: number): Promise<string> {
  const { bytes, isCut } = await readBounded(body, maxBytes);
  if (isCut) throw new EndpointError(status, `The response has more than ${maxBytes} bytes.`);
  return new TextDecoder().decode(bytes);
}
