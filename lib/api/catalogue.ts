import * as z from 'zod';

/**
 * The tools that a request offers, by the name of their catalogue: the SHA-256 of its text, in hexadecimal. The text is
 * sent only when the server answers 409 `catalogue-needed`.
 */
export const catalogueReferenceSchema = z.strictObject({
  name: z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hexadecimal'),
  text: z.string().optional(),
});

/** The tools that a request offers. */
export type CatalogueReference = z.infer<typeof catalogueReferenceSchema>;
