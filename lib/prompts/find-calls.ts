import { ON_ITS_OWN } from './forms.ts';
import { readPythonCall } from './grammars/python-calls.ts';
import { openingAt } from './openings.ts';
import { Reply } from './reply.ts';
import type { Reading } from './source.ts';
import type { ProtocolTool } from './tool-names.ts';

/** A call found in a text, with an excerpt of the surrounding text. */
interface FoundCall {
  name: string;
  input: unknown;
  /** The call as it was found, with up to 200 characters on either side; at most 800 characters. */
  excerpt: string;
}

/** The number of characters on either side of a call that belong to its excerpt. */
const CONTEXT = 200;
/** The maximum length of an excerpt, in characters. */
const EXCERPT_MAX = 800;
/**
 * Returns the maximum number of characters that all searches of a text may read together: enough for any text that was
 * not crafted to be slow.
 */
const workLimit = (length: number): number => Math.min(30_000_000, 40 * length + 100_000);
/** The maximum number of layers of escapes that are removed from a text, such as those of JSON in JSON. */
const ENCODINGS_MAX = 3;

/** The result of a search for calls. */
interface FoundCalls {
  /** The calls in the text. The same call may occur several times. */
  calls: FoundCall[];
  /** Whether the whole text was searched. False if the limit of work was reached first, so that it may contain other calls. */
  isWhole: boolean;
  /** The number of characters that were read; most texts are read several times. */
  work: number;
}

/**
 * Finds everything that could be a call in a text that the model did not write, in any form and any position: in a sentence, a
 * quotation, a comment, after line numbers, with invisible characters, or escaped for JSON, HTML, Markdown or a URL. The calls
 * are never run, but compared with those of the model, which may have copied one. `workMax`: the maximum number of characters
 * to read, repeated ones included. The result says whether the whole text was searched within it, and how many were read.
 */
export function findCalls(
  text: string,
  tools: readonly ProtocolTool[],
  workMax = Number.POSITIVE_INFINITY,
): FoundCalls {
  const limit = Math.min(workLimit(text.length), workMax);
  const budget = { left: limit };
  const names = new RegExp(`(?<![\\w])(?:${tools.map(({ name }) => escaped(name)).join('|') || '(?!)'})\\s?\\(`, 'gi');
  const calls: FoundCall[] = [];
  for (const view of viewsOf(text)) {
    const pythonCalls = new Set([...view.matchAll(names)].map(({ index }) => index));
    // An argument may end earlier in prose than in a reply of its own.
    const hasRawValues = /<[a-z]|@@call/i.test(view);
    for (const isInProse of hasRawValues ? [true, false] : [true])
      calls.push(...findIn(view, tools, { pythonCalls, isInProse, budget }));
  }
  return { calls, isWhole: budget.left > 0, work: limit - budget.left };
}

/** A text as a regular expression that matches only itself. */
const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/**
 * Prefixes that files and tools put before a line: quotation, comment and diff markers, line numbers, and locations.
 */
const PREFIX = String.raw`(?:(?:>|\||#+|;+|%+|!+|\+)[ \t]?|\/\/+ ?|\/?\*+ |--+ ?|- |REM |\d+[:|\t→] ?|[^\s:]{1,300}[:-]\d+[:-] ?)`;
const LINE_PREFIX = new RegExp(`^[ \\t]*${PREFIX}`, 'gm');
const LINE_PREFIXES = new RegExp(`^[ \\t]*${PREFIX}+`, 'gm');

/** Returns the text as it is, and variants without line prefixes, invisible characters, escapes and entities. */
function viewsOf(text: string): Set<string> {
  const bare = withoutInvisible(text);
  const views = new Set([text, bare, bare.replaceAll(LINE_PREFIX, ''), bare.replaceAll(LINE_PREFIXES, '')]);
  for (const view of [...views]) {
    let plain = view;
    for (let count = 0; count < ENCODINGS_MAX; count++) {
      const before = plain;
      plain = withoutInvisible(withoutPercents(withoutEntities(plain)));
      views.add(plain);
      plain = withoutEscapes(plain);
      views.add(plain);
      if (plain === before) break;
    }
    views.add(withoutEntities(view).replaceAll(MARKDOWN_ESCAPE, '$1'));
  }
  return views;
}

/**
 * Returns a text as it looks: without invisible characters and the colors of a terminal, and with letters of other widths as
 * plain ones.
 */
export const withoutInvisible = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(COLOR, '')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '');

/** Matches the sequences that change colors in a terminal. */
const COLOR = new RegExp(`${String.fromCharCode(0x1b)}\\[[\\d;]*m`, 'g');

/** Matches a backslash before a punctuation mark, which Markdown does not show. */
const MARKDOWN_ESCAPE = /\\([!-/:-@[-`{-~])/g;

const withoutPercents = (text: string): string =>
  text.replaceAll(/(?:%[\da-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      // The bytes are not UTF-8, so the text was probably not encoded.
      return encoded;
    }
  });

const withoutEscapes = (text: string): string =>
  text.replaceAll(/\\(?:(["\\/nrt])|u([\da-f]{4})|x([\da-f]{2}))/gi, (_, letter: string | undefined, four, two) =>
    letter === undefined ? String.fromCharCode(Number.parseInt(four ?? two, 16)) : (ESCAPES.get(letter) ?? letter),
  );

const withoutEntities = (text: string): string =>
  text.replaceAll(
    /&(?:(lt|gt|quot|apos|amp|nbsp|lowbar|colon|comma|lcub|lbrace|rcub|rbrace|lsqb|lbrack|rsqb|rbrack|sol|period|equals)|#(\d{1,6})|#x([\da-f]{1,5}));/gi,
    (_, name, decimal, hexadecimal) => {
      if (typeof name === 'string') return ENTITIES.get(name.toLowerCase()) ?? '';
      return String.fromCodePoint(Number.parseInt(decimal ?? hexadecimal, decimal === undefined ? 16 : 10));
    },
  );

const ESCAPES = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);
const ENTITIES = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['amp', '&'],
  ['nbsp', ' '],
  ['lowbar', '_'],
  ['colon', ':'],
  ['comma', ','],
  ['lcub', '{'],
  ['lbrace', '{'],
  ['rcub', '}'],
  ['rbrace', '}'],
  ['lsqb', '['],
  ['lbrack', '['],
  ['rsqb', ']'],
  ['rbrack', ']'],
  ['sol', '/'],
  ['period', '.'],
  ['equals', '='],
]);

interface Search {
  /** The indexes in the text at which a call in the form of Python may begin. */
  pythonCalls: ReadonlySet<number>;
  isInProse: boolean;
  /** The number of characters that may still be read; it decreases while searching. */
  budget: { left: number };
}

function findIn(text: string, tools: readonly ProtocolTool[], search: Search): FoundCall[] {
  const found: FoundCall[] = [];
  const reply = new Reply({ tools, createId: () => '' });
  const { source, output } = reply;
  source.push(text);
  source.end();
  const read = function* (): Reading<void> {
    while (source.at < text.length && search.budget.left > 0) {
      const from = source.at;
      reply.isInProse = search.isInProse;
      const isCall = yield* readCallHere(reply, search);
      search.budget.left -= 1 + source.at - from + reply.work;
      reply.work = 0;
      if (isCall) {
        const excerpt = text.slice(Math.max(0, from - CONTEXT), source.at + CONTEXT).slice(0, EXCERPT_MAX);
        for (const part of output.take())
          if (part.type === 'tool-call') found.push({ name: part.toolName, input: part.input, excerpt });
      }
      // A call may contain another one, quoted.
      source.at = from + 1;
    }
  };
  // The whole text is available, so the generator never waits for more.
  read().next();
  return found;
}

function* readCallHere(reply: Reply, { pythonCalls }: Search): Reading<boolean> {
  const { source, output } = reply;
  const opening = openingAt(source.text.charCodeAt(source.at));
  const isPromising = opening?.isPromising(source.text.charAt(source.at + 1)) === true;
  const isPython = pythonCalls.has(source.position);
  if (!isPython && !isPromising) return false;
  const { calls } = output;
  const grammars = [
    ...(isPython ? [readPythonCall(reply, false)] : []),
    ...(opening?.foreignCalls ?? []).map((grammar) => grammar(reply, ON_ITS_OWN)),
  ];
  for (const grammar of grammars) {
    const start = source.hold();
    yield* reply.attempt(grammar);
    if (output.calls > calls) {
      source.release(start);
      return true;
    }
    source.rewind(start);
  }
  return false;
}
