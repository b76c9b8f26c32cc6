import type { CallWriter } from '../call-writer.ts';
import { propertySchema, type Schema, typesOf } from '../coerce.ts';
import {
  ENDS,
  looseValue,
  readArguments,
  readKey,
  readRaw,
  readString,
  skipComment,
  WIDE_ENDS,
} from '../json-reader.ts';
import { closingQuote, isQuote, isWide, narrow } from '../json-syntax.ts';
import { PARSER_LIMITS } from '../limits.ts';
import { type Reply, refuse } from '../reply.ts';
import type { Reading, Source } from '../source.ts';
import { readArgumentsValue, writeWhole } from './json-arguments.ts';
import { isTelling, KEY_BEGINNINGS, KEYS } from './json-call-keys.ts';
import { readRawBlocks } from './raw-blocks.ts';

/** First keys of a JSON Schema: an object with one of them in place of arguments describes a tool and is not a call. */
const SCHEMA_KEYS = new Set(['type', 'properties', '$schema', 'required', 'additionalProperties']);

/**
 * Reads a JSON list of calls at its bracket: the one in `tool_calls`, or one without an object around it, as Mistral,
 * Granite, Command-R, Nemotron and Phi write it after a marker. `isExplicit`: whether a marker has already announced calls,
 * so that those of unknown tools count, too.
 */
export function* readCallList(reply: Reply, isExplicit: boolean): Reading<void> {
  const { source } = reply;
  source.at++;
  for (let explicit = isExplicit; ; explicit = true) {
    const next = narrow(yield* skipSeparators(reply));
    if (next === ']') {
      if (!explicit && !reply.isCertain) refuse();
      source.at++;
      return;
    }
    if (next !== '{') {
      if (reply.isCertain) return;
      refuse();
    }
    yield* readCallObject(reply, explicit);
  }
}

/**
 * Reads a call, or an object that contains calls (an envelope), at its brace: OpenAI's chat completions `tool_calls`, which
 * the studio's `json` codec asks for, Hermes 2 Pro's `{"name", "arguments"}`, Llama 3's `{"name", "parameters"}`,
 * Command-R's `tool_name`, and the other keys that models drift to. `isExplicit`: whether a marker has already announced
 * calls, so that those of unknown tools count, too. `isSpoken`: whether it is in the middle of a sentence, where only an
 * envelope counts.
 */
export function* readCallObject(reply: Reply, isExplicit: boolean, isSpoken = false): Reading<void> {
  yield* new CallObject(reply, isExplicit, isSpoken).read();
}

function* skipSeparators({ source, isCertain }: Reply): Reading<string> {
  const limit = isCertain ? Number.POSITIVE_INFINITY : PARSER_LIMITS.space;
  let next = yield* source.skipSpace(limit);
  for (;;) {
    if (narrow(next) === ',') source.at++;
    else if ((next !== '/' && next !== '#') || !(yield* skipComment(source))) return next;
    next = yield* source.skipSpace(limit);
  }
}

class CallObject {
  readonly #reply: Reply;
  readonly #source: Source;
  readonly #isSpoken: boolean;
  /** Whether unknown tools count, because this can only be a call. */
  #isExplicit: boolean;
  #name: string | undefined;
  /** Arguments that came before the name. */
  #waiting: { value: unknown } | undefined;
  /**
   * The entries next to the name. If the object has no arguments in a member of their own, those entries that the tool declares
   * are the arguments.
   */
  readonly #beside: [key: string, value: unknown][] = [];
  #isDone = false;
  /** Whether the object is an envelope of calls, so that its `content` is what the model says besides the calls. */
  #isEnvelope = false;
  /** The envelope's `content`, if it stands behind the calls. */
  #textBehind = '';
  /** Characters that end an unquoted value. */
  #ends = ENDS;
  /** The call, between the end of its arguments and its own end. */
  #call: CallWriter | undefined;

  constructor(reply: Reply, isExplicit: boolean, isSpoken: boolean) {
    this.#isSpoken = isSpoken;
    this.#reply = reply;
    this.#source = reply.source;
    this.#isExplicit = isExplicit;
  }

  *read(): Reading<void> {
    this.#source.at++;
    // Models learn double braces from templates that escape braces by doubling them.
    const inner = this.#isExplicit ? yield* this.#source.skipSpace(PARSER_LIMITS.space) : yield* this.#source.peek();
    if (narrow(inner) === '{') this.#source.at++;
    for (;;) {
      const next = yield* skipSeparators(this.#reply);
      if (next === '') return this.#endOfText();
      if (narrow(next) === '}') {
        this.#source.at++;
        return yield* this.#close();
      }
      const start = this.#source.hold();
      const key = yield* this.#readKey();
      const colon = key === undefined ? '' : yield* this.#source.skipSpace(PARSER_LIMITS.space);
      if (key === undefined || colon === '') {
        // After a complete call, a word is not part of it.
        if (this.#isDone && this.#reply.isCertain && /\w/.test(next)) this.#source.rewind(start);
        else this.#source.release(start);
        return this.#endOfText();
      }
      if (narrow(colon) === ':' || colon === '=') this.#source.at++;
      else if (!this.#reply.isCertain) refuse();
      else {
        // The closing brace is missing: this key belongs to an outer object.
        this.#source.rewind(start);
        return yield* this.#close();
      }
      this.#source.release(start);
      this.#ends = isWide(colon) ? WIDE_ENDS : ENDS;
      if ((yield* this.#source.skipSpace()) === '') return this.#endOfText();
      if (!(yield* this.#readValue(key))) return this.#endOfText();
    }
  }

  /**
   * Handles the end of the reply inside the object: a call whose arguments are complete ends, a call of which only the name is
   * known was cut off, and anything less is not a call.
   */
  #endOfText(): void {
    if (!this.#reply.isCertain && !(this.#isExplicit && this.#name !== undefined)) refuse();
    if (this.#call !== undefined) this.#call.finish();
    else if (this.#name !== undefined && !this.#isDone) this.#reply.startCall(this.#name).cut();
  }

  *#close(): Reading<void> {
    if (this.#call !== undefined) return yield* readRawBlocks(this.#source, this.#call);
    if (this.#isDone) return this.#saySo();
    if (this.#name === undefined || !(this.#isExplicit || this.#waiting !== undefined)) {
      // In a fence, one object that is not a call makes the whole fence text.
      if (!this.#reply.isCertain || this.#reply.output.isTentative) refuse();
      return;
    }
    const call = this.#reply.startCall(this.#name);
    if (this.#waiting !== undefined) return writeWhole(call, this.#waiting.value);
    for (const [key, value] of this.#beside) if (call.knows(key) && !call.has(key)) call.value(key, value);
    call.finish();
  }

  /** Emits the envelope's `content`, even if the envelope contains no calls. */
  #saySo(): void {
    const text = this.#reply.textBeforeCalls + this.#textBehind;
    if (text === '') return;
    this.#reply.commit();
    this.#reply.textBeforeCalls = '';
    this.#reply.output.text(text);
  }

  /**
   * Reads a key; undefined if the text ends inside it. As long as the call is not certain, refuses a key that no call can have.
   */
  *#readKey(): Reading<string | undefined> {
    const source = this.#source;
    if (this.#reply.isCertain || (this.#isExplicit && this.#name !== undefined)) return yield* readKey(source);
    const first = yield* source.peek();
    const quote = isQuote(first) ? first : '';
    if (quote !== '') source.at++;
    let key = '';
    for (;;) {
      const character = yield* source.peek();
      if (character === '') return undefined;
      const isKey = /[\w$]/.test(character);
      if (!isKey) {
        if (!KEYS.has(key) && !this.#isToolName(key)) refuse();
        if (quote !== '') source.at++;
        return key;
      }
      key += character;
      source.at++;
      if (!KEY_BEGINNINGS.has(key) && !(this.#isBlank && this.#reply.tools.mayBegin(key))) refuse();
      if (isTelling(key)) this.#reply.markDistinctive();
    }
  }

  /** Whether nothing of the object has been read yet. */
  get #isBlank(): boolean {
    return this.#name === undefined && !this.#isDone && this.#waiting === undefined && this.#beside.length === 0;
  }

  #isToolName(key: string): boolean {
    return this.#isBlank && this.#reply.tools.find(key)?.name === key;
  }

  /**
   * Reads `{"TOOL": {…}}` at its inner brace. A configuration may look like that, so the inner object must have nothing but
   * arguments of the tool, and nothing may stand beside it; otherwise refuses. Returns false if the text ends inside it.
   */
  *#readKeyedArguments(name: string): Reading<boolean> {
    if (this.#isSpoken && !this.#isExplicit) refuse();
    const whole = yield* this.#readWhole();
    if (whole === undefined) return false;
    const { properties = {} } = this.#reply.tools.find(name)?.inputSchema ?? {};
    const keys = Object.keys(Object(whole.value));
    if (keys.length === 0 || !keys.every((key) => Object.hasOwn(properties, key))) refuse();
    if (narrow(yield* this.#source.skipSpace(PARSER_LIMITS.space)) !== '}') refuse();
    this.#name = name;
    this.#waiting = whole;
    return true;
  }

  /** Reads a value; returns whether it was complete. */
  *#readValue(key: string): Reading<boolean> {
    const first = narrow(yield* this.#source.peek());
    if (first === '{' && this.#isToolName(key)) return yield* this.#readKeyedArguments(key);
    const isCompound = first === '{' || first === '[';
    let kind = KEYS.get(key) ?? 'other';
    if (kind === 'function') kind = isCompound ? 'envelope' : 'name';
    if (kind === 'envelope' && isCompound) {
      if (key !== 'function') {
        this.#isExplicit = true;
        this.#isEnvelope = true;
        const content = this.#beside.find(([name]) => name === 'content')?.[1];
        if (!this.#reply.isCertain) this.#reply.textBeforeCalls = visibleText(content);
      }
      if (++this.#reply.envelopes > PARSER_LIMITS.envelopes) refuse();
      if (first === '[') yield* readCallList(this.#reply, this.#isExplicit);
      else yield* readCallObject(this.#reply, this.#isExplicit);
      this.#reply.envelopes--;
      this.#isDone = true;
      return true;
    }
    if (this.#isSpoken && !this.#isExplicit && kind !== 'other') refuse();
    if (kind === 'name' && isQuote(first)) return yield* this.#readName();
    if (kind === 'name' && /[a-z]/i.test(first)) return yield* this.#readBareName();
    if (kind === 'name' && !this.#reply.isCertain) refuse();
    if (kind === 'arguments' && !this.#isDone) return yield* this.#readArguments();
    const whole = yield* this.#readWhole();
    if (whole !== undefined) this.#beside.push([key, whole.value]);
    if (this.#isEnvelope && key === 'content') this.#textBehind = visibleText(whole?.value);
    return whole !== undefined;
  }

  *#readName(): Reading<boolean> {
    const source = this.#source;
    const closing = closingQuote(yield* source.peek());
    source.at++;
    let name = '';
    for (;;) {
      const character = yield* source.peek();
      if (character === '') return false;
      source.at++;
      if (character === closing) break;
      name += character;
      if (this.#reply.isCertain) continue;
      if (this.#isExplicit ? !/^[a-z_][\w./:-]{0,127}$/i.test(name) : !this.#reply.tools.mayBegin(name)) refuse();
      this.#reply.markDistinctive('name');
    }
    if (!this.#isExplicit && !this.#reply.isCertain && this.#reply.tools.find(name) === undefined) refuse();
    if (name === '') return true;
    this.#name = name;
    return true;
  }

  /**
   * Reads an unquoted name, which counts only if a tool has it; otherwise refuses, unless the call is certain. Returns false if
   * the text ends inside it.
   */
  *#readBareName(): Reading<boolean> {
    const name = yield* this.#source.readWhile((character) => /[\w.-]/.test(character), PARSER_LIMITS.name);
    if (name === undefined) return false;
    if (this.#reply.tools.find(name) !== undefined) this.#name = name;
    else if (!this.#reply.isCertain) refuse();
    return true;
  }

  *#readArguments(): Reading<boolean> {
    const reply = this.#reply;
    if (yield* this.#describesATool()) refuse();
    if (this.#name === undefined) {
      // The name follows later, or never.
      if (this.#isExplicit) reply.commit();
      const whole = yield* this.#readWhole();
      this.#waiting = whole;
      return whole !== undefined;
    }
    if (!reply.isCertain && !this.#isExplicit) {
      if (yield* this.#isPlaceholder()) refuse();
      reply.markDistinctive();
      if (!(yield* this.#mayBeArguments())) refuse();
    }
    this.#isDone = true;
    if (narrow(yield* this.#source.peek()) !== '{') {
      yield* readArgumentsValue(reply, this.#name, this.#ends);
      return true;
    }
    const call = reply.startCall(this.#name);
    if (!(yield* readArguments(this.#source, call))) {
      call.cut();
      return false;
    }
    this.#call = call;
    return true;
  }

  /**
   * Checks whether an object in the place of arguments is a JSON Schema, so that the object around it describes a tool and is
   * not a call.
   */
  *#describesATool(): Reading<boolean> {
    const source = this.#source;
    if (this.#reply.isCertain || narrow(yield* source.peek()) !== '{') return false;
    const start = source.hold();
    source.at++;
    yield* source.skipSpace(PARSER_LIMITS.space);
    const key = yield* readKey(source);
    let isSchema = key !== undefined && SCHEMA_KEYS.has(key);
    if (isSchema && key === 'type') {
      if (narrow(yield* source.skipSpace(PARSER_LIMITS.space)) === ':') source.at++;
      yield* source.skipSpace(PARSER_LIMITS.space);
      isSchema = (yield* source.accept('"object"')) || (yield* source.accept("'object'"));
    }
    const isMember = !isSchema && key !== undefined && (yield* this.#isPropertySchema());
    source.rewind(start);
    const tool = this.#name === undefined ? undefined : this.#reply.tools.find(this.#name);
    if (isMember) return typesOf(propertySchema(tool?.inputSchema as Schema, key, {}), {}).has('string');
    return isSchema && !Object.hasOwn(tool?.inputSchema.properties ?? {}, key ?? '');
  }

  /** Checks, after a key, whether an object follows that declares a type. */
  *#isPropertySchema(): Reading<boolean> {
    const source = this.#source;
    for (const character of [':', '{']) {
      if (narrow(yield* source.skipSpace(PARSER_LIMITS.space)) !== character) return false;
      source.at++;
    }
    yield* source.skipSpace(PARSER_LIMITS.space);
    return (yield* source.accept('"type"')) || (yield* source.accept('"description"'));
  }

  /** Checks whether dots, or a word in angle brackets, take the place of arguments, as in an example. */
  *#isPlaceholder(): Reading<boolean> {
    const source = this.#source;
    const start = source.hold();
    let next = yield* source.peek();
    while (narrow(next) === '{' || isQuote(next)) {
      source.at++;
      next = yield* source.skipSpace(PARSER_LIMITS.space);
    }
    source.rewind(start);
    return next === '.' || next === '…' || next === '<';
  }

  /** Checks whether the text here looks like arguments: an object, plain or as a string, or null. */
  *#mayBeArguments(): Reading<boolean> {
    const source = this.#source;
    const first = narrow(yield* source.peek());
    if (first === '{' || first === 'n' || first === 'N') return true;
    if (!isQuote(first)) return false;
    const start = source.hold();
    source.at++;
    const inner = yield* source.skipSpace(PARSER_LIMITS.space);
    source.rewind(start);
    return narrow(inner) === '{' || inner === first || inner === '\\';
  }

  /** Reads a complete value, without streaming it; undefined if the text ends inside it. */
  *#readWhole(): Reading<{ value: unknown } | undefined> {
    const first = yield* this.#source.peek();
    if (!isQuote(first)) {
      const raw = yield* readRaw(this.#source, this.#ends);
      return raw === undefined ? undefined : { value: looseValue(raw) };
    }
    const pieces: string[] = [];
    const isClosed = yield* readString(this.#source, (piece) => pieces.push(piece));
    return isClosed ? { value: pieces.join('') } : undefined;
  }
}

/** The text of a message's `content`, which is a string or a list of parts. */
function visibleText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  const texts = content.map((part: unknown) =>
    typeof part === 'object' && part !== null && 'text' in part ? part.text : undefined,
  );
  return texts.filter((text) => typeof text === 'string').join('');
}
