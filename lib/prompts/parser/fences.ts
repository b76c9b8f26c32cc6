import type { Doubts } from '../doubts.ts';
import { ON_ITS_OWN } from '../forms.ts';
import { CALL_FENCES } from '../grammars/fenced-calls.ts';
import { PARSER_LIMITS } from '../limits.ts';
import { fencedCall } from '../openings.ts';
import type { Reply } from '../reply.ts';
import type { Reading } from '../source.ts';
import type { Calls } from './calls.ts';
import type { Closers } from './closers.ts';
import type { Prose } from './prose.ts';

/**
 * Reads Markdown code fences. A fence in a language of `CALL_FENCES`, or in none, whose body consists only of calls makes these
 * calls; any other is text, whatever it contains.
 */
export class Fences {
  readonly #reply: Reply;
  readonly #prose: Prose;
  readonly #calls: Calls;
  readonly #closers: Closers;
  readonly #doubts: Doubts;

  constructor(reply: Reply, prose: Prose, calls: Calls, closers: Closers, doubts: Doubts) {
    this.#reply = reply;
    this.#prose = prose;
    this.#calls = calls;
    this.#closers = closers;
    this.#doubts = doubts;
  }

  /** Reads a fence that one of these markers opens. Inside a line, only a language may follow its opening. */
  *read(openers: readonly string[]): Reading<boolean> {
    const { source, output } = this.#reply;
    let mark = '';
    for (const opener of openers) if (yield* source.sees(opener)) mark = opener.charAt(0);
    if (mark === '') return false;
    const start = source.hold();
    const opening = (yield* source.readWhile((character) => character === mark, PARSER_LIMITS.tag)) ?? '';
    const info = yield* source.readWhile((character) => character !== '\n', PARSER_LIMITS.name);
    const language = info?.trim().toLowerCase();
    if (!this.#prose.position.atLineStart && !/^[\w-]*\s*$/.test(info ?? ' x')) {
      source.rewind(start);
      return false;
    }
    if (this.#prose.isBehindCall && language === 'tool_output') {
      yield* source.finish();
      return true;
    }
    if (language !== undefined && CALL_FENCES.has(language)) {
      const { calls } = output;
      const { isKept, isWhole } = yield* this.#calls.tentatively(start, this.#readCalls(language, opening));
      if (isKept) {
        const isThere = !this.#reply.isBeyondDoubt(start);
        this.#doubts.fence(calls, output.calls, isThere ? source.since(start) : `${opening}${info}\n…`);
        source.release(start);
        if (!isWhole) yield* this.#readText(opening);
        return true;
      }
    }
    source.rewind(start);
    yield* this.#readText(opening, true);
    return true;
  }

  /** Reads calls up to the end of the fence; returns whether there is nothing else. */
  *#readCalls(language: string, opening: string): Reading<boolean> {
    const { source, output } = this.#reply;
    const { calls } = output;
    // An empty fence that is meant for calls is not shown.
    const isForCalls = language.startsWith('tool_call');
    for (let count = 0; ; count++) {
      // After a call, another object is one too, whatever its tool.
      const place = { ...ON_ITS_OWN, isAnnounced: isForCalls || count > 0 };
      let next = yield* source.skipSpace();
      // Separators, a brace too many, and a line break that is written as in a string.
      while (count > 0 && (/[,;}]/.test(next) || (yield* source.sees('\\n')))) {
        source.at += next === '\\' ? 2 : 1;
        next = yield* source.skipSpace();
      }
      if ((count > 0 || isForCalls) && (next === '' || (yield* this.#closes(opening))))
        return isForCalls || output.calls > calls;
      const grammar = fencedCall(next, language);
      if (grammar === undefined || !(yield* this.#calls.read(grammar(this.#reply, place)))) {
        // The reply was cut off in what follows a complete call.
        const isCut = grammar !== undefined && count > 0 && source.ranOut;
        if (isCut) source.at = source.text.length;
        return isCut;
      }
      while ((yield* source.skipSpace()) === '<' && (yield* this.#closers.read()));
    }
  }

  /** Reads the end of the fence, or as much of it as the end of the reply contains. */
  *#closes(opening: string): Reading<boolean> {
    const { source } = this.#reply;
    if (yield* source.accept(opening)) return true;
    if (!source.ranOut || !opening.startsWith(source.text.slice(source.at))) return false;
    source.at = source.text.length;
    return true;
  }

  /** Reads the lines of a fence without calls, up to the one that closes it. `fromOpening`: the first line opens it. */
  *#readText(opening: string, fromOpening = false): Reading<void> {
    const { source } = this.#reply;
    for (let line = fromOpening ? 0 : 1; ; line++) {
      const closes = line > 0 && (yield* this.#isEnd(opening));
      for (;;) {
        const newline = source.text.indexOf('\n', source.at);
        const end = newline === -1 ? source.text.length : newline + 1;
        this.#prose.text(source.text.slice(source.at, end));
        source.at = end;
        if (newline !== -1) break;
        if ((yield* source.peek()) === '') return;
      }
      if (closes) break;
    }
    this.#prose.startLine('\n');
  }

  *#isEnd(opening: string): Reading<boolean> {
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
}
