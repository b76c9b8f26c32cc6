import { REPLY_CUT } from '#lib/agent/problems.ts';
import { CallAssembler, type CallDelta } from './call-assembler.ts';
import { type Failure, failureIn, failureOfText } from './failure.ts';
import { type Fields, fieldsOf, isFilled, numberOf, parsed, parsedExactly, textOf } from './fields.ts';
import { type FinishReason, finishReasonOf } from './finish-reasons.ts';
import { HELD_MAX_CHARACTERS } from './limits.ts';
import { ReasoningDetails } from './reasoning-details.ts';
import { choiceOf, type Said, saidBy, usageOf } from './said.ts';
import { TextStream } from './text-stream.ts';

/** A piece of a reply, in a form that every client of OpenAI's chat completions reads. */
export interface ReplyChunk {
  id?: string;
  created?: number;
  model?: string;
  choices: readonly {
    index: 0;
    delta: { content?: string; reasoning_content?: string; refusal?: string; tool_calls?: readonly CallDelta[] };
    finish_reason: FinishReason | null;
  }[];
  usage?: Fields;
}

/**
 * The meaning of an event: a corrected chunk, an event that can be passed on as it is (`same`), or a failure, which ends the
 * reply.
 */
export type EventReading =
  | { type: 'chunk'; chunk: ReplyChunk }
  | { type: 'same' }
  | { type: 'failure'; failure: Failure };

/** The most text that is kept of events that are not JSON, in characters. */
const ODD_MAX = 10_000;

const SAME: readonly EventReading[] = [{ type: 'same' }];

/** Matches an event with arguments of a call that are an object, not text. */
const OBJECT_ARGUMENTS = /"(?:arguments|parameters|args|input)"\s*:\s*\{/;
/** Matches an event with a number that JavaScript may round. */
const LONG_NUMBER = /\d{16}/;

/** The fields that a chunk, its choice, and its delta may have if the chunk needs no correction. */
const PLAIN = {
  chunk: new Set([
    'id',
    'object',
    'created',
    'model',
    'choices',
    'system_fingerprint',
    'service_tier',
    'provider',
    'obfuscation',
  ]),
  choice: new Set(['index', 'delta', 'finish_reason', 'logprobs', 'native_finish_reason']),
  delta: new Set(['role', 'content', 'reasoning_content']),
} as const;

/**
 * Reads one reply of a server that offers OpenAI's chat completions, event by event. It takes what it understands, field
 * by field, and passes it on in one form; nothing in an event keeps the rest of it from being read.
 */
export class ReplyReader {
  readonly #calls = new CallAssembler();
  readonly #text = new TextStream();
  readonly #reasoning = new TextStream();
  readonly #details = new ReasoningDetails();
  #finish: FinishReason | undefined;
  #usage: Fields | undefined;
  /** True if the latest event was usage without content, as it comes at the end of a reply. */
  #isCounted = false;
  #hasBegun = false;
  #isDone = false;
  #hasFailed = false;
  #odd = '';
  /** The length of `#odd` when the latest content came. */
  #oddBefore = 0;

  /** True if the reply is over: only its usage may still come. */
  get isFinished(): boolean {
    return this.#finish !== undefined || this.#isDone;
  }

  /** True if nothing follows: the server has said so, or the reply has failed. */
  get isDone(): boolean {
    return this.#isDone || this.#hasFailed;
  }

  /** True if any event with content or usage was understood. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** True if the reply has failed: the server has reported an error, or sent more than is held back. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** The text of events that were not JSON, which may tell why a reply failed. */
  get odd(): string {
    return this.#odd;
  }

  /** Reads a body that is no stream of events, or a line of one. */
  takeBody(text: string): readonly EventReading[] {
    const value = fieldsOf(parsed(text));
    // Nothing follows a whole completion, even if it names no reason for its end.
    const message = fieldsOf(choiceOf(value)).message;
    const reads = this.take(text);
    this.#isDone ||= isFilled(message) && value.done === undefined && value.object !== 'chat.completion.chunk';
    return reads;
  }

  /** Reads an event: its data, and its name if it has one. */
  take(data: string, event?: string): readonly EventReading[] {
    const text = data.trim();
    if (text === '' || event === 'ping' || event === 'keepalive') return [];
    if (/^\[?done\]?$/i.test(text)) {
      this.#isDone = true;
      return [];
    }
    const value = parsed(text);
    if (value === undefined) return this.#takeOdd(text, event);
    if (this.#isPlain(value)) return SAME;
    return this.#takeValue(value, text, event);
  }

  /**
   * Ends the reply. Returns what was held back, and then the last chunk, or a failure if the reply was cut or the server could
   * not finish it. Returns nothing if nothing was understood, or the reply has failed already.
   */
  end(): readonly EventReading[] {
    if (this.#hasFailed || !this.#hasBegun) return [];
    // Some servers end a reply without a word, but none sends its usage, or all of a call, before the end.
    const hasWholeCalls = this.#calls.hasCalls && this.#calls.areWhole;
    const last = this.#odd.slice(this.#oddBefore).trim();
    // A line that begins like data is some that was cut.
    const told = this.#finish === undefined && TELLS_ERROR.test(last) && !/^[[{]/.test(last) ? last : undefined;
    const isWhole =
      told === undefined && (this.#finish !== undefined || this.#isDone || this.#isCounted || hasWholeCalls);
    const calls = this.#calls.end();
    const delta = deltaOf({ text: this.#text.end(), reasoning: this.#reasoning.end(), refusal: '', calls });
    const rest: EventReading[] = isFilled(delta) ? [chunkOf(delta)] : [];
    if (!isWhole)
      return [
        ...rest,
        {
          type: 'failure',
          failure:
            told === undefined
              ? { message: 'The server ended its reply in the middle.', type: REPLY_CUT }
              : failureOfText(told),
        },
      ];
    const reason = this.#finish ?? 'stop';
    if (reason === 'error')
      return [...rest, { type: 'failure', failure: { message: 'The server could not finish its reply.' } }];
    const finish = reason === 'stop' && this.#calls.hasCalls ? 'tool_calls' : reason;
    return [...rest, chunkOf({}, { finish_reason: finish, usage: this.#usage })];
  }

  /** Checks whether a value is a chunk that needs no correction, with only text or only thoughts; if so, takes it. Most are. */
  #isPlain(value: unknown): boolean {
    const chunk = fieldsOf(value);
    if (!Array.isArray(chunk.choices) || chunk.choices.length !== 1) return false;
    const choice = fieldsOf(chunk.choices[0]);
    const delta = fieldsOf(choice.delta);
    const { content = '', reasoning_content: reasoning = '' } = delta;
    if (choice.index !== 0 || (choice.finish_reason ?? null) !== null) return false;
    if (typeof content !== 'string' || typeof reasoning !== 'string' || (content === '') === (reasoning === ''))
      return false;
    if (!this.#text.isWholeWith(content) || !this.#reasoning.isWholeWith(reasoning)) return false;
    if ((delta.role ?? 'assistant') !== 'assistant' || !hasNames(chunk)) return false;
    for (const name in chunk) if (!PLAIN.chunk.has(name)) return false;
    for (const name in choice) if (!PLAIN.choice.has(name)) return false;
    for (const name in delta) if (!PLAIN.delta.has(name)) return false;
    this.#hasBegun = true;
    this.#isCounted = false;
    this.#oddBefore = this.#odd.length;
    this.#text.take(content);
    this.#reasoning.take(reasoning);
    return true;
  }

  /** Reads data that is not JSON: several values in one event, a comment, or the reason of an error. */
  #takeOdd(text: string, event: string | undefined): readonly EventReading[] {
    if (event === 'error') return this.#fail({ message: text });
    // Gateways turn comments into data.
    if (text.startsWith(':')) return [];
    const repeated = /^data:\s*/.exec(text);
    if (repeated !== null) return this.take(text.slice(repeated[0].length), event);
    const lines = text.split('\n');
    if (lines.length === 1) {
      if (this.#odd.length < ODD_MAX) this.#odd += `${text}\n`;
      return [];
    }
    // Several events that no empty line parts.
    return lines.flatMap((line) =>
      this.take(line, event).map(
        (read): EventReading => (read.type === 'same' ? { type: 'chunk', chunk: parsed(line) as ReplyChunk } : read),
      ),
    );
  }

  #takeValue(value: unknown, text: string, event: string | undefined): readonly EventReading[] {
    const exact = OBJECT_ARGUMENTS.test(text) && LONG_NUMBER.test(text) ? parsedExactly(text) : value;
    return (Array.isArray(exact) ? exact : [exact]).flatMap((one) => this.#takeObject(fieldsOf(one), event));
  }

  #takeObject(outer: Fields, event: string | undefined): readonly EventReading[] {
    // A stream of another kind of API, inside of ours.
    const value = isFilled(outer.data) && outer.choices === undefined ? fieldsOf(outer.data) : outer;
    const usage = usageOf(value);
    this.#usage = usage ?? this.#usage;
    const failure = failureIn(value, event);
    const choice = choiceOf(value);
    const said = choice === undefined ? undefined : this.#saidIn(choice, value);
    if (said === undefined || choice === undefined) {
      if (failure !== undefined) return this.#fail(failure);
      this.#isCounted ||= usage !== undefined;
      this.#hasBegun ||= usage !== undefined;
      return [];
    }
    this.#hasBegun = true;
    this.#finish =
      [
        choice.finish_reason,
        choice.finishReason,
        fieldsOf(choice.delta).finish_reason,
        choice.stop_reason,
        value.done_reason,
      ]
        .map(finishReasonOf)
        .find((reason) => reason !== undefined) ?? this.#finish;
    if (value.done === true) this.#isDone = true;
    this.#details.take(said.details);
    const delta = deltaOf({
      ...said,
      text: this.#text.take(said.text),
      reasoning: this.#reasoning.take(said.reasoning),
      calls: this.#calls.take(said.calls, this.#details),
    });
    if (isFilled(delta)) {
      this.#isCounted = false;
      this.#oddBefore = this.#odd.length;
    }
    if (this.#calls.heldLength > HELD_MAX_CHARACTERS)
      return this.#fail({
        message: `The server sent more than ${HELD_MAX_CHARACTERS} characters of arguments that are no object.`,
      });
    const reads: EventReading[] = isFilled(delta) ? [chunkOf(delta, namesOf(value))] : [];
    return failure === undefined ? reads : [...reads, ...this.#fail(failure)];
  }

  /** Returns what a choice adds to what the reply has said before: its delta, or the new part of its message. */
  #saidIn(choice: Fields, value: Fields): Said {
    const hasDelta = isFilled(choice.delta) || typeof choice.delta === 'string';
    const delta = saidBy(choice.delta);
    const message = saidBy(isFilled(choice.message) ? choice.message : hasDelta ? undefined : choice);
    const isWhole =
      hasDelta || value.object === 'chat.completion' || finishReasonOf(choice.finish_reason) !== undefined;
    // A message in place of a delta is one, unless it repeats what came before.
    if (!isWhole) return message;
    const isSaid = delta.text !== '' || delta.reasoning !== '';
    return {
      text: isSaid ? delta.text : this.#text.restOf(message.text),
      reasoning: isSaid ? delta.reasoning : this.#reasoning.restOf(message.reasoning),
      refusal: delta.refusal || message.refusal,
      calls: delta.calls ?? (this.#calls.hasCalls ? undefined : message.calls),
      details: delta.details ?? message.details,
    };
  }

  #fail(failure: Failure): readonly EventReading[] {
    this.#hasFailed = true;
    return [{ type: 'failure', failure }];
  }
}

/** Matches words in place of data that tell why a reply ends, unlike those that only keep a connection open. */
const TELLS_ERROR =
  /\b(errors?|exceptions?|fail(ed|ure)?|blocked|denied|refused|forbidden|unauthorized|exceeded|invalid|unavailable|overloaded|time(d )?out|terminated|abort(ed)?)\b|错误|失败|异常|超时|拒绝/i;

const isTextOrAbsent = (value: unknown): boolean => typeof value === 'string' || value === undefined || value === null;

const hasNames = ({ id, model, created }: Fields): boolean =>
  isTextOrAbsent(id) &&
  isTextOrAbsent(model) &&
  (typeof created === 'number' || created === undefined || created === null);

type Delta = ReplyChunk['choices'][number]['delta'];

const deltaOf = ({ text, reasoning, refusal, calls }: Said & { calls: readonly CallDelta[] }): Delta => ({
  ...(reasoning !== '' && { reasoning_content: reasoning }),
  ...(text !== '' && { content: text }),
  ...(refusal !== '' && { refusal: refusal.toWellFormed() }),
  ...(calls.length > 0 && { tool_calls: calls }),
});

/** Reads the fields of an event that identify its reply. Those that are missing, or not in a usual form, are left out. */
function namesOf({ id, created, model }: Fields): Pick<ReplyChunk, 'id' | 'created' | 'model'> {
  const time = numberOf(created);
  return {
    ...(textOf(id) !== '' && { id: textOf(id) }),
    ...(time !== undefined && { created: time }),
    ...(textOf(model) !== '' && { model: textOf(model) }),
  };
}

const chunkOf = (
  delta: Delta,
  {
    finish_reason = null,
    usage,
    ...names
  }: Pick<ReplyChunk, 'id' | 'created' | 'model'> & {
    finish_reason?: FinishReason | null;
    usage?: Fields | undefined;
  } = {},
): EventReading => ({
  type: 'chunk',
  chunk: { ...names, choices: [{ index: 0, delta, finish_reason }], ...(usage !== undefined && { usage }) },
});
