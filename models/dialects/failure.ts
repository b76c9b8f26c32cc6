import { startOf } from '#lib/base/cut-text.ts';
import { type Fields, fieldsOf, isFilled, numberOf, parsed, textOf } from './fields.ts';

/** The reason why a server could not answer, as far as it says. */
export interface Failure {
  /** The server's own sentence. */
  message: string;
  /** The HTTP status that the error names or implies, from 400 to 599; undefined if it tells none. */
  status?: number | undefined;
  /** The kind of error, as the server names it: its type or its code. */
  type?: string | undefined;
  /** The server's whole message, parsed. */
  original?: unknown;
}

/**
 * The maximum length of a message that is taken from a page or from plain text, in characters. The code that shows it
 * cuts it to far less, but only after secrets were removed from it.
 */
const WORDS_MAX = 20_000;

/** The part of a page that is searched for its title, in characters. */
const PAGE_MAX = 10_000;

/** The depth to which errors in other errors are read. */
const DEPTH_MAX = 4;

/** Names of fields with a sentence about an error, the best first. */
const SENTENCES = [
  'message',
  'msg',
  'detail',
  'error_msg',
  'errmsg',
  'error_message',
  'errorMessage',
  'error_description',
  'status_msg',
  'reason',
  'title',
  'description',
] as const;

/** Names of fields that make an object an error if it has none of the fields in `OF_REPLIES`. */
const TELLING = ['detail', 'error_msg', 'errmsg', 'error_message', 'errorMessage', 'error_description', 'msg'] as const;

/** Fields that only replies have. */
const OF_REPLIES = ['choices', 'delta', 'usage', 'response', 'done'] as const;

/**
 * Finds the error that a parsed event or body reports, in a list the first one; undefined if it reports none. `event`: the name
 * of the event, or `error` for the body of an error response. With the name `error`, any value counts as an error.
 */
export function failureIn(value: unknown, event?: string): Failure | undefined {
  if (Array.isArray(value)) return failureInList(value, event);
  const outer = fieldsOf(value);
  const isNamed = event === 'error' || outer.object === 'error' || outer.type === 'error';
  const choice = fieldsOf(Array.isArray(outer.choices) ? outer.choices[0] : undefined);
  for (const inner of [outer.error, outer.errors, choice.error, fieldsOf(choice.message).error]) {
    if (inner === true) return describe(outer, value);
    if (saysSomething(inner)) return describe(inner, value, outer);
  }
  const base = fieldsOf(outer.base_resp);
  if ((numberOf(base.status_code) ?? 0) !== 0) return describe(base, value);
  if (isNamed) return typeof value === 'string' ? failureOfText(value) : describe(outer, value);
  if (OF_REPLIES.some((name) => outer[name] !== undefined && outer[name] !== null)) return undefined;
  const isProblem = TELLING.some((name) => saysSomething(outer[name])) || textOf(outer.message) !== '';
  return isProblem ? describe(outer, value) : undefined;
}

/** Finds the first error in a list, as Google sends them; undefined if it has none. */
function failureInList(values: readonly unknown[], event: string | undefined): Failure | undefined {
  for (const value of values) {
    const failure = isFilled(value) ? failureIn(value, event) : undefined;
    if (failure !== undefined) return failure;
  }
  return undefined;
}

const saysSomething = (value: unknown): boolean =>
  (typeof value === 'string' && value.trim() !== '') || (Array.isArray(value) && value.length > 0) || isFilled(value);

function describe(inner: unknown, original: unknown, outer: Fields = {}): Failure {
  const message = sentenceIn(inner, 0) || sentenceIn(outer, 0) || 'The server reported an error without a reason.';
  const fields = fieldsOf(Array.isArray(inner) ? inner[0] : inner);
  const type = textOf(fields.type) || textOf(fields.code) || textOf(outer.type);
  return {
    message,
    status:
      statusOf(fields) ?? statusOf(outer) ?? statusOfWords(`${type} ${textOf(fields.code)} ${textOf(fields.status)}`),
    ...(type !== '' && type !== 'error' && { type }),
    original,
  };
}

/** Finds the sentence about an error, however it is wrapped; empty if there is none. */
function sentenceIn(value: unknown, depth: number): string {
  if (depth > DEPTH_MAX) return '';
  if (typeof value === 'string') {
    const text = value.trim();
    // An error that a gateway has put into its own, as text.
    const inside = /^[[{]/.test(text) ? sentenceIn(parsed(text), depth + 1) : '';
    return inside || text;
  }
  if (Array.isArray(value)) {
    const sentences = value.map((one) => sentenceIn(one, depth + 1)).filter((one) => one !== '');
    return [...new Set(sentences)].slice(0, 3).join(' ');
  }
  const fields = fieldsOf(value);
  // Gateways that pass an error on say little themselves.
  const passedOn = sentenceIn(fieldsOf(fields.metadata).raw, depth + 1);
  for (const name of SENTENCES) {
    const sentence = sentenceIn(fields[name], depth + 1);
    if (sentence === '') continue;
    return passedOn === '' || sentence.includes(passedOn) ? sentence : `${sentence}: ${passedOn}`;
  }
  return passedOn || sentenceIn(fields.error, depth + 1) || sentenceIn(fields.errors, depth + 1) || textOf(fields.code);
}

function statusOf({
  status,
  status_code: snake,
  statusCode: camel,
  code,
  http_status: http,
}: Fields): number | undefined {
  for (const one of [code, status, snake, camel, http]) {
    const number = numberOf(one);
    if (number !== undefined && Number.isInteger(number) && number >= 400 && number <= 599) return number;
  }
  return undefined;
}

/** The HTTP statuses of error types, by patterns for the names that servers use. */
const TYPES: readonly (readonly [RegExp, number])[] = [
  [/insufficient_quota|billing|payment|credit/i, 402],
  [/rate.?limit|too.?many.?requests|throttl|resource.?exhausted/i, 429],
  [/overloaded/i, 529],
  [/unavailable|capacity/i, 503],
  [/authentication|invalid.?api.?key|unauthorized|unauthenticated/i, 401],
  [/permission|forbidden/i, 403],
  [/model.?not.?found|not.?found/i, 404],
  [/timeout|deadline/i, 504],
  [/invalid.?request|bad.?request|context.?length|invalid.?argument|validation/i, 400],
];

const statusOfWords = (words: string): number | undefined => TYPES.find(([type]) => type.test(words))?.[1];

/** The type of the error of a reply without any content. */
const EMPTY_REPLY = 'empty_reply';

const PAGE = /^\s*(<!doctype html|<html|<head|<body|<\?xml|<!--)/i;

/**
 * Makes a failure from a body that is not JSON: empty, a web page, or a sentence. `status`: the status of the response, if
 * it is an error; without it, the failure has the status that the body suggests, if any.
 */
export function failureOfText(text: string, status?: number): Failure {
  if (text.trim() === '')
    return { message: 'The server sent an empty reply.', status: status ?? 502, type: EMPTY_REPLY };
  if (!PAGE.test(text)) return { message: cut(text.trim()), status: status ?? statusOfWords(text.slice(0, WORDS_MAX)) };
  const title = pageTitle(text);
  // A page in place of a reply comes from something else than a model's server, unless it says otherwise.
  const pageStatus = numberOf(/\b([45]\d\d)\b/.exec(title)?.[1]) ?? 400;
  const named = title === '' ? '' : `: “${title}”`;
  return { message: `The server sent a web page instead of a reply${named}.`, status: status ?? pageStatus };
}

/** Checks whether a body is a web page. */
export const isPage = (text: string): boolean => PAGE.test(text);

/** Finds the title of a web page, or its first heading; empty if it has neither. */
export function pageTitle(whole: string): string {
  const page = whole.slice(0, PAGE_MAX);
  const title = /<title[^>]*>([\s\S]*?)<\/title>/i.exec(page)?.[1] ?? '';
  return cut(inPlainWords(title) || inPlainWords(/<h1[^>]*>([\s\S]*?)<\/h1>/i.exec(page)?.[1] ?? ''));
}

const inPlainWords = (html: string): string =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(?:amp|lt|gt|quot|#39|nbsp|ndash|mdash);/g, (entity) => ENTITIES[entity] ?? ' ')
    .replace(/\s+/g, ' ')
    .trim();

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': ' ',
  '&ndash;': '–',
  '&mdash;': '—',
};

const cut = (text: string): string => (text.length > WORDS_MAX ? `${startOf(text, WORDS_MAX)}…` : text);
