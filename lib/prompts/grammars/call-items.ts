import { narrow } from '../json-syntax.ts';
import { PARSER_LIMITS } from '../limits.ts';
import { type Reply, refuse } from '../reply.ts';
import type { Reading } from '../source.ts';
import { readArgumentPairs } from './argument-pairs.ts';
import { readArgumentsValue } from './json-arguments.ts';
import { readCallList, readCallObject } from './json-calls.ts';
import { readPythonCallRest, readPythonList } from './python-calls.ts';
import { readTagCalls } from './tag-calls.ts';

/**
 * Reads the calls after a marker that announces them: one or several, in any form, because models drift between forms behind
 * the same marker. Forms that begin with the tool's name are Llama 3.1's `N.call(K="V")`, Gemma 4's `call:N{…}`, and GLM's
 * name with pairs of tags.
 */
export function readCallItems(reply: Reply): Reading<void> {
  return readItems(reply, readInnerItems);
}

/** Reads the calls of a container inside another one. Refuses a third level: containers are nested at most two deep. */
const readInnerItems = (reply: Reply): Reading<void> => readItems(reply, refuse);

type ReadContainer = (reply: Reply) => Reading<void>;

function* readItems(reply: Reply, readContainer: ReadContainer): Reading<void> {
  const { source } = reply;
  yield* readItem(reply, readContainer);
  // An empty list: nothing that follows belongs to it.
  if (!reply.isCertain) return;
  for (;;) {
    const next = yield* source.skipSpace();
    if (next === ',' || next === ';') source.at++;
    else if (next === '' || !(yield* reply.attempt(readItem(reply, readContainer)))) return;
  }
}

function* readItem(reply: Reply, readContainer: ReadContainer): Reading<void> {
  const { source } = reply;
  // In “a <tool_call> block”, the word that follows is not a tool's name.
  const isInSentence = (yield* source.peek()) === ' ';
  const next = narrow(yield* source.skipSpace(PARSER_LIMITS.space));
  if (next === '{') return yield* readCallObject(reply, true);
  if (next === '<') return yield* readTagCalls(reply, readContainer);
  if (next === '`') return yield* readFencedItem(reply);
  if (next === '[') {
    if (yield* isPythonList(reply)) return yield* readPythonList(reply, true);
    yield* readCallList(reply, true);
    // An empty list counts only if nothing else is on its line.
    if (!reply.isCertain && !['', '\n', '\r', '<'].includes(yield* source.peek())) refuse();
    return;
  }
  if (isInSentence && !reply.isCertain && !reply.tools.mayBegin(next)) refuse();
  yield* readNamedItem(reply);
}

/** Reads a call inside a fence, which some models add needlessly. */
function* readFencedItem(reply: Reply): Reading<void> {
  const { source } = reply;
  if (!(yield* source.accept('```'))) refuse();
  yield* source.readWhile((character) => /\w/.test(character), PARSER_LIMITS.name);
  const next = narrow(yield* source.skipSpace(PARSER_LIMITS.space));
  if (next === '{') yield* readCallObject(reply, true);
  else if (next === '[') yield* readCallList(reply, true);
  else refuse();
  yield* source.skipSpace();
  yield* source.accept('```');
}

function* isPythonList({ source }: Reply): Reading<boolean> {
  const start = source.hold();
  source.at++;
  const next = yield* source.skipSpace(PARSER_LIMITS.space);
  source.rewind(start);
  return /[a-z_]/i.test(next);
}

/** Reads a call that begins with its tool's name: `N(K=V)`, `N{…}`, `call:N{…}` or `N` and pairs of tags. */
function* readNamedItem(reply: Reply): Reading<void> {
  const { source } = reply;
  if (!/[a-z_]/i.test(yield* source.peek())) refuse();
  let name = yield* source.readWhile((character) => /[\w.-]/.test(character), PARSER_LIMITS.name);
  if (name === 'call' && (yield* source.accept(':')))
    name = yield* source.readWhile((character) => /[\w.-]/.test(character), PARSER_LIMITS.name);
  if (name === undefined || !/^[a-z_]/i.test(name)) return refuse();
  const behindName = yield* source.peek();
  const hasSpace = /\s/.test(behindName);
  const next = yield* source.skipSpace(PARSER_LIMITS.space);
  const isKnown = reply.tools.find(name) !== undefined;
  if (next === '(' && !hasSpace) return yield* readPythonCallRest(reply, name);
  if (next === '{' && (isKnown || !hasSpace)) return yield* readArgumentsValue(reply, name);
  if (next !== '<') refuse();
  yield* readArgumentPairs(reply, name, isKnown || behindName === '\n' || behindName === '\r');
}
