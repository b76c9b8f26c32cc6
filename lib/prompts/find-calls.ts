import { callGrammars } from './grammars/any-call.ts';
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
/** Work limit, as a multiple of the text's length. Beyond it, the insides of calls are not searched again. */
const WORK_MAX = 20;

/**
 * Finds every call in a text from elsewhere, in any form and any position: in a sentence, a quotation, a comment, after
 * line numbers, or escaped for JSON or HTML. For comparison only; nothing is run.
 */
export function findCalls(text: string, tools: readonly ProtocolTool[]): FoundCall[] {
  return [...viewsOf(text)].flatMap((view) => findIn(view, tools));
}

/** Prefixes that files and tools put before a line: quotation and comment markers, line numbers, locations. */
const LINE_PREFIX = /^[ \t]*(?:>[ \t]?|\|[ \t]?|\/\/ ?|#+ ?|[*-] |\d+[:|\t→] ?|[^\s:]{1,300}[:-]\d+[:-] ?)+/gm;

/** The text as it is, and variants without line prefixes, escapes and entities. */
function viewsOf(text: string): Set<string> {
  const views = new Set([text, text.replaceAll(LINE_PREFIX, '')]);
  if (/\\["u]/.test(text))
    views.add(
      text.replaceAll(/\\(?:(["\\/nrt])|u([\da-f]{4}))/gi, (_, letter: string | undefined, code: string) =>
        letter === undefined ? String.fromCharCode(Number.parseInt(code, 16)) : (ESCAPES.get(letter) ?? letter),
      ),
    );
  if (/&(?:lt|quot|#39|apos);/.test(text))
    views.add(text.replaceAll(/&(lt|gt|quot|apos|#39|amp);/g, (_, name: string) => ENTITIES.get(name) ?? ''));
  return views;
}

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
  ['#39', "'"],
  ['amp', '&'],
]);

function findIn(text: string, tools: readonly ProtocolTool[]): FoundCall[] {
  const found: FoundCall[] = [];
  const reply = new Reply({ tools, createId: () => '' });
  const { source, output } = reply;
  reply.isInProse = true;
  source.push(text);
  source.end();
  const read = function* (): Reading<void> {
    for (let work = 0; source.at < text.length; ) {
      const from = source.at;
      const isCall = yield* readCallHere(reply);
      work += source.at - from;
      if (isCall) {
        const excerpt = text.slice(Math.max(0, from - CONTEXT), source.at + CONTEXT).slice(0, EXCERPT_MAX);
        for (const part of output.take())
          if (part.type === 'tool-call') found.push({ name: part.toolName, input: part.input, excerpt });
      }
      // A call may contain another one, quoted.
      if (!isCall || work < WORK_MAX * text.length) source.at = from + 1;
    }
  };
  // The whole text is available, so the generator never waits for more.
  read().next();
  return found;
}

function* readCallHere(reply: Reply): Reading<boolean> {
  const { source, output } = reply;
  const character = source.text.charAt(source.at);
  if (!isPromising(character, source.text.charAt(source.at + 1))) return false;
  const { calls } = output;
  for (const grammar of callGrammars(reply, character)) {
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
