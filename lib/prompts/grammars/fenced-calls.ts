import { PARSER_LIMITS } from '../limits.ts';
import type { Reply } from '../reply.ts';
import type { Reading, Source } from '../source.ts';
import { readCallList } from './json-calls.ts';
import { readPythonCall, readPythonList } from './python-calls.ts';

/**
 * Languages of Markdown code fences that may contain calls, in lower case; an empty text stands for no language. `tool_code` is
 * Gemma's; models add the others needlessly.
 */
export const CALL_FENCES = new Set(['', 'json', 'xml', 'tool_call', 'tool_calls', 'tool_code']);

/**
 * Reads a list of calls in a code fence, as JSON objects or as Python calls. `isExplicit`: whether the fence is meant for
 * calls, so that objects with names of unknown tools count, too.
 */
export function* readFencedList(reply: Reply, isExplicit: boolean): Reading<void> {
  const { source } = reply;
  const start = source.hold();
  source.at++;
  const isPython = /[a-z_]/i.test(yield* source.skipSpace(PARSER_LIMITS.space));
  source.rewind(start);
  if (isPython) yield* readPythonList(reply, false);
  else yield* readCallList(reply, isExplicit);
}

/**
 * Reads a line in a fence of `tool_code`, as Gemma 3 drifts to write it: a Python call, possibly inside `print()`,
 * after a comment, or assigned to a variable.
 */
export function* readToolCode(reply: Reply): Reading<void> {
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
