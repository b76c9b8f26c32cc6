import { PARSER_LIMITS } from '../limits.ts';
import { type Reply, refuse } from '../reply.ts';
import type { Reading, Source } from '../source.ts';
import { readRawValue } from './raw-value.ts';
import { readTag, readToken } from './tag.ts';

const isKeyCharacter = (character: string): boolean => /[^<>\n]/.test(character);

/** Reads `<arg_key>K</arg_key><arg_value>V</arg_value>` pairs up to the container's end, as GLM writes them. */
export function* readArgumentPairs(reply: Reply, toolName: string, mayBeEmpty: boolean): Reading<void> {
  const { source } = reply;
  if (!(yield* source.sees('<arg_key>'))) {
    // Without arguments, the container's end must follow.
    const start = source.hold();
    const tag = yield* readTag(source);
    source.rewind(start);
    if (!mayBeEmpty || tag === undefined || !tag.isClosing) refuse();
    return reply.startCall(toolName).finish();
  }
  const call = reply.startCall(toolName);
  while (yield* source.accept('<arg_key>')) {
    const key = yield* source.readWhile(isKeyCharacter, PARSER_LIMITS.name);
    if (key === undefined || !(yield* source.accept('</arg_key>'))) return call.cut();
    yield* source.skipSpace();
    if (!(yield* source.accept('<arg_value>'))) return call.cut();
    if (!(yield* readRawValue(source, call, key.trim(), { at: '<', closes: closesValue }))) return call.cut();
    yield* source.skipSpace();
  }
  if (source.ranOut && !call.hasRequired) call.cut();
  else call.finish();
}

/** The closer counts where another pair, the container's end or the reply's end follows. */
function* closesValue(source: Source): Reading<boolean> {
  const start = source.hold();
  if (!(yield* source.accept('</arg_value>'))) {
    source.release(start);
    return false;
  }
  const behind = source.hold();
  const next = yield* source.skipSpace(PARSER_LIMITS.space);
  let goesOn = next === '';
  if (next === '<') {
    const tag = yield* readTag(source);
    goesOn =
      tag === undefined
        ? (yield* readToken(source)) !== undefined
        : tag.name === 'arg_key'
          ? !tag.isClosing
          : tag.name.startsWith('tool_call');
  }
  if (goesOn) {
    source.rewind(behind);
    source.release(start);
  } else source.rewind(start);
  return goesOn;
}
