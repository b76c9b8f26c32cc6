import * as z from 'zod';
import { toolCallingChoiceSchema } from '#lib/messages/message.ts';

/** The name of a form in which calls can be asked for; which ones there are, only the server knows. */
const codecSchema = z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, 'must be the name of a format');

/** How hard a reasoning model should think, if its provider has such a setting. */
const effortSchema = z.enum(['minimal', 'low', 'medium', 'high']);

/** The lengths and temperatures that a model can be asked for. */
const temperatureSchema = z.number().min(0).max(2);
const maxOutputTokensSchema = z.int().min(1);

/** What a thread asks of its model, where that differs from the model's configuration. */
export const modelParametersSchema = z.object({
  temperature: temperatureSchema.optional(),
  effort: effortSchema.optional(),
  maxOutputTokens: maxOutputTokensSchema.optional(),
});

export type ModelParameters = z.infer<typeof modelParametersSchema>;

/** A model and how it is used, whoever configured it. */
export const modelConfigSchema = z.strictObject({
  /** The id of a provider in the list. */
  provider: z.string().min(1),
  /** The provider's name for the model. */
  model: z.string().min(1),
  /** The display name; defaults to the model's own name. */
  name: z.string().min(1).optional(),
  baseURL: z.url({ protocol: /^https?$/ }).optional(),
  toolCalling: toolCallingChoiceSchema.default('auto'),
  /** How tools are described to the model, where it differs from the default. */
  protocol: z
    .strictObject({
      /** The format of calls if tools are prompted; that of the provider by default. */
      codec: codecSchema.optional(),
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
      effort: effortSchema.optional(),
      /** The tag around reasoning in plain text; false if there is none. */
      tag: z.union([z.string().regex(/^[a-z]+$/), z.literal(false)]).optional(),
      /** The reply starts inside the reasoning because the template has opened it. */
      startsInReasoning: z.boolean().optional(),
    })
    .optional(),
  temperature: temperatureSchema.optional(),
  maxOutputTokens: maxOutputTokensSchema.optional(),
  toolChoice: z.enum(['auto', 'required']).optional(),
});

export type ModelConfig = z.output<typeof modelConfigSchema>;
