import * as z from 'zod';
import { toolCallingChoiceSchema } from '#lib/messages/message.ts';
import { CODEC_IDS } from '#lib/prompts/codecs/codecs.ts';

/** A model that a user can choose: from `models.yaml`, from the environment, or found on this machine. */
export const modelConfigSchema = z.strictObject({
  /** The id of a provider in the list. */
  provider: z.string().min(1),
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
  toolCalling: toolCallingChoiceSchema.default('auto'),
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

/** The configuration with the defaults of its id and name. */
export function resolveModelConfig(config: ModelConfig): ResolvedModelConfig {
  return {
    ...config,
    id: config.id ?? `${config.provider}/${config.model}`,
    name: config.name ?? config.model,
  };
}
