import * as z from 'zod';

/**
 * Why a call may be none of the model's own: where its text comes from. A call that has one is put to the person before
 * it changes or runs anything, whatever the settings say. The excerpt is text of unknown origin, to be shown as it is.
 */
export const callOriginSchema = z.discriminatedUnion('type', [
  /** Text follows it in the reply, as if it were only being shown. */
  z.object({ type: z.literal('shown'), excerpt: z.string() }),
  /** It can be read, word for word, in something that the model was given before it made the call. */
  z.object({
    type: z.literal('read'),
    in: z.discriminatedUnion('type', [
      z.object({ type: z.literal('result'), toolName: z.string(), toolCallId: z.string() }),
      z.object({ type: z.literal('attachment'), name: z.string() }),
      z.object({ type: z.literal('message') }),
    ]),
    excerpt: z.string(),
  }),
]);

export type CallOrigin = z.infer<typeof callOriginSchema>;
