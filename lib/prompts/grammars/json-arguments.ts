import type { CallWriter } from '../call-writer.ts';
import { parseLoosely } from '../coerce.ts';
import { ENDS, looseValue, readArguments, readRaw, StringSource } from '../json-reader.ts';
import { isQuote, narrow } from '../json-syntax.ts';
import { PARSER_LIMITS } from '../limits.ts';
import type { Reply } from '../reply.ts';
import type { Reading, Source } from '../source.ts';

/**
 * Writes a call of the tool `name`, whose arguments it reads at their first character: an object, nothing, or a string that
 * contains the object as JSON, as in OpenAI's chat completions. `ends`: the characters that end an unquoted value.
 */
export function* readArgumentsValue(reply: Reply, name: string, ends = ENDS): Reading<void> {
  const { source } = reply;
  const first = yield* source.peek();
  if (narrow(first) === '{') return yield* readObject(source, reply.startCall(name));
  if (isQuote(first)) return yield* readArgumentsText(reply, source, name);
  const raw = yield* readRaw(source, ends);
  if (raw === undefined) reply.startCall(name).cut();
  else writeWhole(reply.startCall(name), looseValue(raw));
}

function* readObject(source: Source, call: CallWriter): Reading<void> {
  if (yield* readArguments(source, call)) call.finish();
  else call.cut();
}

/**
 * Reads arguments as JSON text, at its opening quote. Some models put the object between the quotes without escaping
 * it.
 */
function* readArgumentsText(reply: Reply, source: Source, name: string): Reading<void> {
  const opening = yield* source.peek();
  if (yield* isUnescapedObject(source, opening)) {
    source.at++;
    yield* source.skipSpace();
    yield* readObject(source, reply.startCall(name));
    if ((yield* source.skipSpace()) === opening) source.at++;
    return;
  }
  source.at++;
  const text = new StringSource(source, opening);
  const call = reply.startCall(name);
  yield* readText(text, call, 0);
}

const MAX_ENCODINGS = 3;

function* readText(text: StringSource, call: CallWriter, encodings: number): Reading<void> {
  const first = yield* text.skipSpace();
  if (narrow(first) === '{') {
    const isClosed = yield* readArguments(text, call);
    yield* text.finish();
    // A missing brace does no harm if the text itself was closed.
    if (isClosed || !text.ranOut) call.finish();
    else call.cut();
  } else if (isQuote(first) && encodings < MAX_ENCODINGS) {
    text.at++;
    yield* readText(new StringSource(text, first), call, encodings + 1);
    yield* text.finish();
  } else {
    const pieces: string[] = [];
    do {
      pieces.push(text.text.slice(text.at));
      text.at = text.text.length;
    } while ((yield* text.peek()) !== '');
    if (text.ranOut) call.cut();
    else writeWhole(call, pieces.join('').trim() === '' ? null : looseValue(pieces.join('')));
  }
}

function* isUnescapedObject(source: Source, opening: string): Reading<boolean> {
  const start = source.hold();
  source.at++;
  let isUnescaped = narrow(yield* source.skipSpace(PARSER_LIMITS.space)) === '{';
  if (isUnescaped) {
    source.at++;
    isUnescaped = (yield* source.skipSpace(PARSER_LIMITS.space)) === opening;
  }
  source.rewind(start);
  return isUnescaped;
}

/**
 * Writes all arguments of a call, from an object or its JSON text, and ends the call. Null and an empty list count as no
 * arguments; any other value is passed on as text, which fits no schema, so that the call fails.
 */
export function writeWhole(call: CallWriter, value: unknown): void {
  const object = typeof value === 'string' ? (parseLoosely(value) ?? value) : value;
  const isNothing = object === null || object === undefined || (Array.isArray(object) && object.length === 0);
  if (!isNothing && (typeof object !== 'object' || Array.isArray(object))) {
    call.fail(typeof object === 'string' ? object : JSON.stringify(object));
    return;
  }
  for (const [key, entry] of Object.entries(object ?? {})) call.value(key, entry);
  call.finish();
}
