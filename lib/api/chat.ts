import * as z from 'zod';
import { assistantMessageSchema, messageSchema, toolResultSchema, userMessageSchema } from '#lib/messages/message.ts';

/** Ids that browsers make: UUIDs, or anything of that kind. */
export const idSchema = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, "-" or "_"');

/** What is new since the revision: the answers to all pending calls, a person's message, or the whole branch (rule R12). */
const actionSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('resume'), results: z.array(toolResultSchema).min(1) }),
  z.strictObject({ type: z.literal('turn'), message: userMessageSchema }),
  z.strictObject({ type: z.literal('replace'), messages: z.array(messageSchema).min(1) }),
]);

/** What a turn runs with. Chosen in the browser, checked on the server. */
export const runSettingsSchema = z.object({
  /** Empty where there was none to choose. */
  model: z.string(),
  toolCalling: z.enum(['native', 'prompted', 'auto']),
  toolsets: z.array(z.string()),
  systemPrompt: z.string(),
});

/** Body of `POST /api/chat`. */
export const chatRequestSchema = z.strictObject({
  threadId: idSchema,
  /** Made by the browser: posting the same run again attaches to it. */
  runId: idSchema,
  /** The state this builds on, as the latest run named it; null where there was none (rule R11). */
  revision: z.string().nullable(),
  /** The message this continues: the branch's last before what is new. */
  head: z.string().nullable(),
  /** The assistant message that the run writes to. */
  turnId: idSchema,
  action: actionSchema,
  settings: runSettingsSchema,
});

/** Answer of `GET /api/threads/{id}`: what the server holds of a thread. */
export const threadStateSchema = z.object({
  revision: z.string(),
  turn: assistantMessageSchema,
});

export type RunSettings = z.infer<typeof runSettingsSchema>;
export type ChatRequest = z.infer<typeof chatRequestSchema>;
export type ChatAction = ChatRequest['action'];
export type ThreadStateAnswer = z.infer<typeof threadStateSchema>;
