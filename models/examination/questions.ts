import { setTimeout as sleep } from 'node:timers/promises';
import { isCircumstance, isContextTooLong, isRefusal, StepError } from '#lib/agent/problems.ts';
import type { Problem } from '#lib/messages/message.ts';
import { EXAMINATION_REQUESTS_MAX, type ExaminationEvent } from '#lib/wire/examination.ts';
import { ask, type Question, type Reply } from './ask.ts';
import type { ExaminedModel } from './examined-model.ts';
import { systemPrompt, TOOLS } from './probes.ts';

/** The usual limit of a reply in an examination, in tokens, with room for thoughts and a call. */
export const ANSWER_TOKENS = 1_500;
/** The limit of a reply of a model that thinks for longer than `ANSWER_TOKENS`, in tokens. */
export const LONG_ANSWER_TOKENS = 6_000;

/** The maximum time of one request, in milliseconds. */
const REQUEST_MS = 180_000;

/**
 * Thrown for a problem during an examination that says nothing about the model, such as a rate limit. It ends the examination
 * with the verdict `unfinished`.
 */
export class Unfinished extends Error {
  override readonly name = 'Unfinished';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

type Asked = Pick<Question, 'messages'> &
  Partial<Question> & {
    /** Whether the question is about the length of its own prompt. */
    isLong?: boolean;
  };

/** Codes of problems that say nothing about the model, and may be over after a pause. */
const MAY_PASS: ReadonlySet<string> = new Set(['rate-limited', 'endpoint-error', 'stream-broken']);

/** The names that endpoints use for the limit of a reply when they refuse it. */
const OUTPUT_LIMIT = /max[_ ]?(?:completion|output|new)?[_ ]?tokens/i;

/** Sends and counts the requests of one examination. */
export class Questions {
  readonly #examined: ExaminedModel;
  readonly #emit: (event: ExaminationEvent) => void;
  /** The numbers of requests that were sent, and of tokens that the endpoint counted. */
  readonly count = { requests: 0, inputTokens: 0, outputTokens: 0 };
  #answerTokens = ANSWER_TOKENS;
  /**
   * Whether requests limit the length of replies. Some endpoints refuse the parameter, or a limit above what their window
   * leaves.
   */
  #isLimited = true;
  /**
   * The details of errors with which a request has been refused, or has failed twice. A request that fails with one of them
   * again is not repeated.
   */
  readonly #confirmed = new Set<string>();
  /** Makes the prompts of this examination unlike those of others. */
  #day = 1_000 + Math.floor(Math.random() * 8_000);

  constructor(examined: ExaminedModel, emit: (event: ExaminationEvent) => void) {
    this.#examined = examined;
    this.#emit = emit;
  }

  /** The number that prompts contain near their beginning, so that no endpoint has them in its cache. */
  get day(): number {
    return this.#day;
  }

  /** Makes later prompts differ from the earlier ones, so that no endpoint has them in its cache. */
  nextDay(): void {
    this.#day++;
  }

  /** The number of requests that are left, besides the one for the window. */
  get left(): number {
    return EXAMINATION_REQUESTS_MAX - this.count.requests - (this.#examined.measuresWindow ? 1 : 0);
  }

  /**
   * Asks the model with the usual system prompt, tools, native mode, and limit of the reply; `question` has the messages, and
   * the parts that are to differ. If the reply was cut while the model was still thinking, asks again with a higher limit,
   * which then stays.
   */
  async ask(question: Asked): Promise<Reply> {
    const reply = await this.#askPatiently(question);
    const isThinking = reply.isCut && reply.hasReasoning && reply.calls.length === 0 && reply.text.trim() === '';
    const isLimited = question.maxOutputTokens !== undefined || this.#answerTokens === LONG_ANSWER_TOKENS;
    if (isLimited || !isThinking || this.left < 1) return reply;
    this.#answerTokens = LONG_ANSWER_TOKENS;
    return this.#askPatiently(question);
  }

  /**
   * Asks, and once more after a pause if that fails, unless the endpoint has refused the request as such. If the endpoint
   * refuses the limit for the reply, asks again without one, which then stays so. Rejects with `Unfinished` for a problem that
   * says nothing about the model, and otherwise with the error of a request that was refused, or failed twice.
   */
  async #askPatiently(question: Asked): Promise<Reply> {
    let isRepeated = false;
    for (;;)
      try {
        return await this.#askOnce(question);
      } catch (error) {
        this.#examined.signal.throwIfAborted();
        const problem = this.#examined.describe(error);
        if (this.#isAboutLimit(question, error, problem)) {
          if (this.left < 1) throw new Unfinished(problem);
          this.#isLimited = false;
          continue;
        }
        const isPassing = isCircumstance(error);
        const isCertain = isRefusal(error) || error instanceof StepError || this.#confirmed.has(problem.detail);
        if (!isPassing && (isRepeated || isCertain)) {
          this.#confirmed.add(problem.detail);
          throw error;
        }
        const mayPass = !isPassing || MAY_PASS.has(problem.code);
        if (isRepeated || !mayPass || this.left < 1) throw new Unfinished(problem);
        isRepeated = true;
        await sleep(this.#examined.pauseMs, undefined, { signal: this.#examined.signal });
      }
  }

  #isAboutLimit({ isLong = false }: Asked, error: unknown, { detail }: Problem): boolean {
    if (!this.#isLimited || isLong || !isRefusal(error)) return false;
    return OUTPUT_LIMIT.test(detail) || isContextTooLong(error);
  }

  async #askOnce({ isLong: _, ...question }: Asked): Promise<Reply> {
    const number = ++this.count.requests;
    this.#emit({ type: 'request', number });
    const { maxOutputTokens: __, ...withoutLimit } = question;
    const usual = { system: systemPrompt(this.#day), tools: TOOLS, toolCalling: 'native' } as const;
    const reply = await ask(
      this.#examined.model,
      this.#isLimited ? { ...usual, maxOutputTokens: this.#answerTokens, ...question } : { ...usual, ...withoutLimit },
      AbortSignal.any([this.#examined.signal, AbortSignal.timeout(REQUEST_MS)]),
    );
    this.count.inputTokens += reply.inputTokens ?? 0;
    this.count.outputTokens += reply.outputTokens ?? 0;
    return reply;
  }
}
