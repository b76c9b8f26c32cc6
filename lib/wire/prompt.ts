import * as z from 'zod';
import { messageSchema, promptSectionsSchema, promptSettingsSchema } from '#lib/messages/message.ts';
import { catalogueNameSchema } from './catalogue.ts';
import { modelConfigSchema } from './model-config.ts';

/**
 * Body of `POST /api/prompt`, which rebuilds the prompt of an earlier step, so that it can be shown: the data from which it was
 * built, which are the model, the messages before the step, the prompt's settings, and the name of the list of tools.
 */
export const promptRequestSchema = z.object({
  model: z.string(),
  /** The branch up to the step; the last turn ends before the step. */
  messages: z.array(messageSchema).min(1),
  settings: promptSettingsSchema,
  /** The model's configuration, if the person has connected it in this browser, and the server does not know it. */
  personal: modelConfigSchema.optional(),
  /** The name of the list of tools that the model is offered; if absent, there are none. */
  catalogue: catalogueNameSchema.optional(),
});

/**
 * The response of `POST /api/prompt`: the rebuilt prompt as it is sent to the provider (messages and tools), its hash, and its
 * estimated size in tokens.
 */
export const promptAnswerSchema = z.object({
  hash: z.string(),
  messages: z.array(z.object({ role: z.string(), content: z.string() })),
  tools: z.array(z.object({ name: z.string(), description: z.string().optional(), schema: z.unknown() })),
  /** Estimated number of tokens for the tool protocol: fragments, schemas and call format. */
  protocolTokens: z.number(),
  /** The prompt's estimated tokens, by section. */
  sections: promptSectionsSchema,
});

export type PromptRequest = z.infer<typeof promptRequestSchema>;
export type PromptAnswer = z.infer<typeof promptAnswerSchema>;
