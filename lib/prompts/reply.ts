import { CallWriter } from './call-writer.ts';
import { PARSER_LIMITS } from './limits.ts';
import { Output } from './output.ts';
import { type Hold, REFUSAL, type Reading, ReplySource } from './source.ts';
import { type ProtocolTool, ToolNames } from './tool-names.ts';

/** Options for parsing one reply. */
export interface ProtocolParserOptions {
  /** The tools that may be called. Calls of other tools count only behind an explicit marker. */
  tools: readonly ProtocolTool[];
  /** Returns a fresh id for each call. */
  createId: () => string;
  /** Whether the reply begins inside a reasoning block that the template opened; false by default. */
  startsInReasoning?: boolean;
}

/**
 * A reply while it is parsed: the text that a grammar reads (`source`), and the parts that it writes (`output`). Keeps the
 * state of the current attempt to read a form: where it began, whether it can still be undone, and what makes it
 * unmistakable.
 */
export class Reply {
  readonly source: ReplySource;
  readonly output = new Output();
  readonly tools: ToolNames;
  readonly #createId: () => string;
  /** The beginning of the current attempt; undefined once it is certain. */
  #undecided: Hold | undefined;
  /** The feature that makes the current attempt unmistakable: a marker of its form, or only a tool's name. */
  #distinction: 'marker' | 'name' | undefined;
  /** Whether the last attempt was refused although a marker of its form had been read. */
  refusedMarker = false;
  /** Whether prose may continue directly after a call, because the call is in the middle of prose. */
  isInProse = false;
  /** Whether the form that was read last normally has text directly after it, as its model was trained to write it. */
  mayBeFollowed = false;
  /** The text that the model put into the envelope of its calls, in front of them. It is shown before the first call. */
  textBeforeCalls = '';
  /** Characters that all attempts have read, those that were read again included. */
  work = 0;
  /** The number of envelopes of calls that are open at the current position. */
  envelopes = 0;
  /** The text of a call that was cut off by the reply's end before it was certain. */
  dropped = '';

  constructor({ tools, createId }: ProtocolParserOptions) {
    this.tools = new ToolNames(tools);
    this.#createId = createId;
    this.source = new ReplySource(() => this.#checkHeld());
  }

  /**
   * Tries a grammar; returns whether anything was read. If it refuses, the source is rewound to where the attempt began. If
   * the reply ends before the grammar could decide and the text can be nothing else, the text is dropped.
   */
  *attempt(grammar: Reading<void>): Reading<boolean> {
    const before = this.#undecided;
    const start = this.source.hold();
    this.#undecided = start;
    this.#distinction = undefined;
    this.refusedMarker = false;
    this.mayBeFollowed = false;
    this.textBeforeCalls = '';
    const { envelopes } = this;
    try {
      yield* grammar;
      this.commit();
      return true;
    } catch (error) {
      if (error !== REFUSAL) throw error;
      this.work += this.source.position - start.position;
      // It was already certain, so what was read stands.
      if (this.#undecided === undefined) return true;
      this.source.rewind(start);
      if (this.source.ranOut && this.#distinction !== undefined) {
        this.dropped = this.source.text.slice(this.source.at);
        this.source.at = this.source.text.length;
        return true;
      }
      this.refusedMarker = this.#distinction === 'marker';
      return false;
    } finally {
      this.envelopes = envelopes;
      this.#undecided = before;
    }
  }

  /**
   * Marks the current attempt as unmistakable: if the reply ends here, its text is not shown. `by`: the reason, a marker of its
   * form or only the name of a tool.
   */
  markDistinctive(by: 'marker' | 'name' = 'marker'): void {
    if (this.#distinction !== 'marker') this.#distinction = by;
  }

  /** Whether the current attempt can no longer be undone. */
  get isCertain(): boolean {
    return this.#undecided === undefined;
  }

  /** Makes the current attempt certain: it can no longer be undone. Throws `REFUSAL` if too much was read before. */
  commit(): void {
    const start = this.#undecided;
    if (start === undefined) return;
    if (this.isBeyondDoubt(start)) throw REFUSAL;
    this.#undecided = undefined;
    this.source.release(start);
  }

  /** Starts a call, which commits the current attempt. */
  startCall(writtenName: string): CallWriter {
    this.commit();
    this.output.text(this.textBeforeCalls);
    this.textBeforeCalls = '';
    return new CallWriter(this.output, this.#createId(), this.tools.nameOf(writtenName), this.tools.find(writtenName));
  }

  /** Checks whether so much text was read since `start` that tentative output is accepted as it is. */
  isBeyondDoubt(start: Hold): boolean {
    return this.source.position - start.position > PARSER_LIMITS.undecided;
  }

  #checkHeld(): void {
    const oldest = this.source.oldestHold;
    if (oldest === undefined || !this.isBeyondDoubt(oldest)) return;
    if (this.output.isMuted) {
      if (this.source.position - oldest.position > PARSER_LIMITS.shown) throw REFUSAL;
      return;
    }
    if (oldest === this.#undecided) throw REFUSAL;
    if (!this.output.isTentative) return;
    this.output.commit();
    this.source.release(oldest);
  }
}

/** Ends the current attempt, because the text is not what it looked like: throws `REFUSAL`. */
export function refuse(): never {
  throw REFUSAL;
}
