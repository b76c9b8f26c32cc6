import { callGrammars } from './grammars/any-call.ts';
import { readCallItems } from './grammars/call-items.ts';
import { readPythonCall } from './grammars/python-calls.ts';
import { isPromising } from './markers.ts';
import { Reply } from './reply.ts';
import type { Reading } from './source.ts';
import type { ProtocolTool } from './tool-names.ts';

/** A call found in a text, with an excerpt of the surrounding text. */
export interface FoundCall {
  name: string;
  input: unknown;
  excerpt: string;
}

/** Characters of context on either side of a call, and the maximum length of an excerpt. */
const CONTEXT = 200;
const EXCERPT_MAX = 800;
/** How many characters all searches of a text may read together: enough for any text that was not crafted to be slow. */
const workLimit = (length: number): number => Math.min(30_000_000, 40 * length + 100_000);
/** How often the escapes of JSON in JSON are removed. */
const ENCODINGS_MAX = 3;

export interface FoundCalls {
  calls: FoundCall[];
  /** False if the text is crafted to take too long to search, so that it may contain other calls. */
  isWhole: boolean;
}

/**
 * Finds every call in a text from elsewhere, in any form and any position: in a sentence, a quotation, a comment, after
 * line numbers, or escaped for JSON or HTML. For comparison only; nothing is run.
 */
export function findCalls(text: string, tools: readonly ProtocolTool[]): FoundCalls {
  const budget = { left: workLimit(text.length) };
  const names = new RegExp(`(?<![\\w])(?:${tools.map(({ name }) => name).join('|')})\\s?\\(`, 'gi');
  const calls: FoundCall[] = [];
  for (const view of viewsOf(text)) {
    const pythonCalls = new Set([...view.matchAll(names)].map(({ index }) => index));
    // An argument may end earlier in prose than in a reply of its own.
    const hasRawValues = /<[a-z]|@@call/i.test(view);
    for (const isInProse of hasRawValues ? [true, false] : [true])
      calls.push(...findIn(view, tools, { pythonCalls, isInProse, budget }));
  }
  return { calls, isWhole: budget.left > 0 };
}

/** What files and tools put before a line: quotation, comment and diff markers, line numbers, and locations. */
const PREFIX = String.raw`(?:>[ \t]?|\|[ \t]?|\/\/ ?|#+ ?|[*-] |\+ ?|\d+[:|\t→] ?|[^\s:]{1,300}[:-]\d+[:-] ?)`;
const LINE_PREFIX = new RegExp(`^[ \\t]*${PREFIX}`, 'gm');
const LINE_PREFIXES = new RegExp(`^[ \\t]*${PREFIX}+`, 'gm');

/** The text as it is, and variants without line prefixes, escapes and entities. */
function viewsOf(text: string): Set<string> {
  const views = new Set([text, text.replaceAll(LINE_PREFIX, ''), text.replaceAll(LINE_PREFIXES, '')]);
  for (const view of [...views]) {
    const plain = withoutEntities(view);
    views.add(plain);
    let unescaped = plain;
    for (let count = 0; count < ENCODINGS_MAX && /\\["u]/.test(unescaped); count++) {
      unescaped = withoutEscapes(unescaped);
      views.add(unescaped);
    }
  }
  return views;
}

const withoutEscapes = (text: string): string =>
  text.replaceAll(/\\(?:(["\\/nrt])|u([\da-f]{4}))/gi, (_, letter: string | undefined, code: string) =>
    letter === undefined ? String.fromCharCode(Number.parseInt(code, 16)) : (ESCAPES.get(letter) ?? letter),
  );

const withoutEntities = (text: string): string =>
  text.replaceAll(/&(?:(lt|gt|quot|apos|amp|nbsp)|#(\d{1,6})|#x([\da-f]{1,5}));/gi, (_, name, decimal, hexadecimal) => {
    if (typeof name === 'string') return ENTITIES.get(name.toLowerCase()) ?? '';
    return String.fromCodePoint(Number.parseInt(decimal ?? hexadecimal, decimal === undefined ? 16 : 10));
  });

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
]);

interface Search {
  /** Where a call in the form of Python may begin. */
  pythonCalls: ReadonlySet<number>;
  isInProse: boolean;
  /** Characters that may still be read. */
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
  const character = source.text.charAt(source.at);
  const isPython = pythonCalls.has(source.position);
  if (!isPython && !isPromising(character, source.text.charAt(source.at + 1))) return false;
  const { calls } = output;
  const grammars = [
    ...(isPython ? [readPythonCall(reply, false)] : []),
    ...callGrammars(reply, character),
    // In a fence for calls, an object counts although nothing else says so.
    ...(character === '{' || character === '[' ? [readCallItems(reply)] : []),
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
