import * as z from 'zod';
import { toolCallingChoiceSchema, toolCallingSchema } from '#lib/messages/message.ts';
import { modelParametersSchema } from './model-config.ts';

/** A model as returned by `GET /api/models`. Contains no key and no address. */
export const modelInfoSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** The provider's name for it. */
  model: z.string(),
  provider: z.string(),
  providerLabel: z.string(),
  /** As configured. */
  toolCalling: toolCallingChoiceSchema,
  /** What `auto` currently resolves to. */
  effectiveToolCalling: toolCallingSchema,
  /**
   * Whether its endpoint has refused native tools since the server started; `auto` then puts the tools into the prompt.
   */
  toolsRefused: z.boolean(),
  /** Null if unknown; then a cautious size is assumed. */
  contextSize: z.number().nullable(),
  /** Whether it accepts images; null if unknown. */
  vision: z.boolean().nullable(),
  /** What it is asked for unless a thread says otherwise; the provider's own defaults where absent. */
  parameters: modelParametersSchema,
  /** Whether it is a scripted model, not an AI. */
  demo: z.boolean(),
});

/** A source of models that could not be read. */
export const modelSourceProblemSchema = z.object({ source: z.string(), code: z.string(), detail: z.string() });

/** What connections people may make in their browsers. */
const personalPolicySchema = z.object({
  isAllowed: z.boolean(),
  /** The only base URLs that they may use; any if empty. */
  baseURLs: z.array(z.string()),
});

export const modelListSchema = z.object({
  models: z.array(modelInfoSchema),
  defaultModel: z.string().nullable(),
  problems: z.array(modelSourceProblemSchema),
  personal: personalPolicySchema,
});

export type ModelInfo = z.infer<typeof modelInfoSchema>;
export type ModelList = z.infer<typeof modelListSchema>;

/** The models that the server itself knows. */
export type ServerModels = Omit<ModelList, 'personal'>;
