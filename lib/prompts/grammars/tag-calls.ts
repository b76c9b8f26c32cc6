// More than 400 lines: one form in all its variants, whose parts read the same block.
import type { CallWriter } from '../call-writer.ts';
import { readArguments, readKey } from '../json-reader.ts';
import { PARSER_LIMITS } from '../limits.ts';
import { type Reply, refuse } from '../reply.ts';
import type { Reading, Source } from '../source.ts';
import { CONTAINERS, GROUPS, NAME_TAGS, NAMED, NAMED_INSIDE, PARAMETER_TAGS } from './call-tags.ts';
import { readRawValue } from './raw-value.ts';
import { onlyClosersFollow, readTag, readToken, type Tag, withoutEntities } from './tag.ts';

/**
 * Reads a tag, and the call or the container of calls that it begins. `readItems`: reads the calls of a container.
 * `mayBeNamed`: whether the tag may be a tool's name.
 *
 * The containers are those of Hermes 2 Pro's function-calling format (Nous Research), also the template of Qwen 2.5 and 3,
 * of GLM 4.5, Nemotron, MiniMax, Seed-OSS and DeepSeek V3.2. Calls are Qwen3-Coder's `<function=N><parameter=K>`,
 * Anthropic's `<invoke name="N"><parameter name="K">`, Cline's and Roo Code's `<N><K>`, and what models drift to: attributes
 * on other tags, and a tool's name in an element.
 */
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
  if (NAMED_INSIDE.has(tag.name) && !tag.isEmpty) {
    const innerName = yield* readInnerName(reply);
    if (innerName !== undefined) return yield* readBlock(reply, tag, innerName);
  }
  if (CONTAINERS.has(tag.name)) {
    reply.markDistinctive();
    return yield* readItems(reply);
  }
  if (mayBeNamed && tag.name === 'tool_name') return yield* readNameAndGroup(reply, tag);
  const tool = reply.tools.find(tag.name);
  if (!mayBeNamed || tool === undefined) return refuse();
  if (!tag.isEmpty) return yield* readBlock(reply, tag, tag.name);
  if (!(tool.inputSchema.required ?? []).every((key) => tag.attributes.has(key))) refuse();
  if (!['', '\n', '\r'].includes(yield* reply.source.peek())) refuse();
  const call = reply.startCall(tag.name);
  for (const [key, value] of tag.attributes) call.value(key, withoutEntities(value));
  call.finish();
}

/** Reads the tool's name from an element inside a call; undefined, with nothing read, if there is none. */
function* readInnerName(reply: Reply): Reading<string | undefined> {
  const { source } = reply;
  const start = source.hold();
  for (;;) {
    const tag = (yield* source.skipSpace(PARSER_LIMITS.space)) === '<' ? yield* readTag(source) : undefined;
    const isName = tag !== undefined && NAME_TAGS.has(tag.name);
    if (tag === undefined || tag.isClosing || (!isName && tag.name !== 'server_name')) break;
    if (tag.name !== 'name') reply.markDistinctive();
    const text = yield* readElementText(source, tag);
    if (text === undefined) break;
    if (!isName) continue;
    if (reply.tools.isPlaceholder(text) || (tag.name === 'name' && reply.tools.find(text) === undefined)) break;
    source.release(start);
    return text;
  }
  source.rewind(start);
  return undefined;
}

/**
 * Reads a short text after the opening tag of its element, and the closing tag. Undefined if the element contains anything
 * else.
 */
function* readElementText(source: Source, { name }: Tag): Reading<string | undefined> {
  const text = yield* source.readWhile((character) => !/[<\n]/.test(character), PARSER_LIMITS.name);
  const closer = text === undefined || (yield* source.peek()) === '' ? undefined : yield* readTag(source);
  return closer?.isClosing === true && closer.name === name ? text?.trim() : undefined;
}

/** Reads a tool's name in one element, and its arguments in the next one. */
function* readNameAndGroup(reply: Reply, opening: Tag): Reading<void> {
  const { source } = reply;
  const toolName = yield* readElementText(source, opening);
  if (toolName === undefined || reply.tools.find(toolName) === undefined) return refuse();
  reply.markDistinctive();
  const group = (yield* source.skipSpace(PARSER_LIMITS.space)) === '<' ? yield* readTag(source) : undefined;
  if (group === undefined || group.isClosing || !GROUPS.has(group.name)) return refuse();
  yield* readBlock(reply, group, toolName);
}

/** Reads the arguments of a call after its opening tag: tags, or a JSON object. */
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

/** Checks whether an object's first key is one of the tool's arguments. */
function* beginsLikeArguments(reply: Reply, toolName: string): Reading<boolean> {
  const { source } = reply;
  const start = source.hold();
  source.at++;
  yield* source.skipSpace(PARSER_LIMITS.space);
  const key = yield* readKey(source);
  source.rewind(start);
  return key !== undefined && Object.hasOwn(reply.tools.find(toolName)?.inputSchema.properties ?? {}, key);
}

/** Checks whether a tag begins an argument without saying which. */
const isNameless = ({ name, value, attributes }: Tag): boolean =>
  PARAMETER_TAGS.has(name) && value === undefined && !attributes.has('name') && !attributes.has('key');

class Block {
  readonly #reply: Reply;
  readonly #source: Source;
  readonly #opening: Tag;
  readonly #toolName: string;
  readonly #isNamedByTag: boolean;
  #call: CallWriter | undefined;
  /** Number of open elements inside the value that have the argument's own tag. */
  #inner = 0;
  /** Whether the last value had no closing tag of its own. */
  #isForgotten = false;
  /** The name of a tag that begins an argument although the tool does not declare it (`#isUndeclaredArgument`). */
  #undeclared: string | undefined;
  /** The open groups at the current position. */
  readonly #groups: string[] = [];
  /** Whether the reply ended inside a group's JSON. */
  #isCut = false;
  /** Whether an argument without a name was read. */
  #hasNameless = false;
  /** Number of open calls of the same form that the current value quotes. */
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
        // The reply was cut off in the tag of another argument.
        if (ranOut && this.#reply.isCertain && /^<[a-z]/i.test(this.#source.text.slice(this.#source.at)))
          return this.#begin().cut();
        return this.#endEarly(ranOut ? '' : '<');
      }
      if (tag.isClosing && tag.name === this.#opening.name) {
        this.#source.release(before);
        if (this.#isNamedByTag && this.#call === undefined && this.#needsArguments) refuse();
        return this.#begin().finish();
      }
      if (yield* this.#readGroupTag(tag)) {
        this.#source.release(before);
        if (!this.#isCut) continue;
        return this.#begin().cut();
      }
      if (tag.isClosing && CONTAINERS.has(tag.name) && !this.#isNamedByTag) this.#begin();
      if (this.#readAttributes(tag)) {
        this.#source.release(before);
        continue;
      }
      const key = tag.isClosing ? undefined : this.#keyOf(tag);
      if (key === undefined) {
        // The call's own closing tag is missing.
        this.#source.rewind(before);
        return this.#endEarly('<');
      }
      this.#source.release(before);
      const call = this.#begin();
      // An argument without a name took the place of this one, so it is not known which is which.
      if (this.#hasNameless && call.has(key)) return call.cut();
      this.#hasNameless ||= isNameless(tag);
      this.#quoted = 0;
      this.#inner = 0;
      const isText = tag.attributes.get('string') !== 'false';
      const isForgotten = () => this.#isForgotten;
      const end = { at: '<', isText, isForgotten, closes: (source: Source) => this.#closesValue(source, tag) } as const;
      if (!(yield* readRawValue(this.#source, call, key, end))) return call.cut();
    }
  }

  /** Reads arguments that are attributes of an empty tag. Returns whether the tag is one. */
  #readAttributes({ name, isClosing, isEmpty, value, attributes }: Tag): boolean {
    const isNamed = attributes.has('name') || attributes.has('key');
    if (isClosing || !isEmpty || value !== undefined || isNamed || attributes.size === 0) return false;
    if (!PARAMETER_TAGS.has(name)) return false;
    const call = this.#begin();
    for (const [key, text] of attributes) call.value(this.#declared(key) ?? key, withoutEntities(text));
    return true;
  }

  /** Checks whether a tag only opens or closes a group. If the group contains JSON arguments, reads them, too. */
  *#readGroupTag(tag: Tag): Reading<boolean> {
    if (tag.isClosing) {
      const index = this.#groups.lastIndexOf(tag.name);
      if (index !== -1) this.#groups.length = index;
      return index !== -1;
    }
    const { properties } = this.#reply.tools.find(this.#toolName)?.inputSchema ?? {};
    if (!GROUPS.has(tag.name) || tag.isEmpty || Object.hasOwn(properties ?? {}, tag.name)) return false;
    const next = yield* this.#source.skipSpace(PARSER_LIMITS.space);
    if (next !== '<' && next !== '{') return false;
    // Another file: another call begins.
    if (tag.name === 'file' && this.#call !== undefined) {
      this.#call.finish();
      this.#call = undefined;
    }
    this.#groups.push(tag.name);
    if (next === '{') {
      if (this.#isNamedByTag && !(yield* beginsLikeArguments(this.#reply, this.#toolName))) refuse();
      this.#isCut = !(yield* readArguments(this.#source, this.#begin()));
    }
    return true;
  }

  get #needsArguments(): boolean {
    return (this.#reply.tools.find(this.#toolName)?.inputSchema.required ?? []).length > 0;
  }

  #begin(): CallWriter {
    this.#call ??= this.#reply.startCall(this.#toolName);
    return this.#call;
  }

  /**
   * Ends the call where its closing tag is missing. Refuses if the call is not certain yet. The call is incomplete if the reply
   * ends here and a required argument is missing.
   */
  #endEarly(next: string): void {
    if (!this.#reply.isCertain) refuse();
    const call = this.#begin();
    if (next === '' && !call.hasRequired) call.cut();
    else call.finish();
  }

  /** The argument that a tag begins; undefined if it begins none. */
  #keyOf({ name, value, attributes }: Tag): string | undefined {
    const { properties, required = [] } = this.#reply.tools.find(this.#toolName)?.inputSchema ?? {};
    const isParameter = PARAMETER_TAGS.has(name);
    const written = isParameter ? (value ?? attributes.get('name') ?? attributes.get('key')) : name;
    const known = written === undefined ? undefined : this.#declared(written);
    if (known !== undefined || (written !== undefined && isParameter)) return known ?? written;
    // Without a name, it is the first argument that the tool still needs.
    if (isParameter) return required.find((key) => this.#call?.has(key) !== true);
    return name === this.#undeclared || (properties === undefined && !this.#isNamedByTag) ? name : undefined;
  }

  /**
   * The name under which the tool declares an argument, in whatever case it was written; undefined if the tool declares none of
   * that name.
   */
  #declared(written: string): string | undefined {
    const { properties = {} } = this.#reply.tools.find(this.#toolName)?.inputSchema ?? {};
    return Object.keys(properties).find((key) => key.toLowerCase() === written.toLowerCase());
  }

  /**
   * Checks whether the value of an argument ends at a `<`. The argument's closing tag counts only if the call can continue
   * after it, and is then read. If that tag is missing, the next argument or the end of the call ends the value.
   */
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
      // The closing tag is missing: the call's closing tag, or the next argument, is in its place.
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

  /** Checks whether a tag opens or closes a call that the value quotes. Counts such calls in `#quoted`. */
  *#quotes(source: Source, { name, isClosing, isEmpty }: Tag): Reading<boolean> {
    if (name !== this.#opening.name || isEmpty) return false;
    if (isClosing) return this.#quoted > 0 && this.#quoted-- > 0;
    const start = source.hold();
    const first = (yield* source.skipSpace(PARSER_LIMITS.space)) === '<' ? yield* readTag(source) : undefined;
    source.rewind(start);
    // A tag that is only mentioned is not followed by an argument.
    const isCall = first?.isClosing === false && (this.#isNamedByTag || PARAMETER_TAGS.has(first.name));
    if (isCall) this.#quoted++;
    return isCall;
  }

  /**
   * Checks, after an argument's closing tag, whether another argument or the end of the call or of the reply follows.
   */
  *#goesOn(): Reading<boolean> {
    const source = this.#source;
    const start = source.hold();
    // Closing tags inside a quoted call belong to that call; only the last ones of the reply are this call's own.
    const goesOn =
      this.#quoted > 0
        ? yield* onlyClosersFollow(source, ({ name }) => this.#closesAround(name))
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
      if (!this.#closesAround(tag.name)) return false;
      return this.#reply.isInProse || (yield* this.#endsLine());
    }
    const beginsCall = NAMED.has(tag.name) && (tag.value ?? tag.attributes.get('name')) !== undefined;
    if (CONTAINERS.has(tag.name) || beginsCall) return this.#begin().hasRequired;
    const key = this.#keyOf(tag);
    const call = this.#begin();
    if (key !== undefined && call.has(key)) return this.#hasNameless && PARAMETER_TAGS.has(tag.name);
    if (key !== undefined && (call.knows(key) || this.#takesAnything)) return true;
    // An argument that the tool does not declare, unless it is an element inside the value.
    if (this.#inner > 0) return false;
    return key === undefined ? yield* this.#isUndeclaredArgument(tag) : /^[a-z_][\w.-]*$/i.test(key);
  }

  /** Checks whether a closing tag of this name closes an element around the value. */
  #closesAround(name: string): boolean {
    return name === this.#opening.name || this.#groups.includes(name) || CONTAINERS.has(name);
  }

  /** Checks, after closing tags, whether they end their line, as those of a call do. */
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

  /** Whether any argument may follow: the tool is unknown, or does not declare its arguments. */
  get #takesAnything(): boolean {
    return this.#reply.tools.find(this.#toolName)?.inputSchema.properties === undefined;
  }

  /**
   * Checks, after an undeclared tag, whether its element contains a short text, and the call then continues or ends.
   */
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

  /** Checks, after the call's closing tag, whether the reply ends, or only other calls follow. */
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
