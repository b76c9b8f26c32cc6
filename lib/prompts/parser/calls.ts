import type { Doubts } from '../doubts.ts';
import { skipEmptyBlock } from '../grammars/empty-block.ts';
import { PARSER_LIMITS } from '../limits.ts';
import type { Setting } from '../prose-position.ts';
import type { Reply } from '../reply.ts';
import type { Hold, Reading } from '../source.ts';
import type { Prose } from './prose.ts';
import type { QuotedCalls } from './quoted-calls.ts';
import type { UnreadableCall } from './unreadable-call.ts';

/**
 * Reads the calls that a reply makes. Keeps the `Setting` of the call that is being read: how it is embedded in the
 * surrounding prose. Holds back a call that may be part of a sentence until the text behind it decides; if it is part of
 * one, it is text.
 */
export class Calls {
  readonly #reply: Reply;
  readonly #prose: Prose;
  readonly #quoted: QuotedCalls;
  readonly #doubts: Doubts;
  readonly #unreadable: UnreadableCall;
  #setting: Setting = 'line';

  constructor(reply: Reply, prose: Prose, quoted: QuotedCalls, doubts: Doubts, unreadable: UnreadableCall) {
    this.#reply = reply;
    this.#prose = prose;
    this.#quoted = quoted;
    this.#doubts = doubts;
    this.#unreadable = unreadable;
  }

  /** Finds out how a form that begins with this character is embedded in the prose. Returns whether it is only shown. */
  enter(character: string): boolean {
    this.#setting = this.#prose.position.settingOf(character);
    return this.#setting === 'shown';
  }

  /** Tries a grammar of calls. Returns whether something was read: calls, or text that only looks like them. */
  *read(grammar: Reading<void>): Reading<boolean> {
    const reply = this.#reply;
    const { output, source } = reply;
    const { calls } = output;
    const start = this.#setting === 'line' || output.isTentative ? undefined : source.hold();
    // A call that may be part of a sentence is held back until its end is read, or until it is too long to be one.
    if (start !== undefined) output.begin();
    reply.isInProse = start !== undefined;
    const isRead = yield* reply.attempt(grammar);
    reply.isInProse = false;
    if (!isRead && reply.refusedMarker && this.#setting === 'line') this.#unreadable.begin();
    if (start !== undefined) {
      const shown =
        output.isTentative && output.calls > calls ? yield* this.#quoted.textSince(start, this.#setting) : undefined;
      if (shown === undefined) output.commit();
      else output.rollBack();
      source.release(start);
      if (shown !== undefined) this.#prose.quote(shown);
    }
    this.endSince(calls);
    return isRead;
  }

  /** Like `read`, for calls that count only if nothing else is on their line. */
  *readAlone(grammar: Reading<void>): Reading<boolean> {
    const { source, output } = this.#reply;
    if (output.isTentative || this.#setting !== 'line') return yield* this.read(grammar);
    const start = source.hold();
    const { isKept } = yield* this.tentatively(start, this.#readToLineEnd(grammar));
    if (isKept) source.release(start);
    else source.rewind(start);
    return isKept;
  }

  *#readToLineEnd(grammar: Reading<void>): Reading<boolean> {
    const { source } = this.#reply;
    if (!(yield* this.read(grammar))) return false;
    const start = source.hold();
    yield* source.readWhile((character) => character === ' ' || character === '\t', PARSER_LIMITS.space);
    const next = yield* source.peek();
    source.rewind(start);
    return next === '' || next === '\n' || next === '\r' || next === '<' || next === '[';
  }

  /** Reads an empty container of calls, if nothing else is on its line. */
  *readEmptyBlock(): Reading<boolean> {
    if (this.#setting !== 'line') return false;
    const { source } = this.#reply;
    const start = source.hold();
    const isEmpty = yield* skipEmptyBlock(source);
    if (isEmpty) source.release(start);
    else source.rewind(start);
    if (isEmpty) this.#end(this.#reply.output.calls);
    return isEmpty;
  }

  /**
   * Holds back the output since `start` until `read` has succeeded, or is too long to be undone. `isWhole`: `read` succeeded.
   * `isKept`: its output stands; otherwise the caller rewinds.
   */
  *tentatively(start: Hold, read: Reading<boolean>): Reading<{ isKept: boolean; isWhole: boolean }> {
    const { output } = this.#reply;
    const undo = this.#prose.remember();
    output.begin();
    const isWhole = yield* read;
    if (isWhole || !output.isTentative || this.#reply.isBeyondDoubt(start)) {
      output.commit();
      return { isKept: true, isWhole };
    }
    output.rollBack();
    undo();
    return { isKept: false, isWhole };
  }

  /** Notes the end of the calls that were read since there were `before` of them; does nothing if none were read. */
  endSince(before: number): void {
    if (this.#reply.output.calls > before) this.#end(before);
  }

  #end(before: number): void {
    const { output, source, mayBeFollowed } = this.#reply;
    if (!output.isTentative) this.#doubts.calls(before, output.calls, mayBeFollowed || source.isBehindBreak());
    this.#prose.startBehindCall();
  }
}
