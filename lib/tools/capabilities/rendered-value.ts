import * as z from 'zod';

const text = z.string();
/** Maximum size of an element that is drawn, in characters of its XML. */
const DRAWING_MAX_CHARS = 200_000;

const count = z.number().int().nonnegative();

/** A value as the sandbox shows it: plain data of limited size, which describes the value and has no reference to it. */
export type RenderedValue =
  /** A value shown as plain text: a number, `undefined`, a function, a date. */
  | { type: 'text'; text: string }
  /** `text` may be only the beginning of a string of `length` characters. */
  | { type: 'string'; text: string; length: number }
  | { type: 'error'; text: string }
  /** An element's markup, and the element as XML if it can be drawn. */
  | { type: 'html'; text: string; length: number; drawing?: ElementDrawing | undefined }
  /** A canvas, as a data URL of a PNG. */
  | { type: 'image'; url: string; width: number; height: number }
  | RenderedObject;

/**
 * An HTML element as XML, from which it can be drawn with everything in it, but only with the styles that its own attributes
 * give it.
 */
export interface ElementDrawing {
  xml: string;
  /** The width in pixels; 0 if the element was not laid out on the page. */
  width: number;
  /** The height in pixels; 0 if the element was not laid out on the page. */
  height: number;
}

/** An object, an array or a collection, with as many of its entries as fit. */
export interface RenderedObject {
  type: 'object';
  /** The text before the opening bracket, for example `Map(2) `; empty for plain objects and arrays. */
  label: string;
  open: '{' | '[';
  /** Pairs of a key and its value. The key is a string, a rendered value (in a Map), or null for a value without a key. */
  entries: [key: string | RenderedValue | null, value: RenderedValue][];
  /** The number of omitted entries. */
  more: number;
}

/**
 * The schema of a `RenderedValue`. It checks all types, and limits entries and drawings, because code in the sandbox may
 * have forged the value.
 */
export const renderedValueSchema: z.ZodType<RenderedValue> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text }),
  z.object({ type: z.literal('string'), text, length: count }),
  z.object({ type: z.literal('error'), text }),
  z.object({
    type: z.literal('html'),
    text,
    length: count,
    drawing: z.object({ xml: text.max(DRAWING_MAX_CHARS), width: count, height: count }).optional(),
  }),
  z.object({
    type: z.literal('image'),
    url: text.regex(/^data:image\/png;base64,[A-Za-z0-9+/=]*$/),
    width: count,
    height: count,
  }),
  z.object({
    type: z.literal('object'),
    label: text,
    open: z.enum(['{', '[']),
    get entries() {
      return z.array(z.tuple([z.union([z.string(), renderedValueSchema, z.null()]), renderedValueSchema])).max(1_000);
    },
    more: count,
  }),
]);

/** The levels of console lines, as the methods of `console` are named. */
export const CONSOLE_LEVELS = ['log', 'info', 'warn', 'error', 'debug'] as const;

const consoleLineSchema = z.object({
  level: z.enum(CONSOLE_LEVELS),
  values: z.array(renderedValueSchema).readonly(),
});

/** The output of one console call, such as `console.log(a, b)`. */
export type ConsoleLine = z.infer<typeof consoleLineSchema>;

/** The value and the output of one evaluation of JavaScript; the structured result of the tool that runs code. */
export const javaScriptOutcomeSchema = z.object({
  /** The completion value; absent if unknown. */
  value: renderedValueSchema.optional(),
  console: z.array(consoleLineSchema).readonly(),
  /** Present if nothing from earlier evaluations is available: this is the first one, or the previous session has ended. */
  isNewSession: z.literal(true).optional(),
  /** Present if the code ran in a worker, without a document, because the browser does not give the sandbox its own thread. */
  hasNoDom: z.literal(true).optional(),
  /**
   * Present if the sandbox has no host name of its own: if the browser runs it in the studio's process, code can slow down the
   * studio.
   */
  sharesHost: z.literal(true).optional(),
  /** Present if the code ran in a process of its own, without a document, because the host has no browser. */
  place: z.literal('process').optional(),
});

/**
 * The value and the console lines of one evaluation of JavaScript in the sandbox. There is none if the code failed: the
 * evaluation rejects with `ToolFailure`.
 */
export type JavaScriptOutcome = z.infer<typeof javaScriptOutcomeSchema>;

/** Characters that are invisible or misleading: control characters and those that change the text direction. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are what the pattern looks for
const UNSEEN = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** Returns a text in which characters that are invisible, or change the direction of text, are escaped as `\u{…}`. */
export const escapeInvisible = (text: string): string =>
  text.replace(UNSEEN, (character) => `\\u{${character.charCodeAt(0).toString(16)}}`);

/** A value as text, such as `{a: 1, b: [2, 3]}`. A top-level string is not quoted. */
export function valueText(value: RenderedValue): string {
  if (value.type !== 'string') return nestedText(value);
  return escapeInvisible(value.text) + cut(value);
}

/** The line, in the error of code that failed, between the reason and what the code had printed before. */
export const PRINTED_SO_FAR = '\nPrinted so far:\n';

/** A console line as text, with its level unless that is `log`. */
export function lineText({ level, values }: ConsoleLine): string {
  const text = values.map(valueText).join(' ');
  return level === 'log' ? text : `[${level}] ${text}`;
}

function nestedText(value: RenderedValue): string {
  switch (value.type) {
    case 'string':
      return escapeInvisible(JSON.stringify(value.text)) + cut(value);
    case 'html':
      return escapeInvisible(value.text) + cut(value);
    case 'image':
      return `<canvas ${value.width}×${value.height}>`;
    case 'object':
      return objectText(value);
    default:
      return escapeInvisible(value.text);
  }
}

function objectText({ label, open, entries, more }: RenderedObject): string {
  const shown = entries.map(([key, value]) => {
    if (key === null) return nestedText(value);
    return typeof key === 'string'
      ? `${escapeInvisible(key)}: ${nestedText(value)}`
      : `${nestedText(key)} => ${nestedText(value)}`;
  });
  if (more > 0) shown.push(entries.length === 0 ? '…' : `… ${more} more`);
  return `${escapeInvisible(label)}${open}${shown.join(', ')}${open === '{' ? '}' : ']'}`;
}

const cut = ({ text, length }: { text: string; length: number }): string =>
  length > text.length ? `… [cut at ${text.length} of ${length} characters]` : '';
