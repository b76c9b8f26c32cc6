import * as z from 'zod';
import { assistantMessageSchema } from '#lib/messages/message.ts';

/** Response of `GET /api/threads/{id}`: the server's state of a thread. */
export const threadStateSchema = z.object({
  revision: z.string(),
  turn: assistantMessageSchema,
});

export type ThreadStateAnswer = z.infer<typeof threadStateSchema>;
