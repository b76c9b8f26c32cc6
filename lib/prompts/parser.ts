import { Doubts } from './doubts.ts';
import type { CallGrammar, Role } from './forms.ts';
import { isCutOff, type Opening } from './openings.ts';
import { signatureAtEnd } from './parser/bare-signature.ts';
import { Calls } from './parser/calls.ts';
import { Closers } from './parser/closers.ts';
import { Fences } from './parser/fences.ts';
import { LatestThought } from './parser/latest-thought.ts';
import { Prose } from './parser/prose.ts';
import { QuotedCalls } from './parser/quoted-calls.ts';
import { InventedResults } from './parser/results.ts';
import { Thoughts } from './parser/thoughts.ts';
import { Tokens } from './parser/tokens.ts';
import { UnreadableCall } from './parser/unreadable-call.ts';
import type { ProtocolPart } from './protocol-part.ts';
import { type ProtocolParserOptions, Reply } from './reply.ts';
import type { Reading } from './source.ts';

/** A parser of one reply. However the reply is split into chunks, the concatenated parts are the same. */
export interface ProtocolParser {
  /** Takes the next piece of the reply; returns the parts that are certain now. */
  push(chunk: string): ProtocolPart[];
  /** Ends the reply; returns what was held back. */
  end(): ProtocolPart[];
}

/**
 * Creates a parser for a model's reply as it streams: for text, reasoning, and tool calls in any form that models write. It
 * runs in time linear in the reply's length, and gives the same result however the reply is split into chunks. No input
 * makes it throw.
 */
export function createProtocolParser(options: ProtocolParserOptions): ProtocolParser {
  return new ReplyParser(options, false);
}

/**
 * Reads text up to where a form may begin, tries the forms that begin there, and goes on. Owns the parts, each of which
 * reads one kind of thing, and the reading in progress.
 */
class ReplyParser implements ProtocolParser {
  readonly #options: ProtocolParserOptions;
  /** Whether the text is another reply's reasoning, which is searched for drafts of calls. */
  readonly #isThought: boolean;
  readonly #reply: Reply;
  readonly #doubts = new Doubts();
  readonly #unreadable = new UnreadableCall();
  readonly #prose: Prose;
  readonly #thoughts: Thoughts;
  readonly #results: InventedResults;
  readonly #closers: Closers;
  readonly #quoted: QuotedCalls;
  readonly #calls: Calls;
  readonly #tokens: Tokens;
  readonly #fences: Fences;
  readonly #reading: Reading<void>;
  /** Whether nothing is held back: everything so far has been read. */
  #isIdle = false;

  constructor(options: ProtocolParserOptions, isThought: boolean) {
    this.#options = options;
    this.#isThought = isThought;
    const reply = new Reply(options);
    const latestThought = new LatestThought();
    const prose = new Prose(reply, this.#doubts, latestThought, this.#unreadable);
    this.#reply = reply;
    this.#prose = prose;
    this.#results = new InventedResults(reply);
    this.#thoughts = new Thoughts(reply, prose, latestThought);
    this.#closers = new Closers(reply, prose, this.#thoughts);
    this.#quoted = new QuotedCalls(reply, prose);
    this.#calls = new Calls(reply, prose, this.#quoted, this.#doubts, this.#unreadable);
    this.#tokens = new Tokens(reply, prose, this.#thoughts, this.#calls);
    this.#fences = new Fences(reply, prose, this.#calls, this.#closers, this.#doubts);
    this.#reading = this.#read();
    this.#reading.next();
  }

  push(chunk: string): ProtocolPart[] {
    if (chunk === '') return [];
    if (this.#isIdle && this.#prose.takePlain(chunk)) return [{ type: 'text-delta', delta: chunk }];
    this.#reply.source.push(chunk);
    this.#reading.next();
    return this.#reply.output.take();
  }

  end(): ProtocolPart[] {
    const { source, output, tools } = this.#reply;
    source.end();
    this.#reading.next();
    this.#thoughts.end(this.#isThought ? undefined : (pieces) => this.#parseThought(pieces));
    const meant =
      this.#unreadable.toolName(tools, this.#reply.dropped) ??
      this.#results.toolName ??
      signatureAtEnd(this.#doubts.latest, tools);
    const toolName = output.calls === 0 ? meant : undefined;
    if (toolName !== undefined) output.emit({ type: 'unreadable-call', toolName });
    for (const part of this.#doubts.parts()) output.emit(part);
    if (source.hasDropped && output.calls > 0) output.emit({ type: 'invented-result' });
    return output.take();
  }

  #parseThought(pieces: readonly string[]): ProtocolPart[] {
    const parser = new ReplyParser({ ...this.#options, startsInReasoning: false }, true);
    return [...pieces.flatMap((piece) => parser.push(piece)), ...parser.end()];
  }

  *#read(): Reading<void> {
    const { source } = this.#reply;
    if (this.#options.startsInReasoning === true) yield* this.#thoughts.readOpened();
    for (;;) {
      this.#isIdle = source.at >= source.text.length;
      const next = yield* source.peek();
      this.#isIdle = false;
      if (next === '') return;
      const opening = this.#prose.readPlain();
      if (opening !== undefined) yield* this.#readOpening(opening);
    }
  }

  /** Reads whatever the next character begins, or the character as text. */
  *#readOpening(opening: Opening): Reading<void> {
    const { source } = this.#reply;
    yield* source.see(2);
    if (opening.isPromising(source.text.charAt(source.at + 1)) && (yield* this.#readForm(opening))) return;
    const { isBehindCall, position } = this.#prose;
    if (source.ranOut && isCutOff(source.text.slice(source.at), isBehindCall, position.isBetweenWords))
      source.at = source.text.length;
    else this.#prose.readCharacter();
  }

  *#readForm(opening: Opening): Reading<boolean> {
    const { source } = this.#reply;
    const isShown = this.#calls.enter(opening.character);
    if (isShown && opening.beginsCallsAnywhere) return yield* this.#quoted.read(opening);
    for (const { form, fits } of opening.forms) {
      const { opener, where, read } = form;
      if (!this.#prose.isAt(where) || !fits(source.text, source.at)) continue;
      const isRead =
        typeof read === 'string'
          ? yield* this.#readOther(read, opener)
          : !isShown && (yield* this.#readCalls(read, where.includes('own line')));
      if (isRead) return true;
    }
    return false;
  }

  #readCalls(grammar: CallGrammar, areAlone: boolean): Reading<boolean> {
    const { atLineStart, isBetweenWords, isBehindSentence } = this.#prose.position;
    const isSpoken = !this.#isThought && isBetweenWords && !isBehindSentence;
    const calls = grammar(this.#reply, { startsLine: atLineStart, isSpoken, isAnnounced: false });
    return areAlone ? this.#calls.readAlone(calls) : this.#calls.read(calls);
  }

  #readOther(role: Role, opener: readonly string[]): Reading<boolean> {
    switch (role) {
      case 'thought':
        return this.#thoughts.read(opener);
      case 'message':
        return this.#tokens.readMessage();
      case 'fence':
        return this.#fences.read(opener);
      case 'closer':
        return this.#closers.read();
      case 'token':
        return this.#tokens.read();
      case 'empty block':
        return this.#calls.readEmptyBlock();
      case 'comment':
        return this.#prose.readComment();
      case 'strikethrough':
        return this.#closers.countStrike();
      case 'result':
        return this.#results.drop(opener);
      case 'result tag':
        return this.#results.dropTag();
      case 'named result':
        return this.#results.dropNamed();
      case 'filler':
        return this.#skip(opener);
    }
  }

  *#skip(markers: readonly string[]): Reading<boolean> {
    for (const marker of markers) if (yield* this.#reply.source.accept(marker)) return true;
    return false;
  }
}
