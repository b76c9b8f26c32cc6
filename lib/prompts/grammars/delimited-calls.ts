import type { CallWriter } from '../call-writer.ts';
import { PARSER_LIMITS } from '../limits.ts';
import { type Reply, refuse } from '../reply.ts';
import type { Reading, Source } from '../source.ts';
import { readRawValue } from './raw-value.ts';

const isNameCharacter = (character: string): boolean => /[\w./:-]/.test(character);

/**
 * Reads `@@call N`, an argument under each `@@K`, and `@@end`, all at the beginning of lines: the form that the
 * studio's `delimited` codec asks for.
 */
export function* readDelimitedCall(reply: Reply): Reading<void> {
  const { source } = reply;
  if (!(yield* source.accept('@@call '))) refuse();
  const name = yield* source.readWhile(isNameCharacter, PARSER_LIMITS.name);
  if (name === undefined || reply.tools.find(name) !== undefined) reply.markDistinctive();
  if (name === undefined || name === '' || !(yield* isLineEnd(source))) return refuse();
  reply.markDistinctive();
  const isKnown = reply.tools.find(name) !== undefined;
  if (!(yield* source.accept('@@'))) refuse();
  const call = reply.startCall(name);
  for (;;) {
    if (yield* acceptEnd(source)) return call.finish();
    const key = yield* readArgumentName(source, call);
    if (key === undefined) return source.ranOut && !call.hasRequired ? call.cut() : call.finish();
    yield* skipGap(source);
    const closes = (text: Source) => closesArgument(text, call, isKnown, reply.isInProse);
    if (!(yield* readRawValue(source, call, key, { at: '\n', closes }))) return call.cut();
  }
}

/** Reads an argument's name, which models also write as `argument NAME=`. Undefined if the reply ends inside it. */
function* readArgumentName(source: Source, call: CallWriter): Reading<string | undefined> {
  const written = yield* source.readWhile(isNameCharacter, PARSER_LIMITS.name);
  if (written === undefined || call.knows(written) || !/^(?:arg|argument|param|parameter)$/.test(written))
    return written;
  const start = source.hold();
  yield* skipGap(source);
  const name = yield* source.readWhile((character) => /\w/.test(character), PARSER_LIMITS.name);
  if (name !== undefined && call.knows(name) && (yield* source.accept('='))) {
    source.release(start);
    return name;
  }
  source.rewind(start);
  return written;
}

function* acceptEnd(source: Source): Reading<boolean> {
  const start = source.hold();
  const isEnd = (yield* source.accept('end')) && !isNameCharacter(yield* source.peek());
  if (isEnd) source.release(start);
  else source.rewind(start);
  return isEnd;
}

const isBlank = (character: string): boolean => character === ' ' || character === '\t';

/** Reads the blanks behind an argument's name: models also write the value on the same line. */
function* skipGap(source: Source): Reading<void> {
  yield* source.readWhile(isBlank, PARSER_LIMITS.space);
}

/** Checks whether an argument's name ends here: with the line, or with blanks and the value behind them. */
function* isKeyEnd(source: Source): Reading<boolean> {
  const blanks = yield* source.readWhile(isBlank, PARSER_LIMITS.space);
  return (blanks !== undefined && blanks !== '') || (yield* isLineEnd(source));
}

/** Checks whether the line ends here, except for white space, and reads the white space and the line break. */
function* isLineEnd(source: Source): Reading<boolean> {
  yield* source.readWhile((character) => character === ' ' || character === '\r', PARSER_LIMITS.space);
  return yield* source.accept('\n');
}

/**
 * Checks whether the next line begins another argument, or ends the call with only the end of the reply or other calls
 * after it; if so, reads its `@@`.
 */
function* closesArgument(source: Source, call: CallWriter, isKnown: boolean, isInProse: boolean): Reading<boolean> {
  const start = source.hold();
  let closes = yield* source.accept('\n@@');
  if (closes) {
    const behind = source.hold();
    const isEnd = yield* acceptEnd(source);
    const key = isEnd ? '' : yield* readArgumentName(source, call);
    const isSpelled = source.text.charAt(source.at - 1) === '=';
    if (isEnd) closes = isInProse || (yield* isOver(source));
    else if (key === undefined) closes = false;
    else
      closes =
        (isKnown ? call.knows(key) : key !== '') &&
        !call.has(key) &&
        (isSpelled || (yield* isKnown ? isKeyEnd(source) : isLineEnd(source)));
    if (closes) source.rewind(behind);
  }
  if (closes) source.release(start);
  else source.rewind(start);
  return closes;
}

function* isOver(source: Source): Reading<boolean> {
  const next = yield* source.skipSpace(PARSER_LIMITS.space);
  return next === '' || next === '<' || (yield* source.accept('@@call '));
}
