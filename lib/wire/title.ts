import * as z from 'zod';
import { modelConfigSchema } from './model-config.ts';

/** The greatest length of a title that a model writes for a thread, in characters. */
export const TITLE_MAX_CHARACTERS = 80;

/**
 * Body of `POST /api/title`, which asks a model for a thread's title: the model, and the first question and answer of the
 * thread.
 */
export const titleRequestSchema = z.object({
  model: z.string(),
  /** The model's configuration, if it belongs to a connection in this browser. Its key is in a header. */
  personal: modelConfigSchema.optional(),
  question: z.string().max(100_000),
  answer: z.string().max(100_000),
});

/** The response of `POST /api/title`. */
export const titleAnswerSchema = z.object({ title: z.string() });

export type TitleRequest = z.infer<typeof titleRequestSchema>;
