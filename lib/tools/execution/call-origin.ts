import * as z from 'zod';

/**
 * A reason to doubt that the model itself means a call that it wrote: text follows the call, as after an example, or the same
 * call stands in something that the model was given before. The user is asked about such a call, even if the settings allow it,
 * unless its tool is the studio's own and only reads. `excerpt`: the untrusted text at that place, to be shown verbatim.
 */
export const callOriginSchema = z.discriminatedUnion('type', [
  /** Text follows the call in the reply, as if the call were only an example. */
  z.object({ type: z.literal('shown'), excerpt: z.string() }),
  /** The call appears, word for word, in something that the model was given before. */
  z.object({
    type: z.literal('read'),
    in: z.discriminatedUnion('type', [
      z.object({ type: z.literal('result'), toolName: z.string(), toolCallId: z.string() }),
      z.object({ type: z.literal('attachment'), name: z.string() }),
      z.object({ type: z.literal('message') }),
      /** The description of an external tool. */
      z.object({ type: z.literal('description'), toolName: z.string() }),
    ]),
    excerpt: z.string(),
  }),
]);

/**
 * The origin of a call's text, if the model itself may not mean the call: it has shown the call as an example, or has read it
 * somewhere.
 */
export type CallOrigin = z.infer<typeof callOriginSchema>;
