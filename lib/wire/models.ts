import * as z from 'zod';
import { toolCallingChoiceSchema, toolCallingSchema } from '#lib/messages/message.ts';
import { modelParametersSchema, modelUseSchema, USE_SOURCES } from './model-config.ts';

/** A model as returned by `GET /api/models`. Contains no key and no address. */
const modelInfoSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** The provider's name for the model. */
  model: z.string(),
  provider: z.string(),
  providerLabel: z.string(),
  /**
   * Identifies the model at its endpoint: the same model at another address has another value. Findings about a model apply
   * only where this value is the same.
   */
  endpoint: z.string(),
  /** The settings for the model's use, by their source. */
  use: z.partialRecord(z.enum(USE_SOURCES), modelUseSchema),
  /**
   * The mode that the person or the operator has set; `auto` if neither has set one. `auto` falls back to prompted tools if
   * native ones are refused.
   */
  toolCalling: toolCallingChoiceSchema,
  /** The mode that applies: the one that was set or, for `auto`, the one that it currently resolves to. */
  effectiveToolCalling: toolCallingSchema,
  /**
   * Whether native tools have failed with the model since the server started: its endpoint refused them, or its calls came as
   * text too often. `auto` then uses prompted tools.
   */
  toolsRefused: z.boolean(),
  /** The model's window in tokens; null if unknown, and then a cautious size is assumed. */
  contextSize: z.number().nullable(),
  /** Whether the model accepts images; null if unknown. */
  vision: z.boolean().nullable(),
  /** The parameters of the model's requests unless a thread sets others; where absent, the provider's own defaults. */
  parameters: modelParametersSchema.omit({ temperature: true }),
  /** Whether the model plays a script, and is not an AI. */
  demo: z.boolean(),
});

/** A source of models that could not be read. */
const modelSourceProblemSchema = z.object({ source: z.string(), code: z.string(), detail: z.string() });

/** The operator's rules for connections that people make in their browsers. */
const personalPolicySchema = z.object({
  isAllowed: z.boolean(),
  /** The base URLs to which such connections are restricted, with all addresses below them; if empty, any is allowed. */
  baseURLs: z.array(z.string()),
});

export const modelListSchema = z.object({
  models: z.array(modelInfoSchema),
  defaultModel: z.string().nullable(),
  problems: z.array(modelSourceProblemSchema),
  /** The names of the codecs that there are for prompted tools. */
  codecs: z.array(z.string()),
  personal: personalPolicySchema,
});

export type ModelInfo = z.infer<typeof modelInfoSchema>;
export type ModelList = z.infer<typeof modelListSchema>;

/**
 * The list of the models that the server itself knows: a `ModelList` with the models, the default one, and the sources that
 * could not be read, but without the rules for people's own connections and the names of codecs.
 */
export type ServerModels = Omit<ModelList, 'personal' | 'codecs'>;
