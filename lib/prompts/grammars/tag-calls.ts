import type { CallWriter } from '../call-writer.ts';
import { readArguments, readKey } from '../json-reader.ts';
import { PARSER_LIMITS } from '../limits.ts';
import { type Reply, refuse } from '../reply.ts';
import type { Reading, Source } from '../source.ts';
import { readRawValue } from './raw-value.ts';
import { onlyClosersFollow, readTag, readToken, type Tag } from './tag.ts';

/** Tags around calls, which say themselves that calls follow. */
const CONTAINERS = new Set([
  'tool_call',
  'tool_calls',
  'toolcall',
  'toolcalls',
  'function_call',
  'function_calls',
  'calls',
  'tools',
  'functioncall',
  'tool_use',
]);
/** Tags that name a call's tool in an attribute. */
const NAMED = new Set(['tool', 'tool_call', 'function', 'function_call', 'invoke', 'call', 'tool_use']);
const PARAMETER_TAGS = new Set(['parameter', 'param', 'arg', 'argument']);

/** Whether such a closing tag belongs to a call's surroundings. */
export const closesCalls = (reply: Reply, { name }: Tag): boolean =>
  CONTAINERS.has(name) ||
  NAMED.has(name) ||
  PARAMETER_TAGS.has(name) ||
  ['arg_key', 'arg_value', 'arguments', 'name'].includes(name) ||
  reply.tools.find(name) !== undefined;

/** Reads what a tag begins: a container, whose calls `readItems` reads, or one call. `mayBeNamed`: even one by its tool's name alone. */
export function* readTagCalls(
  reply: Reply,
  readItems: (reply: Reply) => Reading<void>,
  mayBeNamed = true,
): Reading<void> {
  const tag = yield* readTag(reply.source);
  if (tag === undefined || tag.isClosing) return refuse();
  const toolName = tag.value ?? tag.attributes.get('name') ?? tag.attributes.get('tool');
  if (toolName !== undefined && reply.tools.isPlaceholder(toolName)) return refuse();
  if (NAMED.has(tag.name) && toolName !== undefined && (tag.name === 'function' || tag.value === undefined)) {
    if (tag.isEmpty) return reply.tools.find(toolName) === undefined ? refuse() : reply.startCall(toolName).finish();
    reply.markDistinctive();
    return yield* readBlock(reply, tag, toolName);
  }
  if (CONTAINERS.has(tag.name)) {
    reply.markDistinctive();
    return yield* readItems(reply);
  }
  const tool = reply.tools.find(tag.name);
  if (!mayBeNamed || tool === undefined) return refuse();
  if (!tag.isEmpty) return yield* readBlock(reply, tag, tag.name);
  if (!(tool.inputSchema.required ?? []).every((key) => tag.attributes.has(key))) refuse();
  if (!['', '\n', '\r'].includes(yield* reply.source.peek())) refuse();
  const call = reply.startCall(tag.name);
  for (const [key, value] of tag.attributes) call.value(key, value);
  call.finish();
}

/** The arguments of a call whose opening tag was read: tags, or a JSON object. */
function* readBlock(reply: Reply, opening: Tag, toolName: string): Reading<void> {
  const { source } = reply;
  const isNamedByTag = opening.name === toolName;
  if (!/^[\w./:-]+$/.test(toolName)) refuse();
  const next = yield* source.skipSpace(PARSER_LIMITS.space);
  if (next === '{') {
    if (isNamedByTag && !(yield* beginsLikeArguments(reply, toolName))) refuse();
    const call = reply.startCall(toolName);
    if (yield* readArguments(source, call)) call.finish();
    else call.cut();
    return;
  }
  if (next !== '<') refuse();
  const block = new Block(reply, opening, toolName, isNamedByTag);
  yield* block.read();
}

/** Whether an object's first key is one of the tool's arguments. */
function* beginsLikeArguments(reply: Reply, toolName: string): Reading<boolean> {
  const { source } = reply;
  const start = source.hold();
  source.at++;
  yield* source.skipSpace(PARSER_LIMITS.space);
  const key = yield* readKey(source);
  source.rewind(start);
  return key !== undefined && Object.hasOwn(reply.tools.find(toolName)?.inputSchema.properties ?? {}, key);
}

class Block {
  readonly #reply: Reply;
  readonly #source: Source;
  readonly #opening: Tag;
  readonly #toolName: string;
  readonly #isNamedByTag: boolean;
  #call: CallWriter | undefined;
  /** Elements of the argument's own tag that its value holds, and has not closed. */
  #inner = 0;
  /** Whether the value that ended last had no closer of its own. */
  #isForgotten = false;
  /** The tag of an argument that the tool does not name, where one was found to follow. */
  #undeclared: string | undefined;
  /** Calls of this very form that the value being read quotes, and has not closed. */
  #quoted = 0;

  constructor(reply: Reply, opening: Tag, toolName: string, isNamedByTag: boolean) {
    this.#reply = reply;
    this.#source = reply.source;
    this.#opening = opening;
    this.#toolName = toolName;
    this.#isNamedByTag = isNamedByTag;
  }

  *read(): Reading<void> {
    for (;;) {
      const next = yield* this.#source.skipSpace(
        this.#reply.isCertain ? Number.POSITIVE_INFINITY : PARSER_LIMITS.space,
      );
      if (next !== '<') return this.#endEarly(next);
      const before = this.#source.hold();
      const tag = yield* readTag(this.#source);
      if (tag === undefined) {
        this.#source.release(before);
        const { ranOut } = this.#reply.source;
        // The reply was cut in the tag of another argument.
        if (ranOut && this.#reply.isCertain && /^<[a-z]/i.test(this.#source.text.slice(this.#source.at)))
          return this.#begin().cut();
        return this.#endEarly(ranOut ? '' : '<');
      }
      if (tag.isClosing && tag.name === this.#opening.name) {
        this.#source.release(before);
        if (this.#isNamedByTag && this.#call === undefined && this.#needsArguments) refuse();
        return this.#begin().finish();
      }
      if (tag.isClosing && CONTAINERS.has(tag.name) && !this.#isNamedByTag) this.#begin();
      const key = tag.isClosing ? undefined : this.#keyOf(tag);
      if (key === undefined) {
        // Its own closer is missing.
        this.#source.rewind(before);
        return this.#endEarly('<');
      }
      this.#source.release(before);
      const call = this.#begin();
      this.#quoted = 0;
      this.#inner = 0;
      const isText = tag.attributes.get('string') !== 'false';
      const isForgotten = () => this.#isForgotten;
      const end = { at: '<', isText, isForgotten, closes: (source: Source) => this.#closesValue(source, tag) } as const;
      if (!(yield* readRawValue(this.#source, call, key, end))) return call.cut();
    }
  }

  get #needsArguments(): boolean {
    return (this.#reply.tools.find(this.#toolName)?.inputSchema.required ?? []).length > 0;
  }

  #begin(): CallWriter {
    this.#call ??= this.#reply.startCall(this.#toolName);
    return this.#call;
  }

  /** There is no tag of the call where one should be: what is there may do, or not. */
  #endEarly(next: string): void {
    if (!this.#reply.isCertain) refuse();
    const call = this.#begin();
    if (next === '' && !call.hasRequired) call.cut();
    else call.finish();
  }

  /** The argument that a tag begins; undefined for a tag that begins none. */
  #keyOf({ name, value, attributes }: Tag): string | undefined {
    const properties = this.#reply.tools.find(this.#toolName)?.inputSchema.properties;
    const written = PARAMETER_TAGS.has(name) ? (value ?? attributes.get('name') ?? attributes.get('key')) : name;
    const known = Object.keys(properties ?? {}).find((key) => key.toLowerCase() === written?.toLowerCase());
    if (known !== undefined || PARAMETER_TAGS.has(name)) return known ?? written;
    return name === this.#undeclared || (properties === undefined && !this.#isNamedByTag) ? name : undefined;
  }

  /** Whether the value of an argument ends at a `<`: a closer counts only where the call can go on behind it. */
  *#closesValue(source: Source, parameter: Tag): Reading<boolean> {
    const start = source.hold();
    const tag = yield* readTag(source);
    if (tag !== undefined && (yield* this.#quotes(source, tag))) {
      source.rewind(start);
      return false;
    }
    if (tag !== undefined) {
      if (tag.isClosing && tag.name === parameter.name && (yield* this.#goesOn())) {
        source.release(start);
        this.#isForgotten = false;
        return true;
      }
      // Closers that were forgotten: the call's own, or the next argument, stands where this one's should.
      const endsCall = tag.isClosing && tag.name === this.#opening.name && (yield* this.#isOver());
      const isSpeltAlike = (tag.value === undefined) === (parameter.value === undefined);
      const key = tag.isClosing || !PARAMETER_TAGS.has(tag.name) ? undefined : this.#keyOf(tag);
      if (
        this.#quoted === 0 &&
        (endsCall || (key !== undefined && isSpeltAlike && this.#begin().knows(key) && !this.#begin().has(key)))
      ) {
        source.rewind(start);
        this.#isForgotten = true;
        return true;
      }
      if (tag.name === parameter.name)
        this.#inner = Math.max(0, this.#inner + (tag.isClosing ? -1 : tag.isEmpty ? 0 : 1));
    }
    source.rewind(start);
    return false;
  }

  /** Whether a tag opens or closes a call that the value quotes. */
  *#quotes(source: Source, { name, isClosing, isEmpty }: Tag): Reading<boolean> {
    if (name !== this.#opening.name || isEmpty) return false;
    if (isClosing) return this.#quoted > 0 && this.#quoted-- > 0;
    const start = source.hold();
    const first = (yield* source.skipSpace(PARSER_LIMITS.space)) === '<' ? yield* readTag(source) : undefined;
    source.rewind(start);
    // A tag that is only named has no argument behind it.
    const isCall = first?.isClosing === false && (this.#isNamedByTag || PARAMETER_TAGS.has(first.name));
    if (isCall) this.#quoted++;
    return isCall;
  }

  /** Behind an argument's closer: whether another argument, the call's end or the reply's end follows. */
  *#goesOn(): Reading<boolean> {
    const source = this.#source;
    const start = source.hold();
    // Inside a quoted call every closer has its twin, and only the last ones of the reply are this call's own.
    const goesOn =
      this.#quoted > 0
        ? yield* onlyClosersFollow(source, ({ name }) => name === this.#opening.name || CONTAINERS.has(name))
        : yield* this.#canGoOn();
    source.rewind(start);
    return goesOn;
  }

  *#canGoOn(): Reading<boolean> {
    const source = this.#source;
    const next = yield* source.skipSpace(PARSER_LIMITS.space);
    if (next === '') return true;
    if (next !== '<') return false;
    const tag = yield* readTag(source);
    if (tag === undefined) return (yield* readToken(source)) !== undefined || this.#reply.source.ranOut;
    if (tag.isClosing) {
      if (tag.name !== this.#opening.name && !CONTAINERS.has(tag.name)) return false;
      return this.#reply.isInProse || (yield* this.#endsLine());
    }
    const beginsCall = NAMED.has(tag.name) && (tag.value ?? tag.attributes.get('name')) !== undefined;
    if (CONTAINERS.has(tag.name) || beginsCall) return this.#begin().hasRequired;
    const key = this.#keyOf(tag);
    const call = this.#begin();
    if (key !== undefined && call.has(key)) return false;
    if (key !== undefined && (call.knows(key) || this.#takesAnything)) return true;
    // An argument that the tool does not have, unless it is one of the elements that the value holds.
    if (this.#inner > 0) return false;
    return key === undefined ? yield* this.#isUndeclaredArgument(tag) : /^[a-z_][\w.-]*$/i.test(key);
  }

  /** Behind closers: whether they end their line, as a call's own do. */
  *#endsLine(): Reading<boolean> {
    const source = this.#source;
    for (;;) {
      yield* source.readWhile((character) => character === ' ' || character === '\t', PARSER_LIMITS.space);
      const next = yield* source.peek();
      if (next !== '<') return next === '' || next === '\n' || next === '\r';
      const tag = yield* readTag(source);
      if (tag?.isClosing !== true) return true;
    }
  }

  /** Whether any argument may follow: the tool is not known, or says nothing of its arguments. */
  get #takesAnything(): boolean {
    return this.#reply.tools.find(this.#toolName)?.inputSchema.properties === undefined;
  }

  /** Behind a tag that the tool does not name: whether it holds a short text, and the call goes on or ends behind it. */
  *#isUndeclaredArgument(tag: Tag): Reading<boolean> {
    const source = this.#source;
    if (!this.#isNamedByTag || tag.isEmpty || tag.attributes.size > 0 || tag.value !== undefined) return false;
    const text = yield* source.readWhile((character) => character !== '<', PARSER_LIMITS.undeclared);
    const closer = text === undefined ? undefined : yield* readTag(source);
    if (closer?.isClosing !== true || closer.name !== tag.name) return false;
    if ((yield* source.skipSpace(PARSER_LIMITS.space)) !== '<') return false;
    const next = yield* readTag(source);
    const goesOn =
      next?.isClosing === true
        ? next.name === this.#opening.name
        : next !== undefined && this.#begin().knows(this.#keyOf(next) ?? '');
    if (goesOn) this.#undeclared = tag.name;
    return goesOn;
  }

  /** Behind the call's closer: whether the reply ends, or only other calls follow. */
  *#isOver(): Reading<boolean> {
    const source = this.#source;
    const start = source.hold();
    const isOver = yield* onlyClosersFollow(
      source,
      ({ name }) => CONTAINERS.has(name),
      ({ name }) => CONTAINERS.has(name) || NAMED.has(name),
    );
    source.rewind(start);
    return isOver;
  }
}
