import * as z from 'zod';

/**
 * The header with the key of a person's own connection to a model provider. The server uses the key for the request and its
 * run, and stores it nowhere.
 */
export const PERSONAL_KEY_HEADER = 'x-roundtrip-key';

/** The header with the key of the connection whose model writes summaries. Treated like `PERSONAL_KEY_HEADER`. */
export const SUMMARY_KEY_HEADER = 'x-roundtrip-summary-key';

/** A key for a model provider, as it can be sent in a header. */
export const personalKeySchema = z
  .string()
  .regex(/^[\x21-\x7e]{1,1024}$/, 'must be at most 1,024 letters, digits and signs, without spaces');

/**
 * Body of `POST /api/connections`, which lists the models of a provider at an address. The key, if any, is in the header
 * `PERSONAL_KEY_HEADER`.
 */
export const connectionRequestSchema = z.object({
  /** The id of a provider. */
  provider: z.string().min(1).max(64),
  /** The address as the person typed it; if absent, the provider's own. */
  baseURL: z.string().max(2_000).optional(),
});

/**
 * A model as a model provider's server lists it: its id and name, the size of its context, and whether it supports native tool
 * calling and images. Absent fields are unknown.
 */
export const listedModelSchema = z.object({
  model: z.string(),
  name: z.string().optional(),
  contextSize: z.number().optional(),
  nativeTools: z.boolean().optional(),
  vision: z.boolean().optional(),
});

/** The response of `POST /api/connections`: the models, and the address at which they were found. */
export const connectionAnswerSchema = z.object({
  /**
   * The address that answered: the one that the person typed, maybe with `/v1` added or an ending removed; absent if none was
   * typed, and the provider's own was used.
   */
  baseURL: z.string().optional(),
  models: z.array(listedModelSchema),
});

export type ConnectionRequest = z.infer<typeof connectionRequestSchema>;
export type ConnectionAnswer = z.infer<typeof connectionAnswerSchema>;
export type ListedModel = z.infer<typeof listedModelSchema>;
