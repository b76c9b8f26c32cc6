import * as z from 'zod';
import { CODEC_IDS } from '#lib/prompts/codecs/codecs.ts';
import { modelConfigSchema as sharedSchema } from '#lib/wire/model-config.ts';

/**
 * The configuration of a model that a user can choose, with its provider, address, and settings: from `models.yaml`, from the
 * environment, found on this machine, or of a connection that a person has made in the browser.
 */
export const modelConfigSchema = sharedSchema.extend({
  /** The model's id, unique in the list; `provider/model` by default. */
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

/** A model's configuration with its id and name filled in. */
export interface ResolvedModelConfig extends ModelConfig {
  id: string;
  name: string;
  /** Whether the operator wrote the configuration into `models.yaml`; otherwise an endpoint, or a browser, described it. */
  isFromFile?: true;
  /**
   * If a smaller context window was observed, the size that would count otherwise, in tokens; null if no other is known. Absent
   * if none was observed.
   */
  claimedContextSize?: number | null;
}

/** Returns a model's configuration with the defaults of its id and name filled in. */
export function resolveModelConfig(config: ModelConfig): ResolvedModelConfig {
  return {
    ...config,
    id: config.id ?? `${config.provider}/${config.model}`,
    name: config.name ?? config.model,
  };
}
