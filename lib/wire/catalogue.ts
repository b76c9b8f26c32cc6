import * as z from 'zod';

/**
 * The name of a catalogue, the list of tools that a run offers to its model: the SHA-256 of the catalogue's text, in
 * hexadecimal. Requests contain only the name; the text is sent when the server answers 409 `catalogue-needed`.
 */
export const catalogueNameSchema = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hexadecimal');

/**
 * Body of `POST /api/catalogues`: the text of a catalogue (the list of tools that a run offers to its model) that the server
 * has asked for.
 */
export const cataloguePostSchema = z.object({ text: z.string() });
