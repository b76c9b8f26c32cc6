import type { CallWriter } from '../call-writer.ts';
import { looseValue, readArguments, readCode, readRaw, readText } from '../json-reader.ts';
import { PARSER_LIMITS } from '../limits.ts';
import { type Reply, refuse } from '../reply.ts';
import type { Reading, Source } from '../source.ts';

const isNameCharacter = (character: string): boolean => /[\w.]/.test(character);

/**
 * Reads a list of calls such as `[N(K=V), M()]` at its bracket: the format of the Berkeley Function-Calling Leaderboard's
 * prompts, also that of Llama 4, LFM2 and Google's prompts for Gemma 3. Unless a marker has announced calls (`isExplicit`),
 * the first tool must be known.
 */
export function* readPythonList(reply: Reply, isExplicit: boolean): Reading<void> {
  const { source } = reply;
  source.at++;
  yield* source.skipSpace(PARSER_LIMITS.space);
  yield* readPythonCall(reply, isExplicit);
  for (;;) {
    const next = yield* source.skipSpace();
    if (next === ',') source.at++;
    else if (next === ']') {
      source.at++;
      return;
    } else if (next === '' || !(yield* reply.attempt(readPythonCall(reply, true)))) return;
  }
}

/**
 * Reads a single call in the form of Python, `N(K=V)`, at its name. `isExplicit`: whether a marker has already announced
 * calls, so that a call of an unknown tool counts, too.
 */
export function* readPythonCall(reply: Reply, isExplicit: boolean): Reading<void> {
  const { source } = reply;
  let name = '';
  for (;;) {
    const character = yield* source.peek();
    if (character === '') refuse();
    if (!isNameCharacter(character)) break;
    name += character;
    source.at++;
    if (!isExplicit && !reply.isCertain && !reply.tools.mayBegin(name)) refuse();
    if (name.length > PARSER_LIMITS.name) refuse();
  }
  if (!isExplicit && reply.tools.find(name) === undefined) refuse();
  if ((yield* source.peek()) !== '(') refuse();
  reply.markDistinctive();
  yield* readPythonCallRest(reply, name, isExplicit);
}

/**
 * Reads the arguments of a call in the form of Python at its parenthesis, an object or one by one, and writes the call.
 * Arguments without a name are taken in the schema's order. Unless `isExplicit`, the first one must have a name, or be the
 * text of the only required argument. `written`: the tool's name, to which Llama 3.1 adds `.call` for its built-in tools.
 */
export function* readPythonCallRest(reply: Reply, written: string, isExplicit = true): Reading<void> {
  const { source } = reply;
  const name = written.replace(/\.call$/, '');
  source.at++;
  const first = yield* source.skipSpace(PARSER_LIMITS.space);
  const properties = Object.keys(reply.tools.find(name)?.inputSchema.properties ?? {});
  const takesOne = reply.tools.find(name)?.inputSchema.required?.length === 1;
  const isText = first === '"' || first === "'";
  const isObject = first === '{';
  if (!isExplicit && first !== ')' && !isObject && !(isText && takesOne) && !(yield* isKeyHere(source))) refuse();
  const call = reply.startCall(name);
  if (isObject) return yield* readObjectRest(source, call);
  for (let index = 0; ; index++) {
    const next = yield* source.skipSpace();
    if (next === '') return call.cut();
    if (next === ',') {
      source.at++;
      index--;
      continue;
    }
    if (next === ')') {
      source.at++;
      return call.finish();
    }
    const key = (yield* isKeyHere(source)) ? yield* readKey(source) : properties[index];
    if (key === undefined) {
      if ((yield* readRaw(source, ',)')) === undefined) return call.cut();
      continue;
    }
    if (!(yield* readValue(source, call, key))) return call.cut();
  }
}

/** Reads `{K: V})`, as the studio shows signatures, at the brace, and ends the call. */
function* readObjectRest(source: Source, call: CallWriter): Reading<void> {
  if (!(yield* readArguments(source, call))) return call.cut();
  if ((yield* source.skipSpace(PARSER_LIMITS.space)) === ')') source.at++;
  call.finish();
}

function* isKeyHere(source: Source): Reading<boolean> {
  const start = source.hold();
  const key = yield* source.readWhile((character) => /\w/.test(character), PARSER_LIMITS.name);
  const isKey = key !== undefined && /^[a-z_]/i.test(key) && (yield* source.skipSpace(PARSER_LIMITS.space)) === '=';
  source.rewind(start);
  return isKey;
}

function* readKey(source: Source): Reading<string> {
  const key = yield* source.readWhile((character) => /\w/.test(character), PARSER_LIMITS.name);
  yield* source.skipSpace();
  source.at++;
  return key ?? '';
}

/**
 * Reads the value of an argument: text is streamed as it arrives, other literals are written once complete, and anything else,
 * such as a variable, is left out. Returns false if the reply ends inside it.
 */
function* readValue(source: Source, call: CallWriter, key: string): Reading<boolean> {
  yield* source.skipSpace();
  const string = yield* readStringOpening(source);
  if (string === undefined) {
    const raw = yield* readRaw(source, ',)');
    if (raw === undefined) return false;
    if (isLiteral(raw)) call.value(key, pythonValue(raw));
    return true;
  }
  return yield* readText(call, key, (write) => readStrings(source, string, write));
}

/** Reads a string, and the strings concatenated to it. */
function* readStrings(source: Source, first: StringOpening, write: (piece: string) => void): Reading<boolean> {
  for (let string: StringOpening | undefined = first; string !== undefined; string = yield* readNextString(source))
    if (!(yield* readString(source, string, write))) return false;
  return true;
}

/**
 * Reads the opening of a string that directly follows another one, or follows a plus sign; undefined, with nothing read, if
 * none does.
 */
function* readNextString(source: Source): Reading<StringOpening | undefined> {
  const start = source.hold();
  if ((yield* source.skipSpace(PARSER_LIMITS.space)) === '+') {
    source.at++;
    yield* source.skipSpace(PARSER_LIMITS.space);
  }
  const opening = yield* readStringOpening(source);
  if (opening === undefined) source.rewind(start);
  else source.release(start);
  return opening;
}

interface StringOpening {
  closing: string;
  isRaw: boolean;
}

function* readStringOpening(source: Source): Reading<StringOpening | undefined> {
  const start = source.hold();
  const prefix = yield* source.readWhile((character) => /[rbfu]/i.test(character), 2);
  const quote = yield* source.peek();
  if (prefix === undefined || (quote !== '"' && quote !== "'")) {
    source.rewind(start);
    return undefined;
  }
  source.release(start);
  const isTriple = yield* source.accept(quote.repeat(3));
  if (!isTriple) source.at++;
  return { closing: isTriple ? quote.repeat(3) : quote, isRaw: /r/i.test(prefix) };
}

function* readString(source: Source, opening: StringOpening, write: (piece: string) => void): Reading<boolean> {
  const { closing, isRaw } = opening;
  for (;;) {
    const { text } = source;
    const from = source.at;
    let at = from;
    while (at < text.length && text.charAt(at) !== closing.charAt(0) && text.charAt(at) !== '\\') at++;
    if (at > from) write(text.slice(from, at));
    source.at = at;
    const next = yield* source.peek();
    if (next === '') return false;
    if (next === '\\') {
      const escaped = yield* readEscape(source, isRaw);
      if (escaped === undefined) return false;
      write(escaped);
    } else if (next === closing.charAt(0)) {
      if (yield* source.accept(closing)) return true;
      write(next);
      source.at++;
    }
  }
}

const ESCAPES = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
  ['v', '\v'],
  ['a', '\x07'],
  ['0', '\0'],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
  ['\n', ''],
]);
const HEX_LENGTHS = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
]);

function* readEscape(source: Source, isRaw: boolean): Reading<string | undefined> {
  source.at++;
  const letter = yield* source.peek();
  if (letter === '') return undefined;
  source.at++;
  if (isRaw) return `\\${letter}`;
  const length = HEX_LENGTHS.get(letter);
  if (length === undefined) return ESCAPES.get(letter) ?? `\\${letter}`;
  return yield* readCode(source, letter, length);
}

/** Checks whether a raw value is present and is not a reference to a variable or a function. */
const isLiteral = (raw: string): boolean =>
  raw.trim() !== '' && !/^(?!(true|false|none|null)\s*$)[a-z_]\w*(\s*[.(]|\s*$)/i.test(raw.trim());

/** The value of an unquoted Python literal; a tuple becomes a list. */
function pythonValue(raw: string): unknown {
  const text = raw.trim();
  return looseValue(text.startsWith('(') && text.endsWith(')') ? `[${text.slice(1, -1)}]` : text);
}
