import * as z from 'zod';
import { CONSOLE_LEVELS, renderedValueSchema } from '#lib/tools/rendered-value.ts';

const text = z.string();
const number = z.number().int().nonnegative();

/** A place in the scripts of a page: a name that it was given with, or an address. Lines and columns count from 1. */
const runPlaceSchema = z.object({ script: text.max(500), line: number, column: number });

export type RunPlace = z.infer<typeof runPlaceSchema>;

const thrown = {
  run: number,
  value: renderedValueSchema,
  isError: z.boolean(),
  /** The evaluation in whose code it was made, and the line in it, from 1. */
  place: z.object({ run: number, line: number }).optional(),
  /** Where in the scripts of a page, the innermost first. */
  at: z.array(runPlaceSchema).max(20).optional(),
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
    method: z.enum(['read', 'write', 'list', 'bundle']),
    path: text,
    text: text.optional(),
  }),
  /** A page has loaded everything. */
  z.object({ type: z.literal('loaded'), title: text.max(1_000) }),
  /** What a page keeps in one of its stand-ins for the browser's storage. */
  z.object({ type: z.literal('stored'), area: z.enum(['local', 'session']), entries: z.record(text, text) }),
  /** The person has pressed the pointer in a page. */
  z.object({ type: z.literal('pressed') }),
  /** How far a page is scrolled, in pixels. */
  z.object({ type: z.literal('scrolled'), x: z.number(), y: z.number() }),
  /** A link of a page was followed. */
  z.object({ type: z.literal('leaving'), address: text }),
]);

export type FrameMessage = z.infer<typeof frameMessageSchema>;

/** A page for a frame to show. */
export interface ShownPage {
  html: string;
  /** Each is given an address, which takes the place of its token in the HTML. */
  scripts: readonly { name: string; token: string; text: string }[];
  /** Source of a function that is called with what the page is given, before anything of the page runs. */
  prelude: string;
  given: object;
}

/** What the page says to a frame, as JSON. */
export type PageMessage =
  | ({ type: 'page' } & ShownPage)
  | { type: 'run'; run: number; code: string; lexical: readonly string[]; variables: readonly string[] }
  | { type: 'answer'; request: number; value?: unknown; error?: string }
  | { type: 'spin'; ms: number };
