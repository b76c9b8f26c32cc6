import * as z from 'zod';
import { toolCallingChoiceSchema, toolCallingSchema } from '#lib/messages/message.ts';

/** The name of a form in which calls can be asked for; which ones there are, only the server knows. */
const codecSchema = z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, 'must be the name of a format');

/** How hard a reasoning model should think, if its provider has such a setting. */
const effortSchema = z.enum(['minimal', 'low', 'medium', 'high']);

/** The lengths and temperatures that a model can be asked for. */
const temperatureSchema = z.number().min(0).max(2);
const topPSchema = z.number().min(0).max(1);
const maxOutputTokensSchema = z.int().min(1);
const contextSizeSchema = z.int().min(512).max(100_000_000);

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
      /** Whether the model is asked for one call at a time, because its server mixes up several. */
      singleCalls: z.boolean().optional(),
    })
    .optional(),
  /** Maximum tokens of the prompt and answer together. */
  contextSize: contextSizeSchema.optional(),
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
  topP: topPSchema.optional(),
  maxOutputTokens: maxOutputTokensSchema.optional(),
  toolChoice: z.enum(['auto', 'required']).optional(),
});

export type ModelConfig = z.output<typeof modelConfigSchema>;

/** How a model is used, as far as somebody or something has said. */
export const modelUseSchema = z.strictObject({
  /** Whether its tools are sent natively, or described in the prompt. */
  toolCalling: toolCallingSchema.optional(),
  codec: codecSchema.optional(),
  compact: z.boolean().optional(),
  examples: z.boolean().optional(),
  singleCalls: z.boolean().optional(),
  contextSize: contextSizeSchema.optional(),
  temperature: temperatureSchema.optional(),
  topP: topPSchema.optional(),
});

export type ModelUse = z.infer<typeof modelUseSchema>;

/** Who may say how a model is used; the first one that does, decides. */
export const USE_SOURCES = ['observed', 'file', 'person', 'served', 'examined', 'learned', 'profile'] as const;

/**
 * A window that a server was seen to keep to, although something else was known of it. Holds as long as the same is
 * claimed: null if nothing is.
 */
export const observedWindowSchema = z.strictObject({
  contextSize: contextSizeSchema,
  claimed: contextSizeSchema.nullable(),
});

export type ObservedWindow = z.infer<typeof observedWindowSchema>;

/** What only the browser knows of how to use a model. */
export const knownUseSchema = z.strictObject({
  /** The person's own choices. */
  person: modelUseSchema.optional(),
  /** What an examination of the model led to. */
  examined: modelUseSchema.optional(),
  observed: observedWindowSchema.optional(),
});

export type KnownUse = z.infer<typeof knownUseSchema>;
