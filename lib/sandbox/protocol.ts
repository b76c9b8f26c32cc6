import * as z from 'zod';
import { CONSOLE_LEVELS, renderedValueSchema } from '#lib/tools/rendered-value.ts';

const text = z.string();
const number = z.number().int().nonnegative();

const thrown = {
  run: number,
  value: renderedValueSchema,
  isError: z.boolean(),
  /** The evaluation in whose code it was made, and the line in it, from 1. */
  place: z.object({ run: number, line: number }).optional(),
};

/** What a frame may say, as JSON; the whole message is bounded. Every message is taken as forged until it fits. */
export const frameMessageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('spun') }),
  z.object({
    type: z.literal('console'),
    run: number,
    level: z.enum(CONSOLE_LEVELS),
    values: z.array(renderedValueSchema).max(200),
  }),
  z.object({ type: z.literal('outcome'), run: number, value: renderedValueSchema }),
  z.object({ type: z.literal('failure'), ...thrown }),
  z.object({ type: z.literal('uncaught'), ...thrown }),
  z.object({
    type: z.literal('refused'),
    run: number,
    directive: text,
    target: text,
    line: number.optional(),
  }),
  z.object({
    type: z.literal('file'),
    run: number,
    request: number,
    method: z.enum(['read', 'write', 'list']),
    path: text,
    text: text.optional(),
  }),
]);

export type FrameMessage = z.infer<typeof frameMessageSchema>;

/** What the page says to a frame, as JSON. */
export type PageMessage =
  | { type: 'run'; run: number; code: string; lexical: readonly string[]; variables: readonly string[] }
  | { type: 'answer'; request: number; value?: unknown; error?: string }
  | { type: 'spin'; ms: number };
