import * as z from 'zod';
import { messageSchema, toolCallingChoiceSchema, toolResultSchema, userMessageSchema } from '#lib/messages/message.ts';
import { catalogueNameSchema } from './catalogue.ts';
import { knownUseSchema, modelConfigSchema, modelParametersSchema } from './model-config.ts';

/** An id that a browser has created for a thread, a run, or a message: a UUID or similar. */
export const idSchema = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, "-" or "_"');

/**
 * The change since the revision that the request names: the results of all pending calls (`resume`), a user message (`turn`),
 * or the whole branch (`replace`; rule R12).
 */
const actionSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('resume'), results: z.array(toolResultSchema).min(1) }),
  z.strictObject({ type: z.literal('turn'), message: userMessageSchema }),
  z.strictObject({ type: z.literal('replace'), messages: z.array(messageSchema).min(1) }),
]);

/** The settings of a turn. Chosen in the browser, validated on the server. */
const runSettingsSchema = z.object({
  /** The model's id in the list of models; empty if there was none to choose. */
  model: z.string(),
  toolCalling: toolCallingChoiceSchema,
  toolsets: z.array(z.string()),
  systemPrompt: z.string(),
  /** The parameters that the thread sets for the model, where they differ from the model's configuration. */
  parameters: modelParametersSchema.optional(),
});

/** Options for compacting the conversation. */
const compactionRequestSchema = z.strictObject({
  /** Present if the person has asked for compaction, so that it happens before the next step. */
  now: z.literal(true).optional(),
  /** The model that writes summaries; by default, the thread's own model. */
  model: z.string().optional(),
  /**
   * The configuration of the model that writes summaries, if it belongs to a connection in this browser. Its key is in the
   * header `SUMMARY_KEY_HEADER`.
   */
  personal: modelConfigSchema.optional(),
  /** The settings that only the browser knows for the use of the model that writes summaries. */
  use: knownUseSchema.optional(),
});

/**
 * Body of `POST /api/chat`, which starts a run: it has what was added to the thread, or the whole branch, and names the model,
 * its settings, and the tools on offer. Like the bodies of all requests, it may have fields that this version does not
 * know, because pages and servers of two versions meet while the studio is updated. Unknown fields are ignored, except in
 * `action`, `compaction`, `personal`, and `use`, where they are refused.
 */
export const chatRequestSchema = z.object({
  threadId: idSchema,
  /** The run's id, created by the browser: posting a request with the same id again attaches to the run that exists. */
  runId: idSchema,
  /** The revision that this request builds on, as the latest run named it; null if there was none (rule R11). */
  revision: z.string().nullable(),
  /** The id of the branch's last message before the new ones; null if there is none, and for `replace`. */
  head: z.string().nullable(),
  /** The id of the assistant message that the run writes to. */
  turnId: idSchema,
  action: actionSchema,
  settings: runSettingsSchema,
  /** The model's configuration, if it belongs to a connection in this browser. Its key is in a header. */
  personal: modelConfigSchema.optional(),
  /** The settings for the model's use that only the browser knows. */
  use: knownUseSchema.optional(),
  compaction: compactionRequestSchema.optional(),
  /** The name of the catalogue of the tools on offer; if absent, there are none. */
  catalogue: catalogueNameSchema.optional(),
});

export type RunSettings = z.infer<typeof runSettingsSchema>;
export type ChatRequest = z.infer<typeof chatRequestSchema>;
export type ChatAction = ChatRequest['action'];
