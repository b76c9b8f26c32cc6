import * as z from 'zod';
import { PROVIDER_DEFAULTS, type ProviderId } from './config.ts';
import { directFetch } from './direct-fetch.ts';

/** What an endpoint reports about one of its models. */
export interface ListedModel {
  model: string;
  name?: string;
  contextSize?: number;
  nativeTools?: boolean;
  vision?: boolean;
}

const openAiList = z.object({
  data: z.array(
    z.looseObject({
      id: z.string(),
      // vLLM, OpenRouter, Groq, llama.cpp and LM Studio each use a different field.
      max_model_len: z.number().optional(),
      context_length: z.number().nullish(),
      context_window: z.number().nullish(),
      supported_parameters: z.array(z.string()).optional(),
      architecture: z.looseObject({ input_modalities: z.array(z.string()).optional() }).optional(),
      meta: z.looseObject({ n_ctx_train: z.number().optional() }).nullish(),
    }),
  ),
});

const anthropicList = z.object({
  data: z.array(z.looseObject({ id: z.string(), display_name: z.string().optional() })),
});

const googleList = z.object({
  models: z.array(
    z.looseObject({
      name: z.string(),
      displayName: z.string().optional(),
      inputTokenLimit: z.number().optional(),
      supportedGenerationMethods: z.array(z.string()).optional(),
    }),
  ),
});

/** Models that cannot chat, by the providers' naming conventions. */
const NOT_CHAT =
  /embed|whisper|tts|dall-e|image|moderation|realtime|audio|transcribe|rerank|guard|davinci|babbage|sora/i;

export interface EndpointOptions {
  provider: ProviderId;
  baseURL: string;
  apiKey?: string | undefined;
  timeoutMs: number;
}

/**
 * Asks an endpoint for its models. Rejects with the network error, with `EndpointError` if the endpoint refuses, and
 * with `ZodError` if the response is not a list of models.
 */
export async function listEndpointModels({
  provider,
  baseURL,
  apiKey,
  timeoutMs,
}: EndpointOptions): Promise<ListedModel[]> {
  const url = `${baseURL.replace(/\/+$/, '')}/models`;
  const response = await directFetch(provider === 'google' ? `${url}?pageSize=1000` : url, {
    headers: authHeaders(provider, apiKey),
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!response.ok)
    throw new EndpointError(
      response.status,
      `${PROVIDER_DEFAULTS[provider].label} responded with ${response.status} to ${url}`,
    );
  const body: unknown = await response.json();
  const listed =
    provider === 'anthropic' ? readAnthropic(body) : provider === 'google' ? readGoogle(body) : readOpenAi(body);
  return listed.filter(({ model }) => !NOT_CHAT.test(model));
}

/** The endpoint responded, but not with a list. */
export class EndpointError extends Error {
  override readonly name = 'EndpointError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

function authHeaders(provider: ProviderId, apiKey: string | undefined): Record<string, string> {
  if (apiKey === undefined) return {};
  if (provider === 'anthropic') return { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' };
  if (provider === 'google') return { 'x-goog-api-key': apiKey };
  return { authorization: `Bearer ${apiKey}` };
}

function readOpenAi(body: unknown): ListedModel[] {
  return openAiList.parse(body).data.map((entry) => {
    const contextSize = entry.max_model_len ?? entry.context_length ?? entry.context_window ?? entry.meta?.n_ctx_train;
    const modalities = entry.architecture?.input_modalities;
    return {
      model: entry.id,
      ...(contextSize == null ? {} : { contextSize }),
      ...(entry.supported_parameters === undefined
        ? {}
        : { nativeTools: entry.supported_parameters.includes('tools') }),
      ...(modalities === undefined ? {} : { vision: modalities.includes('image') }),
    };
  });
}

function readAnthropic(body: unknown): ListedModel[] {
  return anthropicList
    .parse(body)
    .data.map(({ id, display_name: name }) => ({ model: id, ...(name ? { name } : {}), vision: true }));
}

function readGoogle(body: unknown): ListedModel[] {
  return googleList
    .parse(body)
    .models.filter(({ supportedGenerationMethods }) => supportedGenerationMethods?.includes('generateContent') ?? true)
    .map(({ name, displayName, inputTokenLimit }) => ({
      model: name.replace(/^models\//, ''),
      ...(displayName ? { name: displayName } : {}),
      ...(inputTokenLimit ? { contextSize: inputTokenLimit } : {}),
    }));
}
