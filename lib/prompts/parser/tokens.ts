import { type HarmonyMessage, readHarmonyHeader } from '../grammars/harmony.ts';
import { readToken } from '../grammars/tag.ts';
import { PARSER_LIMITS } from '../limits.ts';
import { CLOSING_TOKENS, END_TOKENS, RESULT_MARKERS, START_TOKENS } from '../markers.ts';
import type { Reply } from '../reply.ts';
import type { Reading } from '../source.ts';
import type { Calls } from './calls.ts';
import type { Prose } from './prose.ts';
import type { Thoughts } from './thoughts.ts';

/**
 * Reads special tokens of templates, which a server should not have let through: the ends and beginnings of messages, and
 * gpt-oss's messages with their headers. Drops the rest of the reply where the model begins to invent a message of somebody
 * else.
 */
export class Tokens {
  readonly #reply: Reply;
  readonly #prose: Prose;
  readonly #thoughts: Thoughts;
  readonly #calls: Calls;

  constructor(reply: Reply, prose: Prose, thoughts: Thoughts, calls: Calls) {
    this.#reply = reply;
    this.#prose = prose;
    this.#thoughts = thoughts;
    this.#calls = calls;
  }

  /** Reads a token that is not shown and does not begin calls. */
  *read(): Reading<boolean> {
    const { source } = this.#reply;
    const start = source.hold();
    const token = yield* readToken(source);
    if (token === undefined) {
      source.rewind(start);
      return (yield* source.accept('<end_of_turn>')) || (yield* source.accept('<eos>'));
    }
    const { isBehindCall } = this.#prose;
    if (END_TOKENS.has(token) || (isBehindCall && CLOSING_TOKENS.has(token))) {
      source.release(start);
      if (END_TOKENS.has(token)) this.#prose.endMessage();
      return true;
    }
    if (START_TOKENS.has(token) && (this.#prose.isOver || isBehindCall || (yield* this.#isLast()))) {
      source.release(start);
      return (yield* this.#acceptOwnHeader()) || (yield* this.#dropRest());
    }
    source.rewind(start);
    if (isBehindCall && RESULT_MARKERS.has(token)) return yield* this.#dropRest();
    return CLOSING_TOKENS.has(token) && token !== 'close' && (yield* readToken(source)) !== undefined;
  }

  /** Checks whether only white space follows, and the marker here is not just mentioned in prose. */
  *#isLast(): Reading<boolean> {
    const { source } = this.#reply;
    if (this.#prose.position.isBetweenWords) return false;
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

  *#dropRest(): Reading<true> {
    yield* this.#reply.source.finish();
    return true;
  }

  /** Reads a message in gpt-oss's form: its header, and its reasoning or its call. Its text is read as any other. */
  *readMessage(): Reading<boolean> {
    const reply = this.#reply;
    const { calls } = reply.output;
    let kind: HarmonyMessage | undefined;
    const isMessage = yield* reply.attempt(
      (function* () {
        kind = yield* readHarmonyHeader(reply);
      })(),
    );
    if (!isMessage) return false;
    this.#calls.endSince(calls);
    if (kind === 'text') reply.output.separate('text-delta');
    if (kind === 'reasoning')
      yield* this.#thoughts.readUntil(['<|end|>', '<|return|>', '<|call|>'], ['<|start|>', '<|channel|>']);
    this.#prose.startLine();
    return true;
  }
}
