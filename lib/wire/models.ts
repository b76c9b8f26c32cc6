import * as z from 'zod';
import { toolCallingChoiceSchema, toolCallingSchema } from '#lib/messages/message.ts';
import { modelParametersSchema, modelUseSchema, USE_SOURCES } from './model-config.ts';

/** A model as returned by `GET /api/models`. Contains no key and no address. */
export const modelInfoSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** The provider's name for it. */
  model: z.string(),
  provider: z.string(),
  providerLabel: z.string(),
  /** Names its endpoint and model: what was found out about the one says nothing about another. */
  endpoint: z.string(),
  /** The settings for its use, by their source. */
  use: z.partialRecord(z.enum(USE_SOURCES), modelUseSchema),
  /** As fixed by somebody; otherwise, a refusal of native tools falls back to prompted ones. */
  toolCalling: toolCallingChoiceSchema,
  /** The mode that `auto` currently resolves to. */
  effectiveToolCalling: toolCallingSchema,
  /**
   * Whether its endpoint has refused native tools since the server started; `auto` then puts the tools into the prompt.
   */
  toolsRefused: z.boolean(),
  /** Null if unknown; then a cautious size is assumed. */
  contextSize: z.number().nullable(),
  /** Whether it accepts images; null if unknown. */
  vision: z.boolean().nullable(),
  /** The parameters of its requests unless a thread sets others; the provider's own defaults where absent. */
  parameters: modelParametersSchema.omit({ temperature: true }),
  /** Whether it is a scripted model, not an AI. */
  demo: z.boolean(),
});

/** A source of models that could not be read. */
export const modelSourceProblemSchema = z.object({ source: z.string(), code: z.string(), detail: z.string() });

/** The connections that people may make in their browsers. */
const personalPolicySchema = z.object({
  isAllowed: z.boolean(),
  /** The only base URLs that they may use; any if empty. */
  baseURLs: z.array(z.string()),
});

export const modelListSchema = z.object({
  models: z.array(modelInfoSchema),
  defaultModel: z.string().nullable(),
  problems: z.array(modelSourceProblemSchema),
  /** The forms in which calls can be asked for if tools are prompted. */
  codecs: z.array(z.string()),
  personal: personalPolicySchema,
});

export type ModelInfo = z.infer<typeof modelInfoSchema>;
export type ModelList = z.infer<typeof modelListSchema>;

/** The models that the server itself knows. */
export type ServerModels = Omit<ModelList, 'personal' | 'codecs'>;
