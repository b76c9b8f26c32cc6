import { PARSER_LIMITS } from '../limits.ts';
import { type Reply, refuse } from '../reply.ts';
import type { Reading, Source } from '../source.ts';
import { readRawValue } from './raw-value.ts';
import { onlyClosersFollow, readTag, readToken } from './tag.ts';

const isKeyCharacter = (character: string): boolean => /[^<>\n]/.test(character);

/**
 * Reads a call's arguments behind its tool's name, as the chat templates of GLM 4.5 to 4.7 write them: in pairs
 * `<arg_key>K</arg_key><arg_value>V</arg_value>`, up to the closing tag of the call. Without any pair, the call has no
 * arguments if `mayBeEmpty` and a closing tag follows; otherwise throws `REFUSAL`.
 */
export function* readArgumentPairs(reply: Reply, toolName: string, mayBeEmpty: boolean): Reading<void> {
  const { source } = reply;
  if (!(yield* source.sees('<arg_key>'))) {
    // Without arguments, the end of the container must follow.
    const start = source.hold();
    const tag = yield* readTag(source);
    source.rewind(start);
    if (!mayBeEmpty || tag === undefined || !tag.isClosing) refuse();
    return reply.startCall(toolName).finish();
  }
  const call = reply.startCall(toolName);
  while (yield* source.accept('<arg_key>')) {
    const key = yield* source.readWhile(isKeyCharacter, PARSER_LIMITS.name);
    if (key === undefined) return call.cut();
    yield* source.accept('</arg_key>');
    yield* source.skipSpace();
    if (!(yield* source.accept('<arg_value>'))) return call.cut();
    if (!(yield* readRawValue(source, call, key.trim(), { at: '<', closes: valueEnd() }))) return call.cut();
    yield* source.skipSpace();
  }
  if (source.ranOut && !call.hasRequired) call.cut();
  else call.finish();
}

/**
 * Returns a function that checks whether a value ends at the current position, and reads its closing tag if so. Pairs that are
 * quoted inside the value have closing tags of their own, which do not end the value.
 */
function valueEnd(): (source: Source) => Reading<boolean> {
  let quoted = 0;
  return function* (source) {
    if (yield* source.sees('<arg_value>')) {
      quoted++;
      return false;
    }
    if (quoted === 0) return (yield* closesValue(source, goesOnBehindValue)) || (yield* isLastCloser(source));
    const closes = yield* closesValue(source, (text) => onlyClosersFollow(text, ({ name }) => isContainer(name)));
    if (!closes && (yield* source.sees('</arg_value>'))) quoted--;
    return closes;
  };
}

const isContainer = (name: string): boolean => name.startsWith('tool_call');

/** Checks whether the container ends at the end of the reply, without a closing tag of the value. */
function* isLastCloser(source: Source): Reading<boolean> {
  const start = source.hold();
  const tag = yield* readTag(source);
  const isLast =
    tag?.isClosing === true &&
    isContainer(tag.name) &&
    (yield* onlyClosersFollow(source, ({ name }) => isContainer(name)));
  source.rewind(start);
  return isLast;
}

/**
 * Reads the value's closing tag if the text after the tag continues the call, which `goesOn` decides. Otherwise reads nothing,
 * and returns false.
 */
function* closesValue(source: Source, goesOn: (source: Source) => Reading<boolean>): Reading<boolean> {
  const start = source.hold();
  if (yield* source.accept('</arg_value>')) {
    const behind = source.hold();
    const counts = yield* goesOn(source);
    source.rewind(behind);
    if (counts) {
      source.release(start);
      return true;
    }
  }
  source.rewind(start);
  return false;
}

/** Checks whether another pair, the end of the container or the end of the reply follows. */
function* goesOnBehindValue(source: Source): Reading<boolean> {
  const next = yield* source.skipSpace(PARSER_LIMITS.space);
  if (next !== '<') return next === '';
  const tag = yield* readTag(source);
  if (tag === undefined) return (yield* readToken(source)) !== undefined || source.ranOut;
  return tag.name === 'arg_key' ? !tag.isClosing : isContainer(tag.name);
}
