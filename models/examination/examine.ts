import type { ModelMessage } from 'ai';
import { isContextTooLong, isToolsRefusal } from '#lib/agent/problems.ts';
import { defined } from '#lib/base/defined.ts';
import type { Problem } from '#lib/messages/message.ts';
import type { ProtocolSettings } from '#lib/prompts/codec.ts';
import { codecOf } from '#lib/prompts/codecs/codecs.ts';
import type { Check, ExaminationEvent, ExaminationReport, Finding } from '#lib/wire/examination.ts';
import type { Question, Reply } from './ask.ts';
import { type Conclusion, conclude } from './conclude.ts';
import type { ExaminedModel } from './examined-model.ts';
import { formOf } from './form-of.ts';
import {
  cityCalls,
  DICTATION,
  GREETING,
  NOTE_SAVED,
  type NoteCall,
  namesNumber,
  needlePrompt,
  noteCall,
  systemPrompt,
  TWO_CITIES,
} from './probes.ts';
import { ANSWER_TOKENS, LONG_ANSWER_TOKENS, Questions, Unfinished } from './questions.ts';
import { limitIn, windowSeen } from './window-seen.ts';

/** The limit of replies whose content does not matter, in tokens. Some endpoints refuse a lower limit. */
const LEAST_ANSWER_TOKENS = 16;

/** The length of the longest prompt, in tokens. */
const LONGEST_PROMPT_TOKENS = 16_000;
/** The minimum length of a token, in characters of plain English. */
const CHARACTERS_PER_TOKEN = 3.5;

/** The number of tokens by which an endpoint's counts of the same prompt may differ. */
const SAME_TOKENS = 8;

/**
 * The number of tokens by which a prompt has to get shorter when tools are added to it before its system prompt counts as left
 * out.
 */
const LOST_TOKENS = 40;

/** Special tokens of templates, which no reply should contain. */
const TEMPLATE_TOKENS = /<\|[a-z_]{2,30}\|>|<\/?(?:start|end)_of_turn>|<\/s>|\[\/?INST\]|<｜[a-z▁_ ]{1,40}｜>/i;

/**
 * Examines in at most `EXAMINATION_REQUESTS_MAX` requests how a model calls tools, and how large its context window is. The
 * stream has the checks, requests, and findings as they come, and the report last. After a failure that says nothing about the
 * model, the report's verdict is `unfinished`. The stream fails only if the signal aborts; cancelling it ends the examination.
 */
export function examine(examined: ExaminedModel): ReadableStream<ExaminationEvent> {
  const ending = new AbortController();
  const signal = AbortSignal.any([examined.signal, ending.signal]);
  return new ReadableStream({
    start(controller) {
      const examination = new Examination({ ...examined, signal }, (event) => {
        if (!signal.aborted) controller.enqueue(event);
      });
      examination.run().then(
        () => signal.aborted || controller.close(),
        (error: unknown) => ending.signal.aborted || controller.error(error),
      );
    },
    cancel: () => ending.abort(),
  });
}

interface Native {
  call: NoteCall | undefined;
  reply: Reply;
}

class Examination {
  readonly #examined: ExaminedModel;
  readonly #emit: (event: ExaminationEvent) => void;
  readonly #findings: Finding[] = [];
  /** The number of tokens that tools add to the prompt; undefined if the endpoint does not count. */
  #toolTokens: number | undefined;
  /** The number of characters of plain English that the endpoint counts as a token; undefined if it does not count. */
  #charactersPerToken: number | undefined;
  #protocol: ProtocolSettings | undefined;
  readonly #questions: Questions;

  constructor(examined: ExaminedModel, emit: (event: ExaminationEvent) => void) {
    this.#examined = examined;
    this.#emit = emit;
    this.#questions = new Questions(examined, emit);
  }

  async run(): Promise<void> {
    let conclusion: Conclusion | undefined;
    let problem: Problem | undefined;
    try {
      await this.#steps();
    } catch (error) {
      this.#examined.signal.throwIfAborted();
      const isUnfinished = error instanceof Unfinished;
      problem = isUnfinished ? error.problem : this.#examined.describe(error);
      const verdict = isUnfinished ? 'unfinished' : 'unusable';
      conclusion = { verdict, because: problem.code, use: {}, recommendations: [] };
    }
    conclusion ??= conclude({ findings: this.#findings, protocol: this.#protocol });
    const report: ExaminationReport = {
      ...conclusion,
      ...defined({ detail: problem?.detail }),
      findings: this.#findings,
      ...this.#questions.count,
      at: Date.now(),
    };
    this.#emit({ type: 'report', report });
  }

  async #steps(): Promise<void> {
    this.#begin('tools');
    let native: Native | undefined;
    if (await this.#acceptsTools()) {
      this.#begin('call');
      native = await this.#callNatively();
    }
    if (native?.call?.isReadable === true && !this.#has('call', 'in-text')) {
      this.#begin('parallel');
      await this.#callTwice();
      this.#begin('result');
      await this.#answer('result', native.reply);
    }
    const mayHaveLostSystem = this.#mayHaveLostSystem(native?.call);
    const { because } = conclude({ findings: this.#findings, protocol: undefined });
    if (mayHaveLostSystem || because !== 'native-works') {
      this.#begin('prompted');
      const prompted = await this.#callInText();
      // With the tools in the prompt, the model knows what it did not know before.
      if (mayHaveLostSystem) this.#find('tools', prompted?.knowsReference === true ? 'system-lost' : 'kept');
    }
    this.#begin('window');
    await this.#findWindow();
  }

  #begin(check: Check): void {
    this.#emit({ type: 'check', check });
  }

  #find(check: Check, code: string, value?: string | number): void {
    const finding: Finding = { check, code, ...defined({ value }) };
    this.#findings.push(finding);
    this.#emit({ type: 'finding', finding });
  }

  #has(check: Check, code: string): boolean {
    return this.#findings.some((finding) => finding.check === check && finding.code === code);
  }

  /** Rethrows an error that says nothing about the model; returns the endpoint's words for any other. */
  #wordsOf(error: unknown): string {
    this.#examined.signal.throwIfAborted();
    if (error instanceof Unfinished) throw error;
    return this.#examined.describe(error).detail;
  }

  /** Sends the same greeting with and without tools. Resolves with whether the endpoint accepts tools. */
  async #acceptsTools(): Promise<boolean> {
    const question = { messages: [user(GREETING)], maxOutputTokens: LEAST_ANSWER_TOKENS };
    const without = await this.#questions.ask({ ...question, tools: [] });
    this.#questions.nextDay();
    let reply: Reply;
    try {
      reply = await this.#questions.ask(question);
    } catch (error) {
      // Without tools, it has just answered.
      this.#find('tools', 'refused', this.#wordsOf(error));
      return false;
    }
    if (isCounted(without) && isCounted(reply)) {
      this.#toolTokens = reply.inputTokens - without.inputTokens;
      this.#charactersPerToken = (systemPrompt(this.#questions.day).length + GREETING.length) / without.inputTokens;
    }
    return true;
  }

  /** Has the model make one native call with awkward arguments; undefined if that fails. */
  async #callNatively(): Promise<Native | undefined> {
    const question = { messages: [user(DICTATION)] };
    let reply: Reply;
    try {
      reply = await this.#questions.ask({ ...question, isForced: true }).catch((error: unknown) => {
        this.#wordsOf(error);
        // Some endpoints cannot force a call.
        return this.#questions.ask(question);
      });
      // Chats force no calls, and small models that are forced may write without end.
      if (reply.isCut && !isReadable(reply) && !reply.hasReasoning && this.#questions.left >= 1)
        reply = await this.#questions.ask(question);
    } catch (error) {
      const words = this.#wordsOf(error);
      if (isToolsRefusal(error)) this.#find('tools', 'refused', words);
      else this.#find('call', 'unreadable', words);
      return undefined;
    }
    const call = noteCall(reply.calls);
    if (reply.isCut && !isReadable(reply) && reply.hasReasoning) throw new Unfinished(STILL_THINKING);
    this.#judgeTools(call);
    this.#judgeCall(reply, call);
    return { call, reply };
  }

  /**
   * Checks whether it is still unknown if the endpoint drops the system prompt when there are tools. Only a prompted call can
   * tell.
   */
  #mayHaveLostSystem(call: NoteCall | undefined): boolean {
    if (call?.isReadable !== true || call.knowsReference) return false;
    return this.#toolTokens === undefined || this.#toolTokens < -LOST_TOKENS;
  }

  #judgeTools(call: NoteCall | undefined): void {
    const added = this.#toolTokens;
    if (this.#mayHaveLostSystem(call)) return;
    if (call?.isReadable === true) this.#find('tools', 'kept');
    else if (added === undefined) this.#find('tools', 'not-counted');
    else if (Math.abs(added) <= SAME_TOKENS) this.#find('tools', 'dropped');
    else this.#find('tools', added < -LOST_TOKENS ? 'system-lost' : 'kept');
  }

  #judgeCall(reply: Reply, call: NoteCall | undefined): void {
    const wire = this.#examined.wire.latest();
    if (reply.nativeCalls === 0) {
      const form = formOf(reply.rawText);
      if (call !== undefined || form !== undefined) this.#find('call', 'in-text', form ?? '');
      else this.#find('call', 'none');
    } else if (call?.isReadable !== true) this.#find('call', 'unreadable');
    else {
      this.#find('call', call.isExact ? 'native' : 'inexact');
      this.#find('call', reply.argumentPieces > 1 ? 'streamed' : 'at-once');
      if (wire?.hasArgumentsAsObject === true) this.#find('call', 'arguments-as-object');
    }
    if (wire?.lacksFinishReason === true) this.#find('call', 'no-finish-reason');
    this.#judgeText(reply);
  }

  #judgeText({ rawText }: Reply): void {
    const token = TEMPLATE_TOKENS.exec(formOf(rawText) === undefined ? rawText : '')?.[0];
    if (token !== undefined && !this.#has('call', 'template-tokens')) this.#find('call', 'template-tokens', token);
  }

  /** Has the model make two calls that do not depend on each other. */
  async #callTwice(): Promise<void> {
    if (this.#questions.left < 1) return;
    let reply: Reply;
    try {
      reply = await this.#questions.ask({ messages: [user(TWO_CITIES)] });
    } catch (error) {
      this.#find('parallel', 'failed', this.#wordsOf(error));
      return;
    }
    const wire = this.#examined.wire.latest();
    const form = reply.nativeCalls === 0 ? formOf(reply.rawText) : undefined;
    const found = cityCalls(reply.calls);
    // Nobody forces it to use the server's form here.
    if (form !== undefined) this.#find('call', 'in-text', form);
    else if (found !== 'none' || !reply.isCut) this.#find('parallel', found);
    if (wire?.hasSameIndex === true) this.#find('parallel', 'same-index');
    if (wire?.hasSameId === true) this.#find('parallel', 'same-id');
    this.#judgeText(reply);
  }

  /** Gives the model the result of its call, and checks whether it uses that in its answer. `how`: the mode of the call. */
  async #answer(check: 'result' | 'prompted', { messages }: Reply, how: Partial<Question> = {}): Promise<void> {
    const made = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
    const results = made.flatMap((part) =>
      part.type === 'tool-call'
        ? [{ type: 'tool-result' as const, ...callOf(part), output: { type: 'text' as const, value: NOTE_SAVED } }]
        : [],
    );
    if (results.length === 0 || this.#questions.left < 1) return;
    const result: ModelMessage = { role: 'tool', content: results };
    let reply: Reply;
    try {
      reply = await this.#questions.ask({ ...how, messages: [user(DICTATION), ...messages, result] });
    } catch (error) {
      this.#find(check, 'failed', this.#wordsOf(error));
      return;
    }
    if (namesNumber(reply.text)) this.#find(check, 'answered');
    else if (!reply.isCut) this.#find(check, 'ignored');
    if (check === 'prompted') return;
    if (reply.hasReasoning)
      this.#find('result', /<think/i.test(reply.rawText) ? 'reasoning-in-text' : 'reasoning-apart');
    this.#judgeText(reply);
  }

  /**
   * Describes the tools in the prompt, with one codec after another, until the model's call can be read; undefined if none
   * can.
   */
  async #callInText(): Promise<NoteCall | undefined> {
    const usual = this.#examined.model.protocol?.codec ?? this.#examined.model.traits.codec;
    const codecs = [usual, ...['object', 'json'].filter((codec) => codec !== usual)];
    for (const codec of codecs) {
      if (this.#questions.left < 1) return undefined;
      const protocol = { codec, compact: codecOf(codec).isBrief === true, examples: true };
      const how = { toolCalling: 'prompted', protocol } as const;
      const reply = await this.#questions.ask({ ...how, messages: [user(DICTATION)] }).catch((error: unknown) => {
        this.#wordsOf(error);
        return undefined;
      });
      const call = noteCall(reply?.calls ?? []);
      if (reply === undefined || call?.isReadable !== true) continue;
      this.#protocol = protocol;
      this.#find('prompted', 'readable', codec);
      await this.#answer('prompted', reply, how);
      return call;
    }
    this.#find('prompted', 'unreadable');
    return undefined;
  }

  async #findWindow(): Promise<void> {
    const { model, measuresWindow, servedWindow, signal } = this.#examined;
    const said = await servedWindow(signal);
    if (said !== undefined) this.#find('window', 'said', said);
    if (measuresWindow) await this.#measureWindow(said ?? model.contextSize);
    else if (said === undefined) this.#find('window', 'asks-first');
  }

  /** Sends a long prompt, and finds out how much of it has arrived. `claimed`: the window that is known, in tokens. */
  async #measureWindow(claimed: number | undefined): Promise<void> {
    const tokens = Math.min(LONGEST_PROMPT_TOKENS, (claimed ?? LONGEST_PROMPT_TOKENS) - ANSWER_TOKENS);
    if (tokens < ANSWER_TOKENS) return;
    const prompt = needlePrompt(tokens * CHARACTERS_PER_TOKEN, this.#questions.day);
    let reply: Reply;
    try {
      reply = await this.#questions.ask({ system: '', tools: [], messages: [user(prompt)], isLong: true });
    } catch (error) {
      // The findings about the tools stand in any case.
      this.#examined.signal.throwIfAborted();
      const { detail } = error instanceof Unfinished ? error.problem : this.#examined.describe(error);
      if (isContextTooLong(error)) this.#find('window', 'refused-longer', limitIn(detail));
      else this.#find('window', 'failed', detail);
      return;
    }
    const { code, value } = windowSeen({
      reply,
      prompt,
      tokens,
      claimed,
      charactersPerToken: this.#charactersPerToken,
    });
    this.#find('window', code, value);
  }
}

const STILL_THINKING: Problem = {
  code: 'reply-cut',
  detail: `The reply was not over after ${LONG_ANSWER_TOKENS} tokens.`,
};

/** Checks whether the note that was asked for can be read from a reply. */
const isReadable = ({ calls }: Reply): boolean => noteCall(calls)?.isReadable === true;

/** Checks whether an endpoint counted a reply's prompt. */
const isCounted = (reply: Reply): reply is Reply & { inputTokens: number } => (reply.inputTokens ?? 0) > 0;

const callOf = ({ toolCallId, toolName }: { toolCallId: string; toolName: string }) => ({ toolCallId, toolName });

const user = (content: string): ModelMessage => ({ role: 'user', content });
