import * as z from 'zod';
import { toolCallingChoiceSchema, toolCallingSchema } from '#lib/messages/message.ts';

/** The name of a codec. Only the studio's server knows which ones there are. */
const codecSchema = z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, 'must be the name of a format');

/** The effort with which a reasoning model should think, if its provider has such a setting. */
const effortSchema = z.enum(['minimal', 'low', 'medium', 'high']);

/** The temperature with which a model samples its tokens. */
const temperatureSchema = z.number().min(0).max(2);
/** The share of probability from which a model samples its tokens (top-p). */
const topPSchema = z.number().min(0).max(1);
/** The maximum length of a reply, in tokens. */
const maxOutputTokensSchema = z.int().min(1);
/** The maximum length of a prompt and its answer together, in tokens. */
const contextSizeSchema = z.int().min(512).max(100_000_000);

/**
 * The parameters that a thread sets for its model, where they differ from the model's configuration: temperature, effort of
 * reasoning, and the longest reply.
 */
export const modelParametersSchema = z.object({
  temperature: temperatureSchema.optional(),
  effort: effortSchema.optional(),
  maxOutputTokens: maxOutputTokensSchema.optional(),
});

export type ModelParameters = z.infer<typeof modelParametersSchema>;

/**
 * The configuration of a model: its provider, its address, and the settings with which it is used. Models of the operator
 * and of a person's own connection have one.
 */
export const modelConfigSchema = z.strictObject({
  /** The id of a provider in the studio's list of providers. */
  provider: z.string().min(1),
  /** The provider's name for the model. */
  model: z.string().min(1),
  /** The display name; defaults to the model's own name. */
  name: z.string().min(1).optional(),
  baseURL: z.url({ protocol: /^https?$/ }).optional(),
  toolCalling: toolCallingChoiceSchema.default('auto'),
  /** Settings of the form in which the model gets its tools and makes its calls, where they differ from the defaults. */
  protocol: z
    .strictObject({
      /** The name of the codec if tools are prompted; by default, the provider's. */
      codec: codecSchema.optional(),
      /** Whether to show examples if tools are prompted; by default, true unless `compact` is true. */
      examples: z.boolean().optional(),
      /** Whether tools and rules are described briefly; by default, true if the context is small. */
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
      /** Whether the reply starts inside the reasoning, because the prompt's template has already opened the tag. */
      startsInReasoning: z.boolean().optional(),
    })
    .optional(),
  temperature: temperatureSchema.optional(),
  topP: topPSchema.optional(),
  maxOutputTokens: maxOutputTokensSchema.optional(),
  toolChoice: z.enum(['auto', 'required']).optional(),
});

export type ModelConfig = z.output<typeof modelConfigSchema>;

/**
 * The settings for the use of a model that one source (see `USE_SOURCES`) states, such as how it gets its tools, and how large
 * its context window is. A setting that the source does not state is absent.
 */
export const modelUseSchema = z.strictObject({
  /** The way in which the model gets its tools: natively, or described in the prompt. */
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

/**
 * The sources of settings for the use of a model; the first one that has a setting decides. `observed`: the window that the
 * model's server was seen to keep to. `file`: the operator's `models.yaml`. `person`: the person's choices. `served`: the
 * window that the model's server states. `examined`: the result of an examination. `learned`: the provider's list of models,
 * and what was noticed in use. `profile`: the defaults for the model's family.
 */
export const USE_SOURCES = ['observed', 'file', 'person', 'served', 'examined', 'learned', 'profile'] as const;

/**
 * A context window, in tokens, that a model's server was seen to keep to, although another size was claimed. Valid as long as
 * the claimed size stays the same; `claimed` is null if no size is claimed.
 */
export const observedWindowSchema = z.strictObject({
  contextSize: contextSizeSchema,
  claimed: contextSizeSchema.nullable(),
});

export type ObservedWindow = z.infer<typeof observedWindowSchema>;

/**
 * The settings for the use of a model that only the browser knows, which it sends to the server with each request for a run:
 * the person's own, those from an examination of the model, and the context window that its server was seen to keep to.
 */
export const knownUseSchema = z.strictObject({
  /** The person's own choices. */
  person: modelUseSchema.optional(),
  /** The settings that an examination of the model has led to. */
  examined: modelUseSchema.optional(),
  observed: observedWindowSchema.optional(),
});

export type KnownUse = z.infer<typeof knownUseSchema>;
