import * as z from 'zod';
import { CODEC_IDS } from '#lib/prompts/codecs/codecs.ts';
import { modelConfigSchema as sharedSchema } from '#lib/wire/model-config.ts';

/** A model that a user can choose: from `models.yaml`, from the environment, or found on this machine. */
export const modelConfigSchema = sharedSchema.extend({
  /** Unique in the list; `provider/model` unless given. */
  id: z.string().min(1).optional(),
  /** Name of the environment variable that holds the key. Never the key itself. */
  apiKeyEnv: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]*$/, 'must be the name of an environment variable, such as OPENAI_API_KEY')
    .optional(),
  protocol: sharedSchema.shape.protocol
    .unwrap()
    .extend({ codec: z.enum(CODEC_IDS).optional() })
    .optional(),
});

export type ModelConfig = z.output<typeof modelConfigSchema>;

/** A configuration with every option set that need not be queried from the endpoint. */
export interface ResolvedModelConfig extends ModelConfig {
  id: string;
  name: string;
  /** Whether the operator wrote it into `models.yaml`; otherwise an endpoint, or a browser, described it. */
  isFromFile?: true;
  /** The window that is known otherwise, in tokens, if a smaller one was observed; null if none is known. */
  claimedContextSize?: number | null;
}

/** The configuration with the defaults of its id and name. */
export function resolveModelConfig(config: ModelConfig): ResolvedModelConfig {
  return {
    ...config,
    id: config.id ?? `${config.provider}/${config.model}`,
    name: config.name ?? config.model,
  };
}
