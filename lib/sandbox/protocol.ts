import * as z from 'zod';
import { CONSOLE_LEVELS, renderedValueSchema } from '#lib/tools/capabilities/rendered-value.ts';

const text = z.string();
const number = z.number().int().nonnegative();

const runPlaceSchema = z.object({ script: text.max(500), line: number, column: number });

/**
 * A position in a script of a previewed page. `script`: the name that the studio gave it, or its address. Lines and columns
 * count from 1.
 */
export type RunPlace = z.infer<typeof runPlaceSchema>;

const thrown = {
  run: number,
  value: renderedValueSchema,
  isError: z.boolean(),
  /** The evaluation whose code threw it, and the line there, from 1. */
  place: z.object({ run: number, line: number }).optional(),
  /** The positions in the scripts of a page, innermost first. */
  at: z.array(runPlaceSchema).max(20).optional(),
};

/**
 * The schema of the messages that the kernel of a frame or a process (see `KernelConnection`) may send, as JSON. No message
 * is trusted until it has been validated.
 */
export const frameMessageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('spinning') }),
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
  /** A request to the web. */
  z.object({
    type: z.literal('fetch'),
    run: number,
    request: number,
    method: z.enum(['GET', 'HEAD']),
    url: text.max(10_000),
  }),
  /** A page has finished loading. */
  z.object({ type: z.literal('loaded'), title: text.max(1_000) }),
  /** All entries of one of a page's substitutes for browser storage. */
  z.object({ type: z.literal('stored'), area: z.enum(['local', 'session']), entries: z.record(text, text) }),
  /** The user has clicked or tapped in a page. */
  z.object({ type: z.literal('pressed') }),
  /** A page's scroll position, in pixels. */
  z.object({ type: z.literal('scrolled'), x: z.number(), y: z.number() }),
  /** A link in a page was followed. */
  z.object({ type: z.literal('leaving'), address: text }),
]);

/** A validated message from the kernel of a frame or a process (see `KernelConnection`). */
export type FrameMessage = z.infer<typeof frameMessageSchema>;

/** A page that a frame is to show: its HTML, its scripts, and the prelude that prepares the window for it. */
export interface ShownPage {
  html: string;
  /** Each script gets an address, which replaces its token in the HTML. */
  scripts: readonly { name: string; token: string; text: string }[];
  /** The source of a function expression that is called with `given` before any of the page's code runs. */
  prelude: string;
  /** The data for the prelude, to which the kernel adds functions (see `Given`). */
  given: object;
}

/**
 * The messages that the studio's page sends to a frame's kernel, or a host to that of a process (see `KernelConnection`), as
 * JSON. `page`: shows a page. `run`: runs code as the evaluation with the number `run`, after declaring the global names in
 * `lexical` (`let`) and `variables` (`var`). `answer`: answers the request with that number. `spin`: keeps the kernel busy for
 * `ms` milliseconds, before which it sends `spinning`, and after which it sends `spun`.
 */
export type PageMessage =
  | ({ type: 'page' } & ShownPage)
  | { type: 'run'; run: number; code: string; lexical: readonly string[]; variables: readonly string[] }
  | { type: 'answer'; request: number; value?: unknown; error?: string }
  | { type: 'spin'; ms: number };
