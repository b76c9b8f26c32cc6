import * as z from 'zod';
import { CODEC_IDS } from '#lib/prompts/codec.ts';
import type { Environment } from '#server/config/env.ts';
import { markSecret } from '#server/log/redact.ts';

/** Providers the studio knows by name. Those without an SDK of their own speak the OpenAI chat completions API. */
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

/** One model a person can choose: an entry of `models.yaml`, of the environment, or found on this machine. */
export const modelConfigSchema = z.strictObject({
  provider: z.enum(PROVIDERS),
  /** The provider's own name of the model. */
  model: z.string().min(1),
  /** Unique in the list; `provider/model` unless given. */
  id: z.string().min(1).optional(),
  /** What people see; the model's own name unless given. */
  name: z.string().min(1).optional(),
  baseURL: z.url({ protocol: /^https?$/ }).optional(),
  /** Name of the environment variable that holds the key. Never the key itself. */
  apiKeyEnv: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]*$/, 'must be the name of an environment variable, such as OPENAI_API_KEY')
    .optional(),
  toolCalling: z.enum(['native', 'prompted', 'auto']).default('auto'),
  /** How the model is told of its tools, as far as it is not by default. */
  protocol: z
    .strictObject({
      /** The form of calls it is asked for when its tools are prompted; `json` unless given. */
      codec: z.enum(CODEC_IDS).optional(),
      /** Whether worked examples are shown when its tools are prompted; yes unless `compact`. */
      examples: z.boolean().optional(),
      /** Whether tools and rules are told in few words; yes where the context is small. */
      compact: z.boolean().optional(),
    })
    .optional(),
  /** Tokens the model can take, prompt and answer together. */
  contextSize: z.int().min(512).optional(),
  /** Whether the model sees images. */
  vision: z.boolean().optional(),
  reasoning: z
    .strictObject({
      /** How hard a reasoning model should think, where the provider has such a setting. */
      effort: z.enum(['minimal', 'low', 'medium', 'high']).optional(),
      /** The tag around thoughts in plain text; false where there is none. */
      tag: z.union([z.string().regex(/^[a-z]+$/), z.literal(false)]).optional(),
      /** The reply begins inside the thoughts, because the template opened them. */
      startsInReasoning: z.boolean().optional(),
    })
    .optional(),
  temperature: z.number().min(0).max(2).optional(),
  maxOutputTokens: z.int().min(1).optional(),
  toolChoice: z.enum(['auto', 'required']).optional(),
});

export type ModelConfig = z.output<typeof modelConfigSchema>;

/** A configuration with everything decided that does not need to be asked of the endpoint. */
export interface ResolvedModelConfig extends ModelConfig {
  id: string;
  name: string;
  source: 'file' | 'environment' | 'discovered' | 'built-in';
}

/** Where a provider's models are reached and which variable holds its key. */
export interface ProviderDefaults {
  label: string;
  baseURL?: string;
  apiKeyEnv?: string;
  /** Further variables people know for the same key. */
  otherKeyEnvs?: readonly string[];
  /** Whether the provider's models are known to call tools natively. */
  nativeTools: boolean;
}

export const PROVIDER_DEFAULTS: Readonly<Record<ProviderId, ProviderDefaults>> = {
  openai: { label: 'OpenAI', baseURL: 'https://api.openai.com/v1', apiKeyEnv: 'OPENAI_API_KEY', nativeTools: true },
  anthropic: {
    label: 'Anthropic',
    baseURL: 'https://api.anthropic.com/v1',
    apiKeyEnv: 'ANTHROPIC_API_KEY',
    nativeTools: true,
  },
  google: {
    label: 'Google Gemini',
    baseURL: 'https://generativelanguage.googleapis.com/v1beta',
    apiKeyEnv: 'GEMINI_API_KEY',
    otherKeyEnvs: ['GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
    nativeTools: true,
  },
  deepseek: {
    label: 'DeepSeek',
    baseURL: 'https://api.deepseek.com/v1',
    apiKeyEnv: 'DEEPSEEK_API_KEY',
    nativeTools: true,
  },
  openrouter: {
    label: 'OpenRouter',
    baseURL: 'https://openrouter.ai/api/v1',
    apiKeyEnv: 'OPENROUTER_API_KEY',
    nativeTools: true,
  },
  groq: { label: 'Groq', baseURL: 'https://api.groq.com/openai/v1', apiKeyEnv: 'GROQ_API_KEY', nativeTools: true },
  xai: { label: 'xAI', baseURL: 'https://api.x.ai/v1', apiKeyEnv: 'XAI_API_KEY', nativeTools: true },
  local: { label: 'Local server', apiKeyEnv: 'LOCAL_API_KEY', nativeTools: false },
  demo: { label: 'Demo', nativeTools: true },
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

export function resolveModelConfig(config: ModelConfig, source: ResolvedModelConfig['source']): ResolvedModelConfig {
  return {
    ...config,
    id: config.id ?? `${config.provider}/${config.model}`,
    name: config.name ?? config.model,
    source,
  };
}

/** Reads the key from the environment at the moment it is needed; it is stored nowhere else. */
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
