import { CallWriter } from './call-writer.ts';
import { PARSER_LIMITS } from './limits.ts';
import { Output } from './output.ts';
import { type Hold, REFUSAL, type Reading, ReplySource } from './source.ts';
import { type ProtocolTool, ToolNames } from './tool-names.ts';

export interface ProtocolParserOptions {
  tools: readonly ProtocolTool[];
  createId: () => string;
  /** The reply begins inside a reasoning block that the template opened. */
  startsInReasoning?: boolean;
}

/** What all grammars work with: the text, the parts made of it, and what has been decided about them. */
export class Reply {
  readonly source: ReplySource;
  readonly output = new Output();
  readonly tools: ToolNames;
  readonly #createId: () => string;
  /** Where what is being tried began; undefined once it is certain. */
  #undecided: Hold | undefined;
  /** What marks what is being tried as nothing else: a form's own marker, or only a tool's name. */
  #distinction: 'marker' | 'name' | undefined;
  /** Whether what was tried last was refused although it has a marker. */
  refusedMarker = false;
  /** Whether prose may go on directly behind a call, because it stands in the middle of some. */
  isInProse = false;
  /** Whether what was read last is written with text directly behind it, in the form that its model was taught. */
  mayBeFollowed = false;
  /** What the model says in the object of its calls, to be shown before the first of them. */
  textBeforeCalls = '';
  /** The text of a call that the reply's end cut before anything of it was certain. */
  dropped = '';

  constructor({ tools, createId }: ProtocolParserOptions) {
    this.tools = new ToolNames(tools);
    this.#createId = createId;
    this.source = new ReplySource(() => this.#checkHeld());
  }

  /**
   * Tries a grammar. Where it refuses, reading is back where it began. Where the reply ends while it might still have
   * fitted, and what there is can be nothing else, it is dropped.
   */
  *attempt(grammar: Reading<void>): Reading<boolean> {
    const before = this.#undecided;
    const start = this.source.hold();
    this.#undecided = start;
    this.#distinction = undefined;
    this.refusedMarker = false;
    this.mayBeFollowed = false;
    this.textBeforeCalls = '';
    try {
      yield* grammar;
      this.commit();
      return true;
    } catch (error) {
      if (error !== REFUSAL) throw error;
      // It was certain before: what was read of it stands.
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
      this.#undecided = before;
    }
  }

  /** What is being tried can be nothing else: should the reply end here, it is not shown. */
  markDistinctive(by: 'marker' | 'name' = 'marker'): void {
    if (this.#distinction !== 'marker') this.#distinction = by;
  }

  get isCertain(): boolean {
    return this.#undecided === undefined;
  }

  /** What is being tried is certain: there is no way back. */
  commit(): void {
    const start = this.#undecided;
    if (start === undefined) return;
    if (this.isBeyondDoubt(start)) throw REFUSAL;
    this.#undecided = undefined;
    this.source.release(start);
  }

  /** Begins a call, which makes what is being tried certain. */
  startCall(writtenName: string): CallWriter {
    this.commit();
    this.output.text(this.textBeforeCalls);
    this.textBeforeCalls = '';
    return new CallWriter(this.output, this.#createId(), this.tools.nameOf(writtenName), this.tools.find(writtenName));
  }

  /** Whether so much was read since `start` that what is tentative is taken as it stands. */
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

/** Ends what is being tried: it is not what it looked like. */
export function refuse(): never {
  throw REFUSAL;
}
