import * as z from 'zod';
import { messageSchema, promptSettingsSchema } from '#lib/messages/message.ts';

/** Body of `POST /api/prompt`: what a step's prompt was built from. */
export const promptRequestSchema = z.strictObject({
  model: z.string(),
  /** The branch up to the step: its turn ends before it. */
  messages: z.array(messageSchema).min(1),
  settings: promptSettingsSchema,
});

/** The answer: the prompt as it leaves for the provider, and its hash. */
export const promptAnswerSchema = z.object({
  hash: z.string(),
  messages: z.array(z.object({ role: z.string(), content: z.string() })),
  tools: z.array(z.object({ name: z.string(), description: z.string().optional(), schema: z.unknown() })),
  /** The estimate of the tokens that the tools' protocol takes: fragments, schemas, form. */
  protocolTokens: z.number(),
});

export type PromptRequest = z.infer<typeof promptRequestSchema>;
export type PromptAnswer = z.infer<typeof promptAnswerSchema>;
