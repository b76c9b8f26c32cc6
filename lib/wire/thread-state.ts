import * as z from 'zod';
import { assistantMessageSchema } from '#lib/messages/message.ts';

/**
 * The response of `GET /api/threads/{id}`: the latest turn of a thread as the server's checkpoint has it, and the revision
 * that names this state.
 */
export const threadStateSchema = z.object({
  revision: z.string(),
  turn: assistantMessageSchema,
});

export type ThreadStateAnswer = z.infer<typeof threadStateSchema>;
