import * as z from 'zod';
import { CODEC_IDS } from '#lib/prompts/codec.ts';
import type { Environment } from '#server/config/env.ts';
import { markSecret } from '#server/log/redact.ts';

/** Providers that the studio knows by name. Those without an SDK use the OpenAI chat completions API. */
export const PROVIDERS = [
  'openai',
  'anthropic',
  'google',
  'deepseek',
  'openrouter',
  'groq',
  'xai',
  'local',
  'demo',
] as const;

export type ProviderId = (typeof PROVIDERS)[number];

/** A model that a user can choose: from `models.yaml`, from the environment, or found on this machine. */
export const modelConfigSchema = z.strictObject({
  provider: z.enum(PROVIDERS),
  /** The provider's name for the model. */
  model: z.string().min(1),
  /** Unique in the list; `provider/model` unless given. */
  id: z.string().min(1).optional(),
  /** The display name; defaults to the model's own name. */
  name: z.string().min(1).optional(),
  baseURL: z.url({ protocol: /^https?$/ }).optional(),
  /** Name of the environment variable that holds the key. Never the key itself. */
  apiKeyEnv: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]*$/, 'must be the name of an environment variable, such as OPENAI_API_KEY')
    .optional(),
  toolCalling: z.enum(['native', 'prompted', 'auto']).default('auto'),
  /** How tools are described to the model, where it differs from the default. */
  protocol: z
    .strictObject({
      /** The format of calls if tools are prompted; `json` by default. */
      codec: z.enum(CODEC_IDS).optional(),
      /** Whether to show examples if tools are prompted; by default, unless `compact`. */
      examples: z.boolean().optional(),
      /** Whether tools and rules are described briefly; by default, if the context is small. */
      compact: z.boolean().optional(),
    })
    .optional(),
  /** Maximum tokens of the prompt and answer together. */
  contextSize: z.int().min(512).optional(),
  /** Whether the model supports images. */
  vision: z.boolean().optional(),
  reasoning: z
    .strictObject({
      /** How hard a reasoning model should think, if the provider has such a setting. */
      effort: z.enum(['minimal', 'low', 'medium', 'high']).optional(),
      /** The tag around reasoning in plain text; false if there is none. */
      tag: z.union([z.string().regex(/^[a-z]+$/), z.literal(false)]).optional(),
      /** The reply starts inside the reasoning because the template has opened it. */
      startsInReasoning: z.boolean().optional(),
    })
    .optional(),
  temperature: z.number().min(0).max(2).optional(),
  maxOutputTokens: z.int().min(1).optional(),
  toolChoice: z.enum(['auto', 'required']).optional(),
});

export type ModelConfig = z.output<typeof modelConfigSchema>;

/** A configuration with every option set that need not be queried from the endpoint. */
export interface ResolvedModelConfig extends ModelConfig {
  id: string;
  name: string;
}

/** A provider's URL and the variable that holds its key. */
export interface ProviderDefaults {
  label: string;
  baseURL?: string;
  apiKeyEnv?: string;
  /** Other common variables for the same key. */
  otherKeyEnvs?: readonly string[];
}

export const PROVIDER_DEFAULTS: Readonly<Record<ProviderId, ProviderDefaults>> = {
  openai: { label: 'OpenAI', baseURL: 'https://api.openai.com/v1', apiKeyEnv: 'OPENAI_API_KEY' },
  anthropic: {
    label: 'Anthropic',
    baseURL: 'https://api.anthropic.com/v1',
    apiKeyEnv: 'ANTHROPIC_API_KEY',
  },
  google: {
    label: 'Google Gemini',
    baseURL: 'https://generativelanguage.googleapis.com/v1beta',
    apiKeyEnv: 'GEMINI_API_KEY',
    otherKeyEnvs: ['GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
  },
  deepseek: {
    label: 'DeepSeek',
    baseURL: 'https://api.deepseek.com/v1',
    apiKeyEnv: 'DEEPSEEK_API_KEY',
  },
  openrouter: {
    label: 'OpenRouter',
    baseURL: 'https://openrouter.ai/api/v1',
    apiKeyEnv: 'OPENROUTER_API_KEY',
  },
  groq: { label: 'Groq', baseURL: 'https://api.groq.com/openai/v1', apiKeyEnv: 'GROQ_API_KEY' },
  xai: { label: 'xAI', baseURL: 'https://api.x.ai/v1', apiKeyEnv: 'XAI_API_KEY' },
  local: { label: 'Local server', apiKeyEnv: 'LOCAL_API_KEY' },
  demo: { label: 'Demo' },
};

/** Prefix of a provider's variables: `OPENAI_MODEL`, `GEMINI_MODEL`, … */
export const PROVIDER_PREFIXES: Readonly<Record<Exclude<ProviderId, 'demo'>, readonly string[]>> = {
  openai: ['OPENAI'],
  anthropic: ['ANTHROPIC'],
  google: ['GEMINI', 'GOOGLE'],
  deepseek: ['DEEPSEEK'],
  openrouter: ['OPENROUTER'],
  groq: ['GROQ'],
  xai: ['XAI'],
  local: ['LOCAL'],
};

export function resolveModelConfig(config: ModelConfig): ResolvedModelConfig {
  return {
    ...config,
    id: config.id ?? `${config.provider}/${config.model}`,
    name: config.name ?? config.model,
  };
}

/** Reads the key from the environment when it is needed. It is not stored anywhere else. */
export function readApiKey(config: Pick<ModelConfig, 'provider' | 'apiKeyEnv'>, env: Environment): string | undefined {
  const defaults = PROVIDER_DEFAULTS[config.provider];
  const names =
    config.apiKeyEnv === undefined ? [defaults.apiKeyEnv, ...(defaults.otherKeyEnvs ?? [])] : [config.apiKeyEnv];
  for (const name of names) {
    const value = name === undefined ? undefined : env[name]?.trim();
    if (name === undefined || !value) continue;
    markSecret(name);
    return value;
  }
  return undefined;
}
