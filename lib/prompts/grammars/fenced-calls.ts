import { narrow } from '../json-syntax.ts';
import { PARSER_LIMITS } from '../limits.ts';
import type { Reply } from '../reply.ts';
import type { Reading, Source } from '../source.ts';
import { readCallItems } from './call-items.ts';
import { readCallList, readCallObject } from './json-calls.ts';
import { readPythonCall, readPythonList } from './python-calls.ts';
import { readTagCalls } from './tag-calls.ts';

/** Languages of fences that may contain calls. */
export const CALL_FENCES = new Set(['', 'json', 'xml', 'tool_call', 'tool_calls', 'tool_code']);

/** The grammar for the calls in a fence of this language, by their first character; undefined if none can begin. */
export function fencedGrammar(reply: Reply, language: string, next: string): Reading<void> | undefined {
  if (narrow(next) === '{') return readCallObject(reply, language.startsWith('tool_call'));
  if (next === '<') return readTagCalls(reply, readCallItems);
  if (narrow(next) === '[') return readFencedList(reply, language);
  return language === 'tool_code' ? readToolCode(reply) : undefined;
}

/** Reads a list in a fence: of objects, or of Python calls. */
function* readFencedList(reply: Reply, language: string): Reading<void> {
  const { source } = reply;
  const start = source.hold();
  source.at++;
  const isPython = /[a-z_]/i.test(yield* source.skipSpace(PARSER_LIMITS.space));
  source.rewind(start);
  if (isPython) yield* readPythonList(reply, false);
  else yield* readCallList(reply, language.startsWith('tool_call'));
}

/**
 * Reads a line of Gemma's `tool_code`: a call, possibly inside `print()`, after a comment, or assigned to a variable.
 */
function* readToolCode(reply: Reply): Reading<void> {
  const { source } = reply;
  while (yield* source.accept('#')) {
    yield* source.readWhile((character) => character !== '\n', PARSER_LIMITS.tag);
    yield* source.skipSpace();
  }
  yield* skipAssignment(source);
  const isPrinted = yield* source.accept('print(');
  yield* readPythonCall(reply, false);
  if (isPrinted && (yield* source.skipSpace()) === ')') source.at++;
  yield* skipPrint(source);
}

/** Skips a line that prints the variable assigned before. */
function* skipPrint(source: Source): Reading<void> {
  const start = source.hold();
  yield* source.skipSpace(PARSER_LIMITS.space);
  const isPrint =
    (yield* source.accept('print(')) &&
    (yield* source.readWhile((character) => /\w/.test(character), PARSER_LIMITS.name)) !== undefined &&
    (yield* source.accept(')'));
  if (isPrint) source.release(start);
  else source.rewind(start);
}

function* skipAssignment(source: Source): Reading<void> {
  const start = source.hold();
  const name = yield* source.readWhile((character) => /\w/.test(character), PARSER_LIMITS.name);
  const isAssigned = name !== undefined && name !== '' && (yield* source.skipSpace(PARSER_LIMITS.space)) === '=';
  if (!isAssigned) return source.rewind(start);
  source.at++;
  yield* source.skipSpace(PARSER_LIMITS.space);
  source.release(start);
}
