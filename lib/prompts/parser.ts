import { Doubts } from './doubts.ts';
import { callGrammars } from './grammars/any-call.ts';
import { readCallItems } from './grammars/call-items.ts';
import { CONTAINERS, closesCalls } from './grammars/call-tags.ts';
import { readDelimitedCall } from './grammars/delimited-calls.ts';
import { CALL_FENCES, fencedGrammar } from './grammars/fenced-calls.ts';
import { readFunctools } from './grammars/functools.ts';
import { readHarmonyHeader } from './grammars/harmony.ts';
import { readCallList, readCallObject } from './grammars/json-calls.ts';
import { readPythonList } from './grammars/python-calls.ts';
import { readAction } from './grammars/react.ts';
import { readTag, readToken, type Tag } from './grammars/tag.ts';
import { readTagCalls } from './grammars/tag-calls.ts';
import { opensCalls, readMistralCalls, readTokenCalls } from './grammars/token-calls.ts';
import { PARSER_LIMITS } from './limits.ts';
import {
  CLOSING_TOKENS,
  END_TOKENS,
  isCutMarker,
  isPromising,
  REASONING,
  RESULT_MARKERS,
  START_TOKENS,
  TAG_CLOSINGS,
} from './markers.ts';
import { ProsePosition, type Setting } from './prose-position.ts';
import type { ProtocolPart } from './protocol-part.ts';
import { type ProtocolParserOptions, Reply } from './reply.ts';
import type { Hold, Reading } from './source.ts';

export interface ProtocolParser {
  push(chunk: string): ProtocolPart[];
  /** Ends the reply; returns what was held back. */
  end(): ProtocolPart[];
}

/**
 * Parses a model's reply as it streams: text, reasoning, and tool calls in any form that models write. Runs in time
 * linear in the reply's length, and gives the same result however the reply is split into chunks. No input makes it
 * throw.
 */
export function createProtocolParser(options: ProtocolParserOptions): ProtocolParser {
  return new ReplyParser(options, true);
}

/** Characters that can begin a call anywhere in a line. */
const BRACKETS = new Set(['<', '{', '｛', '[']);

class ReplyParser implements ProtocolParser {
  readonly #options: ProtocolParserOptions;
  /** Whether drafts of calls inside reasoning count if the reply contains nothing else. */
  readonly #promotes: boolean;
  readonly #reply: Reply;
  readonly #reading: Reading<void>;
  readonly #position = new ProsePosition();
  /** Whether only white space has followed the last call: closing tags here belong to it. */
  #isBehindCall = false;
  /** White space after a call: shown only if text follows. */
  #blank = '';
  /** Whether a token ended the message and nothing has followed it. */
  #isOver = false;
  /** Whether nothing is held back: everything so far has been read. */
  #isIdle = false;
  /** The pieces of the latest reasoning, until visible text or a call follows it. */
  #thought: string[] | undefined;
  #thoughtLength = 0;
  #isThoughtClosed = false;
  /** Whether the reply began inside reasoning and never left it. */
  #isAllThought = false;
  /** Number of reasoning tags opened inside reasoning: models close them, too. */
  #openThoughts = 0;
  /** Number of open `<s>` elements (strikethrough), whose closing tag looks like a template's end token. */
  #strikes = 0;
  /** Text from the start of a call that could not be read, as far as it is searched for a tool's name. */
  #unreadable: string | undefined;
  /** How the text being read is embedded in the surrounding prose. */
  #setting: Setting = 'line';
  readonly #doubts = new Doubts();

  constructor(options: ProtocolParserOptions, promotesThoughts: boolean) {
    this.#options = options;
    this.#reply = new Reply(options);
    this.#promotes = promotesThoughts;
    this.#reading = this.#read();
    this.#reading.next();
  }

  push(chunk: string): ProtocolPart[] {
    if (chunk === '') return [];
    if (this.#isIdle && this.#isPlainText(chunk)) {
      this.#doubts.text(chunk);
      return [{ type: 'text-delta', delta: chunk }];
    }
    this.#reply.source.push(chunk);
    this.#reading.next();
    return this.#reply.output.take();
  }

  end(): ProtocolPart[] {
    this.#reply.source.end();
    this.#reading.next();
    const hasDrafts = this.#promoteThought();
    // The model did not think after all: what it wrote is its answer.
    if (this.#isAllThought && !hasDrafts) this.#reply.output.text(this.#thought?.join('') ?? '');
    this.#reportUnreadable();
    for (const part of this.#doubts.parts()) this.#reply.output.emit(part);
    return this.#reply.output.take();
  }

  *#read(): Reading<void> {
    const { source } = this.#reply;
    if (this.#options.startsInReasoning === true) {
      yield* source.skipSpace();
      // Some models write the tag although the template already did.
      yield* source.accept('<think>');
      yield* this.#readReasoning(TAG_CLOSINGS);
      this.#isAllThought = !this.#isThoughtClosed;
    }
    for (;;) {
      this.#isIdle = source.at >= source.text.length;
      const next = yield* source.peek();
      this.#isIdle = false;
      if (next === '') return;
      this.#readPlain();
      if (source.at < source.text.length) yield* this.#readMarker();
    }
  }

  /** The fast path for most output: a chunk in the middle of a line, in which nothing can begin or end. */
  #isPlainText(chunk: string): boolean {
    if (this.#isBehindCall || this.#isOver || this.#blank !== '') return false;
    if (this.#thought !== undefined || this.#collectsUnreadable) return false;
    return this.#position.followPlain(chunk);
  }

  // ---- Text

  /** Reads text up to a character that may begin something else. */
  #readPlain(): void {
    const { source } = this.#reply;
    const { text } = source;
    const from = source.at;
    let at = from;
    for (; at < text.length; at++) {
      const character = text.charAt(at);
      if (this.#mayBegin(character, text.charAt(at + 1))) break;
      this.#follow(character);
    }
    source.at = at;
    this.#text(text.slice(from, at));
  }

  /** Whether something may begin here. `behind`: the next character; '' if it has not arrived yet. */
  #mayBegin(character: string, behind: string): boolean {
    switch (character) {
      case '<':
      case '{':
      case '｛':
      case '[':
      case '◁':
        return isPromising(character, behind) && !this.#position.isSetApart;
      case '`':
        if (this.#position.atLineStart) return true;
        return (behind === '`' || behind === '') && !this.#position.isCode && !this.#position.isSetApart;
      case 'f':
        if (this.#position.isCode || this.#position.isSetApart || /\w/.test(this.#position.before)) return false;
        return behind === 'u' || behind === '';
      case '~':
      case '*':
      case 'A':
      case '@':
        return this.#position.atLineStart;
      case '}':
      case '｝':
      case ']':
      case '］':
      case '】':
      case ';':
      case 'O':
        return this.#isBehindCall;
      case '\ufeff':
        return this.#position.before === '';
      default:
        return false;
    }
  }

  #follow(character: string): void {
    this.#position.follow(character);
    if (!this.#position.atLineStart) this.#isBehindCall = false;
  }

  #text(piece: string): void {
    if (piece === '') return;
    if (this.#isBehindCall && piece.trim() === '') {
      this.#blank += piece;
      return;
    }
    this.#doubts.text(this.#blank + piece);
    this.#isBehindCall = false;
    if (this.#collectsUnreadable) this.#unreadable += piece;
    this.#reply.output.text(this.#blank + piece);
    this.#blank = '';
    if (piece.trim() === '') return;
    this.#forgetThought();
    this.#isOver = false;
  }

  /** Reads whatever the next character begins, or the character as text. */
  *#readMarker(): Reading<void> {
    const { source } = this.#reply;
    const character = source.text.charAt(source.at);
    yield* source.see(2);
    if (isPromising(character, source.text.charAt(source.at + 1))) {
      this.#setting = this.#position.settingOf(character);
      if (this.#setting === 'shown' && BRACKETS.has(character)) {
        if (!this.#position.isSetApart && (yield* this.#readShown(character))) return;
      } else if (yield* this.#isMarker(character)) return;
    }
    if (source.ranOut && isCutMarker(source.text.slice(source.at), this.#isBehindCall, this.#position.isBetweenWords)) {
      source.at = source.text.length;
      return;
    }
    this.#follow(character);
    source.at++;
    this.#text(character);
  }

  *#isMarker(character: string): Reading<boolean> {
    const reply = this.#reply;
    const { source } = reply;
    switch (character) {
      case '<':
        return yield* this.#readAngle();
      case '{':
      case '｛':
        return yield* this.#readCalls(
          readCallObject(
            reply,
            false,
            this.#promotes && this.#position.isBetweenWords && !this.#position.isBehindSentence,
          ),
        );
      case '[':
        return yield* this.#readBracket();
      case '`':
      case '~':
        return yield* this.#readFence(character);
      case '◁':
        return (yield* source.accept('◁think▷')) && (yield* this.#readReasoning(['◁/think▷']));
      case '*':
      case 'A':
        return this.#setting !== 'shown' && (yield* this.#readCalls(readAction(reply)));
      case '@':
        return this.#setting !== 'shown' && (yield* this.#readCalls(readDelimitedCall(reply)));
      case 'f':
        return this.#setting !== 'shown' && (yield* this.#readCalls(readFunctools(reply)));
      case 'O':
        return this.#position.atLineStart && (yield* source.accept('Observation:')) && (yield* this.#dropRest());
      default:
        // An extra bracket or a separator after a call, or a byte order mark.
        source.at++;
        return true;
    }
  }

  *#readBracket(): Reading<boolean> {
    const reply = this.#reply;
    const { source } = reply;
    if (yield* this.#readCalls(readMistralCalls(reply))) return true;
    if (this.#position.atLineStart && (yield* source.accept('[THINK]')))
      return yield* this.#readReasoning(['[/THINK]']);
    if (this.#isBehindCall && (yield* source.accept('[/TOOL_CALLS]'))) return true;
    if (!this.#position.atLineStart) return false;
    // A tool result that the model invents is not part of the answer, nor is its comment on it.
    if (yield* this.#inventsResult()) return yield* this.#dropRest();
    if (this.#isBehindCall && (yield* source.accept('[TOOL_RESULTS]'))) return yield* this.#dropRest();
    return (yield* this.#readPythonLine()) || (yield* this.#readCalls(readCallList(reply, false)));
  }

  /** Whether a result marker comes next: after a call, or with a tool's name. */
  *#inventsResult(): Reading<boolean> {
    const { source, output, tools } = this.#reply;
    const start = source.hold();
    const isMarker = yield* source.accept('[tool_result ');
    const words = isMarker
      ? yield* source.readWhile((character) => /[^\]\n]/.test(character), PARSER_LIMITS.name)
      : undefined;
    source.rewind(start);
    return isMarker && (output.calls > 0 || tools.find(words?.split(' ').at(-1) ?? '') !== undefined);
  }

  *#readAngle(): Reading<boolean> {
    const reply = this.#reply;
    const { source } = reply;
    const second = source.text.charAt(source.at + 1);
    if (yield* this.#readReasoningTag()) return true;
    if (this.#isBehindCall && (yield* this.#beginsResult())) return yield* this.#dropRest();
    if (second === '/') return yield* this.#readCloser();
    if (this.#setting === 'line' && (yield* this.#readEmptyBlock())) return true;
    if (second === '!') return yield* this.#readComment();
    if (second === 's' && (yield* source.sees('<s>'))) this.#strikes++;
    if (second === '|' || (second === '｜' && !(yield* source.sees('<｜DSML｜')))) return yield* this.#readToken();
    return (
      (yield* this.#readCalls(readTagCalls(reply, readCallItems, this.#position.atLineStart))) ||
      (second === 't' || second === 'e' || second === 'c' ? yield* this.#readToken() : false)
    );
  }

  /** Reads an empty container of calls, if nothing else is on its line. */
  *#readEmptyBlock(): Reading<boolean> {
    const { source } = this.#reply;
    const start = source.hold();
    const isEmpty = yield* this.#isEmptyBlock();
    if (isEmpty) source.release(start);
    else source.rewind(start);
    if (isEmpty) this.#afterCalls(this.#reply.output.calls);
    return isEmpty;
  }

  *#isEmptyBlock(): Reading<boolean> {
    const { source } = this.#reply;
    const opening = yield* readTag(source);
    if (opening === undefined) {
      if (!opensCalls((yield* readToken(source)) ?? '') || !(yield* this.#skipEmptyBrackets())) return false;
      return CLOSING_TOKENS.has((yield* readToken(source)) ?? '');
    }
    const open: string[] = [];
    let count = 0;
    for (let tag: Tag | undefined = opening; tag !== undefined; tag = yield* readTag(source)) {
      if (++count > PARSER_LIMITS.emptyTags || !CONTAINERS.has(tag.name) || tag.attributes.size > 0) return false;
      if (!tag.isClosing) open.push(tag.name);
      else if (open.pop() !== tag.name) return false;
      if (open.length === 0) break;
      if (!(yield* this.#skipEmptyBrackets())) return false;
    }
    yield* source.readWhile((character) => character === ' ' || character === '\t', PARSER_LIMITS.space);
    return open.length === 0 && ['', '\n', '\r', '<'].includes(yield* source.peek());
  }

  /** Skips an empty list or object, if there is one; returns whether a tag or a token follows. */
  *#skipEmptyBrackets(): Reading<boolean> {
    const { source } = this.#reply;
    for (const [first, last] of ['[]', '{}']) {
      if ((yield* source.skipSpace(PARSER_LIMITS.space)) !== first) continue;
      source.at++;
      if ((yield* source.skipSpace(PARSER_LIMITS.space)) !== last) return false;
      source.at++;
    }
    return (yield* source.skipSpace(PARSER_LIMITS.space)) === '<';
  }

  /** An HTML comment is text, whatever it contains. */
  *#readComment(): Reading<boolean> {
    const { source } = this.#reply;
    if (!(yield* source.sees('<!--'))) return false;
    const start = source.hold();
    let length = 0;
    while (!(yield* source.sees('-->')) && (yield* source.peek()) !== '' && length++ < PARSER_LIMITS.comment)
      source.at++;
    const end = source.position;
    source.rewind(start);
    while (source.position < end) {
      const character = source.text.charAt(source.at++);
      this.#follow(character);
      this.#text(character);
    }
    return true;
  }

  *#readToken(): Reading<boolean> {
    const reply = this.#reply;
    const { source } = reply;
    const start = source.hold();
    const token = yield* readToken(source);
    if (token === undefined) {
      source.rewind(start);
      return (yield* source.accept('<end_of_turn>')) || (yield* source.accept('<eos>'));
    }
    if (END_TOKENS.has(token) || (this.#isBehindCall && CLOSING_TOKENS.has(token))) {
      source.release(start);
      this.#isOver ||= END_TOKENS.has(token);
      return true;
    }
    if (START_TOKENS.has(token) && (this.#isOver || this.#isBehindCall || (yield* this.#isLast()))) {
      source.release(start);
      return (yield* this.#acceptOwnHeader()) || (yield* this.#dropRest());
    }
    source.rewind(start);
    if (this.#isBehindCall && RESULT_MARKERS.has(token)) return yield* this.#dropRest();
    if (token === 'start' || token === 'channel') return yield* this.#readHarmony();
    if (CLOSING_TOKENS.has(token) && token !== 'close') return yield* this.#acceptToken();
    return yield* this.#readCalls(readTokenCalls(reply));
  }

  /** Whether only white space follows, and the marker here is not just mentioned in prose. */
  *#isLast(): Reading<boolean> {
    const { source } = this.#reply;
    if (this.#position.isBetweenWords) return false;
    const start = source.hold();
    const isLast = (yield* source.skipSpace(PARSER_LIMITS.space)) === '';
    source.rewind(start);
    return isLast;
  }

  /** Reads the header of the model's own message, which some models repeat. */
  *#acceptOwnHeader(): Reading<boolean> {
    const { source } = this.#reply;
    if (!(yield* source.accept('assistant'))) return false;
    yield* source.accept('<|end_header_id|>');
    return true;
  }

  /** Whether the tag of a tool result comes next: in a reply, that is an invented one. */
  *#beginsResult(): Reading<boolean> {
    const { source } = this.#reply;
    const start = source.hold();
    const tag = yield* readTag(source);
    source.rewind(start);
    return tag?.isClosing === false && RESULT_MARKERS.has(tag.name);
  }

  *#acceptToken(): Reading<boolean> {
    return (yield* readToken(this.#reply.source)) !== undefined;
  }

  *#readHarmony(): Reading<boolean> {
    // Between words, the token is only mentioned.
    if (this.#position.isBetweenWords) return false;
    const reply = this.#reply;
    const calls = reply.output.calls;
    let kind: string | undefined;
    const isMessage = yield* reply.attempt(
      (function* () {
        kind = yield* readHarmonyHeader(reply);
      })(),
    );
    if (!isMessage) return false;
    if (reply.output.calls > calls) this.#afterCalls(calls);
    if (kind === 'text') reply.output.separate('text-delta');
    if (kind === 'reasoning')
      yield* this.#readReasoning(['<|end|>', '<|return|>', '<|call|>'], ['<|start|>', '<|channel|>']);
    this.#position.reset();
    return true;
  }

  /** Reads a closing tag of the protocol: one that belongs to a call, or one whose element was never opened. */
  *#readCloser(): Reading<boolean> {
    const { source } = this.#reply;
    const start = source.hold();
    const tag = yield* readTag(source);
    const isProtocol =
      tag !== undefined &&
      ((closesCalls(this.#reply, tag) && (this.#isBehindCall || (yield* this.#closesEarlierCall()))) ||
        (REASONING.has(`<${tag.name}>`) && (yield* this.#closesThought())) ||
        (tag.name === 's' && this.#strikes-- <= 0 && (yield* source.skipSpace(PARSER_LIMITS.space)) === ''));
    if (isProtocol) source.release(start);
    else source.rewind(start);
    return isProtocol;
  }

  /** Whether a closing tag is alone on its line and closes an earlier call, with text in between. */
  *#closesEarlierCall(): Reading<boolean> {
    return this.#position.atLineStart && this.#reply.output.calls > 0 && (yield* this.#isLineEnd());
  }

  /** Whether a closing tag of reasoning, outside of reasoning, matches a tag opened inside, or is alone on its line. */
  *#closesThought(): Reading<boolean> {
    if (this.#openThoughts > 0) return this.#openThoughts-- > 0;
    // Directly after reasoning, it closes the reasoning a second time.
    if (this.#thought !== undefined) return true;
    return this.#position.atLineStart && (yield* this.#isLineEnd());
  }

  *#isLineEnd(): Reading<boolean> {
    return ['', '\n', '\r'].includes(yield* this.#reply.source.peek());
  }

  // ---- Calls

  *#readCalls(grammar: Reading<void>): Reading<boolean> {
    const { output, source } = this.#reply;
    const { calls } = output;
    const start = this.#setting === 'line' || output.isTentative ? undefined : source.hold();
    // A call that may be part of a sentence is held back until its end is read, or until it is too long to be one.
    if (start !== undefined) output.begin();
    this.#reply.isInProse = start !== undefined;
    const isRead = yield* this.#reply.attempt(grammar);
    this.#reply.isInProse = false;
    if (!isRead && this.#reply.refusedMarker && this.#setting === 'line') this.#unreadable ??= '';
    if (start !== undefined) {
      const shown = output.isTentative && output.calls > calls ? yield* this.#shownSince(start) : undefined;
      if (shown === undefined) output.commit();
      else output.rollBack();
      source.release(start);
      if (shown !== undefined) this.#showCall(shown);
    }
    if (output.calls > calls) this.#afterCalls(calls);
    return isRead;
  }

  /** Reads a call that is only shown, and emits it as text. Nothing inside it is interpreted. */
  *#readShown(character: string): Reading<boolean> {
    const reply = this.#reply;
    const { source, output } = reply;
    const { calls } = output;
    for (const grammar of callGrammars(reply, character)) {
      const start = source.hold();
      output.mute();
      reply.isInProse = true;
      yield* reply.attempt(grammar);
      reply.isInProse = false;
      output.unmute();
      reply.dropped = '';
      const isCall = output.calls > calls;
      output.calls = calls;
      if (isCall) {
        yield* this.#skipClosers();
        const shown = source.since(start);
        source.release(start);
        this.#showCall(shown);
        return true;
      }
      source.rewind(start);
    }
    return false;
  }

  /**
   * The text of the call that was just read, with its closing tags, if it turns out to be part of the surrounding
   * prose.
   */
  *#shownSince(start: Hold): Reading<string | undefined> {
    const { source } = this.#reply;
    const end = source.hold();
    yield* this.#skipClosers();
    const behind = source.hold();
    const isShown =
      typeof this.#setting === 'object' ? yield* this.#isClosedBy(this.#setting.closing) : yield* this.#goesOnInLine();
    source.rewind(behind);
    const shown = isShown ? source.since(start) : undefined;
    if (shown === undefined) source.rewind(end);
    else source.release(end);
    return shown;
  }

  /** Whether a quotation, or inline code, ends on this line or directly after its line break. */
  *#isClosedBy(closing: string): Reading<boolean> {
    const { source } = this.#reply;
    const start = source.hold();
    yield* source.skipSpace(PARSER_LIMITS.space);
    if (yield* source.accept(closing)) return true;
    source.rewind(start);
    for (let length = 0; length < PARSER_LIMITS.quotation; length++) {
      if (yield* source.accept(closing)) return true;
      if (['', '\n'].includes(yield* source.peek())) return false;
      source.at++;
    }
    return false;
  }

  /** Whether prose follows on the same line. */
  *#goesOnInLine(): Reading<boolean> {
    if (this.#position.isBehindStop) return false;
    const { source } = this.#reply;
    if (source.isBehindBreak()) return false;
    yield* source.readWhile((character) => /[ \t\]};］】｝]/.test(character), PARSER_LIMITS.space);
    if (yield* source.accept(',')) yield* source.skipSpace(PARSER_LIMITS.space);
    const next = yield* source.peek();
    if (BRACKETS.has(next)) return (yield* readTag(source))?.isClosing === true;
    return !['', '\n', '\r'].includes(next) && !(yield* source.sees('```'));
  }

  *#skipClosers(): Reading<void> {
    const { source } = this.#reply;
    for (;;) {
      const start = source.hold();
      const isCloser =
        (yield* source.skipSpace(PARSER_LIMITS.space)) === '<' &&
        ((yield* this.#acceptCloser()) || CLOSING_TOKENS.has((yield* readToken(source)) ?? ''));
      if (!isCloser) return source.rewind(start);
      source.release(start);
    }
  }

  *#acceptCloser(): Reading<boolean> {
    const { source } = this.#reply;
    const start = source.hold();
    const tag = yield* readTag(source);
    const isCloser = tag?.isClosing === true && closesCalls(this.#reply, tag);
    if (isCloser) source.release(start);
    else source.rewind(start);
    return isCloser;
  }

  #showCall(text: string): void {
    this.#text(text);
    this.#position.resume(text);
  }

  /** `before`: the number of calls before these. */
  #afterCalls(before: number): void {
    const { output, source } = this.#reply;
    const isWhole = this.#reply.mayBeFollowed || source.isBehindBreak();
    if (!output.isTentative) this.#doubts.calls(before, output.calls, isWhole);
    this.#forgetThought();
    this.#isBehindCall = true;
    this.#blank = '';
    this.#position.reset();
  }

  get #collectsUnreadable(): boolean {
    return this.#unreadable !== undefined && this.#unreadable.length < PARSER_LIMITS.unreadable;
  }

  #reportUnreadable(): void {
    const { output, tools, dropped } = this.#reply;
    if (output.calls > 0) return;
    const text = (this.#unreadable ?? dropped).slice(0, PARSER_LIMITS.unreadable);
    const tool = tools.findCalled(text);
    if (tool !== undefined) output.emit({ type: 'unreadable-call', toolName: tool.name });
  }

  /** Drops the rest of the reply. */
  *#dropRest(): Reading<true> {
    const { source } = this.#reply;
    do source.at = source.text.length;
    while ((yield* source.peek()) !== '');
    return true;
  }

  /** Reads a Python list of calls, which must be alone on its line. */
  *#readPythonLine(): Reading<boolean> {
    if (this.#reply.output.isTentative || this.#setting !== 'line')
      return yield* this.#readCalls(readPythonList(this.#reply, false));
    const { source } = this.#reply;
    const start = source.hold();
    const { isKept } = yield* this.#tentatively(start, this.#readPythonCalls());
    if (isKept) source.release(start);
    else source.rewind(start);
    return isKept;
  }

  *#readPythonCalls(): Reading<boolean> {
    const { source } = this.#reply;
    if (!(yield* this.#readCalls(readPythonList(this.#reply, false)))) return false;
    const start = source.hold();
    yield* source.readWhile((character) => character === ' ' || character === '\t', PARSER_LIMITS.space);
    const next = yield* source.peek();
    source.rewind(start);
    return next === '' || next === '\n' || next === '\r' || next === '<' || next === '[';
  }

  /** Holds back the output since `start` until `read` has succeeded, or is too long to be undone. */
  *#tentatively(start: Hold, read: Reading<boolean>): Reading<{ isKept: boolean; isWhole: boolean }> {
    const { output } = this.#reply;
    const isBehindCall = this.#isBehindCall;
    const blank = this.#blank;
    const thought = this.#thought;
    output.begin();
    const isWhole = yield* read;
    if (isWhole || !output.isTentative || this.#reply.isBeyondDoubt(start)) {
      output.commit();
      return { isKept: true, isWhole };
    }
    output.rollBack();
    this.#isBehindCall = isBehindCall;
    this.#blank = blank;
    this.#thought = thought;
    return { isKept: false, isWhole };
  }

  // ---- Fences

  /** Reads a fence: its calls, if its body consists only of calls, otherwise all of it as text. */
  *#readFence(mark: string): Reading<boolean> {
    const { source } = this.#reply;
    if (!(yield* source.sees(mark.repeat(3)))) return false;
    const start = source.hold();
    const opening = (yield* source.readWhile((character) => character === mark, PARSER_LIMITS.tag)) ?? '';
    const info = yield* source.readWhile((character) => character !== '\n', PARSER_LIMITS.name);
    const language = info?.trim().toLowerCase();
    if (!this.#position.atLineStart && !/^[\w-]*\s*$/.test(info ?? ' x')) {
      source.rewind(start);
      return false;
    }
    if (this.#isBehindCall && language === 'tool_output') return yield* this.#dropRest();
    if (language !== undefined && CALL_FENCES.has(language)) {
      const { calls } = this.#reply.output;
      const { isKept, isWhole } = yield* this.#tentatively(start, this.#readFencedCalls(language, opening));
      if (isKept) {
        const isThere = !this.#reply.isBeyondDoubt(start);
        this.#doubts.fence(calls, this.#reply.output.calls, isThere ? source.since(start) : `${opening}${info}\n…`);
        source.release(start);
        if (!isWhole) yield* this.#readFenceText(opening);
        return true;
      }
    }
    source.rewind(start);
    yield* this.#readFenceText(opening, true);
    return true;
  }

  /** Reads calls up to the end of the fence; returns whether there is nothing else. */
  *#readFencedCalls(language: string, opening: string): Reading<boolean> {
    const reply = this.#reply;
    const { source, output } = reply;
    const { calls } = output;
    // An empty fence that is meant for calls is not shown.
    const isForCalls = language.startsWith('tool_call');
    for (let count = 0; ; count++) {
      let next = yield* source.skipSpace();
      while (count > 0 && (next === ',' || next === ';')) {
        source.at++;
        next = yield* source.skipSpace();
      }
      if ((count > 0 || isForCalls) && (next === '' || (yield* this.#closesFence(opening))))
        return isForCalls || output.calls > calls;
      const grammar = fencedGrammar(reply, language, next);
      if (grammar === undefined || !(yield* this.#readCalls(grammar))) {
        // The reply was cut off in what follows a complete call.
        const isCut = grammar !== undefined && count > 0 && source.ranOut;
        if (isCut) source.at = source.text.length;
        return isCut;
      }
      while ((yield* source.skipSpace()) === '<' && (yield* this.#readCloser()));
    }
  }

  /** Reads the end of the fence, or as much of it as the end of the reply contains. */
  *#closesFence(opening: string): Reading<boolean> {
    const { source } = this.#reply;
    if (yield* source.accept(opening)) return true;
    if (!source.ranOut || !opening.startsWith(source.text.slice(source.at))) return false;
    source.at = source.text.length;
    return true;
  }

  /** Reads the lines of a fence without calls, up to the one that closes it. `fromOpening`: the first line opens it. */
  *#readFenceText(opening: string, fromOpening = false): Reading<void> {
    const { source } = this.#reply;
    for (let line = fromOpening ? 0 : 1; ; line++) {
      const closes = line > 0 && (yield* this.#isFenceEnd(opening));
      for (;;) {
        const newline = source.text.indexOf('\n', source.at);
        const end = newline === -1 ? source.text.length : newline + 1;
        this.#text(source.text.slice(source.at, end));
        source.at = end;
        if (newline !== -1) break;
        if ((yield* source.peek()) === '') return;
      }
      if (closes) break;
    }
    this.#position.reset('\n');
  }

  *#isFenceEnd(opening: string): Reading<boolean> {
    const { source } = this.#reply;
    const start = source.hold();
    yield* source.readWhile((character) => character === ' ' || character === '\t', PARSER_LIMITS.space);
    let isEnd = yield* source.accept(opening);
    while (isEnd && (yield* source.peek()) === opening.charAt(0)) source.at++;
    if (isEnd) {
      yield* source.readWhile(
        (character) => character === ' ' || character === '\t' || character === '\r',
        PARSER_LIMITS.space,
      );
      isEnd = ['', '\n'].includes(yield* source.peek());
    }
    source.rewind(start);
    return isEnd;
  }

  // ---- Reasoning

  *#readReasoningTag(): Reading<boolean> {
    const { atLineStart, isBehindSentence } = this.#position;
    if (!atLineStart && !isBehindSentence) return false;
    const { source } = this.#reply;
    for (const [opening, closing] of REASONING) {
      if (!opening.startsWith('<') || !(yield* atLineStart ? source.accept(opening) : source.sees(`${opening}\n`)))
        continue;
      if (!atLineStart) yield* source.accept(opening);
      return yield* this.#readReasoning(TAG_CLOSINGS.includes(closing) ? TAG_CLOSINGS : [closing]);
    }
    return false;
  }

  /**
   * Reads reasoning to its end: a marker of `closings`, which is consumed, or of `next`, which begins something else.
   */
  *#readReasoning(closings: readonly string[], next: readonly string[] = []): Reading<true> {
    const { source, output } = this.#reply;
    const first = (closings[0] ?? '').charAt(0);
    output.separate('reasoning-delta');
    this.#thought = [];
    this.#thoughtLength = 0;
    this.#isThoughtClosed = false;
    /** Whether a backtick on this line is still open. */
    let isInCode = false;
    const think = (piece: string) => {
      const line = piece.slice(piece.lastIndexOf('\n') + 1);
      const hasOpened = line.split('`').length % 2 === 0;
      isInCode = (line.length === piece.length && isInCode) !== hasOpened;
      output.reasoning(piece);
      this.#thoughtLength += piece.length;
      if (this.#thoughtLength <= PARSER_LIMITS.reasoning) this.#thought?.push(piece);
    };
    for (;;) {
      const at = source.text.indexOf(first, source.at);
      const end = at === -1 ? source.text.length : at;
      if (end > source.at) think(source.text.slice(source.at, end));
      source.at = end;
      if ((yield* source.peek()) === '') break;
      if (source.text.charAt(source.at) !== first) continue;
      let isClosed = false;
      const isCode = isInCode && closings === TAG_CLOSINGS && (yield* this.#isQuotedCloser());
      if (!isCode) for (const closing of closings) isClosed ||= yield* source.accept(closing);
      if (!isClosed && closings === TAG_CLOSINGS && (yield* this.#opensThought())) this.#openThoughts++;
      for (const marker of next) isClosed ||= yield* source.sees(marker);
      this.#isThoughtClosed = isClosed;
      if (isClosed) break;
      if (source.ranOut && closings.some((closing) => closing.startsWith(source.text.slice(source.at)))) {
        source.at = source.text.length;
        break;
      }
      think(first);
      source.at++;
    }
    this.#position.reset();
    return true;
  }

  /** Whether a closing tag is in inline code that ends after it on the same line. */
  *#isQuotedCloser(): Reading<boolean> {
    const { source } = this.#reply;
    const start = source.hold();
    let isQuoted = false;
    for (const closing of TAG_CLOSINGS) isQuoted ||= yield* source.accept(closing);
    if (isQuoted) isQuoted = yield* this.#isClosedBy('`');
    source.rewind(start);
    return isQuoted;
  }

  *#opensThought(): Reading<boolean> {
    for (const closing of TAG_CLOSINGS) if (yield* this.#reply.source.sees(closing.replace('/', ''))) return true;
    return false;
  }

  #forgetThought(): void {
    this.#thought = undefined;
  }

  /**
   * If the reply is nothing but reasoning, emits the last calls drafted in it, if they are complete: the model meant to
   * make them. Returns whether any were drafted.
   */
  #promoteThought(): boolean {
    if (!this.#promotes || this.#thought === undefined) return false;
    const parser = new ReplyParser({ ...this.#options, startsInReasoning: false }, false);
    let drafts: ProtocolPart[] = [];
    let isOver = false;
    for (const part of [...this.#thought.flatMap((piece) => parser.push(piece)), ...parser.end()]) {
      if (part.type === 'text-delta') isOver ||= part.delta.trim() !== '';
      else if (part.type !== 'reasoning-delta') {
        if (isOver && part.type === 'tool-input-start') drafts = [];
        isOver = false;
        drafts.push(part);
      }
    }
    if (drafts.some((part) => part.type === 'tool-call' && part.incomplete)) return true;
    for (const part of drafts) this.#reply.output.emit(part);
    return drafts.length > 0;
  }
}
