import * as z from 'zod';

/**
 * The name of a catalogue of tools: the SHA-256 of its text, in hexadecimal. Requests name the one whose tools they offer.
 * Its text is sent only when the server answers 409 `catalogue-needed`.
 */
export const catalogueNameSchema = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hexadecimal');

/** Body of `POST /api/catalogues`: the text of a catalogue that the server has asked for. */
export const cataloguePostSchema = z.object({ text: z.string() });
