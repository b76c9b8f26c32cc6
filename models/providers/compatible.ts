import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import * as z from 'zod';
import { defined } from '#lib/base/defined.ts';
import { chatFetch } from '../dialects/chat-fetch.ts';
import { requestModels } from './endpoint.ts';
import { isOwnAddress, type ListedModel, type Provider, reasoningTag } from './provider.ts';

/** The differences between providers that offer OpenAI's chat completions. */
interface CompatibleRow {
  id: string;
  label: string;
  /** The provider's own base URL; absent if every server has its own. */
  baseURL?: string;
  /** The environment variable that holds the provider's key. */
  keyVariable: string;
}

/** Providers that offer OpenAI's chat completions API. The names of their environment variables begin with the id in capitals. */
const ROWS: readonly CompatibleRow[] = [
  { id: 'deepseek', label: 'DeepSeek', baseURL: 'https://api.deepseek.com/v1', keyVariable: 'DEEPSEEK_API_KEY' },
  { id: 'openrouter', label: 'OpenRouter', baseURL: 'https://openrouter.ai/api/v1', keyVariable: 'OPENROUTER_API_KEY' },
  { id: 'groq', label: 'Groq', baseURL: 'https://api.groq.com/openai/v1', keyVariable: 'GROQ_API_KEY' },
  { id: 'xai', label: 'xAI', baseURL: 'https://api.x.ai/v1', keyVariable: 'XAI_API_KEY' },
  { id: 'mistral', label: 'Mistral', baseURL: 'https://api.mistral.ai/v1', keyVariable: 'MISTRAL_API_KEY' },
  { id: 'together', label: 'Together', baseURL: 'https://api.together.xyz/v1', keyVariable: 'TOGETHER_API_KEY' },
  { id: 'local', label: 'Local server', keyVariable: 'LOCAL_API_KEY' },
];

const listSchema = z.object({
  data: z.array(
    z.looseObject({
      id: z.string(),
      // vLLM, OpenRouter, Groq, llama.cpp and LM Studio each use a different field.
      max_model_len: z.number().optional(),
      context_length: z.number().nullish(),
      context_window: z.number().nullish(),
      supported_parameters: z.array(z.string()).optional(),
      architecture: z.looseObject({ input_modalities: z.array(z.string()).optional() }).optional(),
      meta: z.looseObject({ n_ctx: z.number().optional() }).nullish(),
    }),
  ),
});

/**
 * Reads the models in a response of `GET /models`, as OpenAI and those that imitate it send it. Throws `ZodError` if it is
 * not a list of models.
 */
export function readModels(body: unknown): ListedModel[] {
  return listSchema.parse(body).data.map((entry) => {
    const served = entry.max_model_len ?? entry.meta?.n_ctx;
    const contextSize = served ?? entry.context_length ?? entry.context_window;
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

/** Returns the header with a key, for OpenAI and those that imitate it; none without a key. */
export const bearer = (apiKey: string | undefined): Record<string, string> =>
  apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };

/** The parts of a `Provider` that servers with OpenAI's chat completions share, also OpenAI's client at another address. */
type Compatible = Pick<Provider, 'traits' | 'create' | 'options'>;

/**
 * Returns the `traits`, `create`, and `options` of a provider whose server offers OpenAI's chat completions. `name`: its key
 * in the SDK's provider options. `baseURL`: the address for models whose configuration has none.
 */
export const chatCompletions = (name: string, baseURL: string | undefined): Compatible => ({
  traits: (config) => ({
    keepsReasoning: false,
    takesResultImages: false,
    rendersTemplates: true,
    // Servers without a reasoning field put the reasoning into the text, between these tags.
    reasoningTag: reasoningTag(config, 'think'),
    toolName: /^[\w-]{1,64}$/,
    // Mostly smaller models, which do best with it (docs/MODELS.md).
    codec: 'object',
    singleCallOptions: { [name]: { parallel_tool_calls: false } },
  }),
  create(config, { apiKey, fetch, isExact = false }) {
    const address = config.baseURL ?? baseURL;
    if (address === undefined) throw new Error(`The model "${config.id}" has no address; set its baseURL.`);
    return createOpenAICompatible({
      name,
      baseURL: address,
      includeUsage: true,
      fetch: chatFetch(fetch, { isExact }),
      ...(apiKey === undefined ? {} : { apiKey }),
    })(config.model);
  },
  options: ({ reasoning }) =>
    reasoning?.effort === undefined ? {} : { [name]: { reasoningEffort: reasoning.effort } },
});

function compatibleProvider({ id, label, baseURL, keyVariable }: CompatibleRow): Provider {
  return {
    id,
    label,
    ...defined({ baseURL }),
    prefixes: [id.toUpperCase()],
    keyVariables: [keyVariable],
    needsKey: (config) => baseURL !== undefined && isOwnAddress({ baseURL }, config),
    ...chatCompletions(id, baseURL),
    listModels: (endpoint) => requestModels({ label, ...endpoint, headers: bearer(endpoint.apiKey), read: readModels }),
  };
}

/**
 * The providers that offer OpenAI's chat completions API, such as DeepSeek, and servers that people run themselves
 * (`local`).
 */
export const compatibleProviders: readonly Provider[] = ROWS.map(compatibleProvider);
