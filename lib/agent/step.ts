// More than 400 lines: one step of the agent, with everything that belongs to it.
import { type TextStreamPart, type ToolSet, toUIMessageChunk } from 'ai';
import { messageOf } from '#lib/base/message-of.ts';
import { applyChunk, pendingCalls } from '#lib/messages/apply-chunk.ts';
import type { StudioChunk } from '#lib/messages/chunk.ts';
import type {
  AssistantMessage,
  Message,
  Notice,
  PromptSettings,
  ToolCallingMode,
  ToolCallPart,
} from '#lib/messages/message.ts';
import { restore } from '#lib/prompts/inert.ts';
import type { Catalogue } from '#lib/tools/catalogue/catalogue.ts';
import { readsHere } from '#lib/tools/core/reads-here.ts';
import type { AgentModel } from './agent-model.ts';
import { callModel } from './call-model.ts';
import { compactionsOf } from './compaction/applied.ts';
import { type CompactionOptions, compact } from './compaction/compact.ts';
import { reasoningSettings, writesCallsAsText } from './earlier-steps.ts';
import { isEmptyReply, thoughtAsAnswer } from './empty-reply.ts';
import { exactCall } from './exact-call.ts';
import { type AgentLimits, EMPTY_REPLY_RETRIES } from './limits.ts';
import {
  BrokenStream,
  isContextTooLong,
  isReasoningMissing,
  isToolsRefusal,
  problemCode,
  StepError,
} from './problems.ts';
import { projectSettings } from './project-notice.ts';
import { type BuiltPrompt, buildPrompt, wholePrompt } from './prompt.ts';
import { hashLater, recordPrompt } from './prompt-record.ts';
import { totalOf } from './prompt-sections.ts';
import { originsOf } from './provenance.ts';
import { repeatedCall } from './repeats.ts';
import { endNotices, replyNotes, type StepEnd } from './step-end.ts';
import { StepWindow } from './step-window.ts';
import { scaleOf, tokenScaleOf } from './token-scale.ts';
import { countedTokens } from './tokens.ts';
import type { ToolNaming } from './tool-names.ts';
import { toolSettings } from './tool-settings.ts';

/** The log of a step's events, with fields as data. */
interface AgentLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Options of one step. */
export interface StepOptions {
  /** The branch, ending with the turn. */
  messages: readonly Message[];
  model: AgentModel;
  /** The tools on offer; of these, the model gets those of the enabled toolsets. */
  catalogue: Catalogue;
  /** The settings of the step that the caller gives; the step records them. */
  settings: Pick<PromptSettings, 'systemPrompt' | 'toolsets' | 'toolCalling' | 'catalogue'>;
  limits: AgentLimits;
  /** Ends the request; the step then rejects with the signal's reason. */
  abortSignal: AbortSignal | undefined;
  /** Called with each chunk, in order. The turn that the step resolves with is the given one with these applied. */
  emit(chunk: StudioChunk): void;
  /** Options for compacting the conversation; without them, it is never compacted. */
  compaction?: CompactionOptions | undefined;
  /** Returns how many tokens the model counts for each estimated one, according to other threads; undefined if unknown. */
  scaleOf?(mode: ToolCallingMode): number | undefined;
  /** Called when the model's server has reported a usable count: `scale` is its tokens for each estimated one. */
  onScale?(mode: ToolCallingMode, scale: number): void;
  /** Called when native tools were refused, or given up for calls in text, and the step goes on with prompted ones. */
  onToolsRefused?(): void;
  /** Called when a model with native tools has made calls. `inText`: as text, which its server did not recognize. */
  onNativeCalls?(inText: boolean): void;
  log?: AgentLog;
}

/**
 * Takes one step of a turn: one streamed model call, repeated within limits where that can help. Resolves with the turn as
 * the step leaves it. Rejects if the step fails, with `StepError` or whatever the model call threw; secrets in such an error
 * are not removed.
 */
export function takeStep(options: StepOptions): Promise<AssistantMessage> {
  return new Step(options).run();
}

/** Returns the turn, which is the last message. Throws an `Error` if the last message is not an assistant's. */
export function turnOf({ messages }: { messages: readonly Message[] }): AssistantMessage {
  const last = messages.at(-1);
  if (last?.role !== 'assistant') throw new Error('The branch does not end with an assistant message.');
  return last;
}

/** The result of calls in a turn's last allowed step. They do not run, but every call has a result (rules R1, R14). */
const OUT_OF_STEPS = 'Not run: this turn has reached its step limit.';
/**
 * The result of calls in a step that is the turn's last one because the turn kept repeating its calls. They do not run, either.
 */
const REPEATED = 'Not run: the same calls had the same results before, so you were asked to answer.';

const SILENT: AgentLog = { debug: () => undefined, info: () => undefined, warn: () => undefined };

class Step {
  readonly #options: StepOptions;
  readonly #log: AgentLog;
  #turn: AssistantMessage;
  #settings: PromptSettings;
  #notices: Notice[] = [];
  /** The call that the turn keeps repeating; undefined if it repeats none. */
  readonly #repeated: ToolCallPart | undefined;
  readonly #window: StepWindow;
  /** The latest prompt. */
  #prompt: BuiltPrompt | undefined;

  constructor(options: StepOptions) {
    const { messages, model, settings, limits, log = SILENT } = options;
    this.#options = options;
    this.#window = new StepWindow(options);
    this.#log = log;
    this.#turn = turnOf({ messages });
    const stepsTaken = this.#turn.parts.filter(({ type }) => type === 'step').length;
    this.#repeated = repeatedCall(this.#turn, settings.toolCalling);
    const repeats = this.#repeated !== undefined;
    this.#settings = {
      ...settings,
      ...this.#window.room(settings),
      ...this.#scale(settings.toolCalling),
      layout: 2,
      ...reasoningSettings(messages, model.id),
      ...appliedCompactions(messages),
      ...projectSettings(options.catalogue),
      lastStep: repeats || stepsTaken + 1 >= limits.maxSteps,
      ...(repeats && { repeats }),
    };
  }

  /**
   * Takes the step. Tries again, within limits, where that can help: with prompted tools, with reasoning that was left out,
   * with a shorter prompt, or after an empty reply.
   */
  async run(): Promise<AssistantMessage> {
    const { messages, model } = this.#options;
    if (model.toolCalling === 'auto' && writesCallsAsText(messages, model.id)) {
      const reason = { code: 'calls-in-text', isGivenUp: true } as const;
      if (this.#canPrompt()) this.#fallBackToPrompted(reason);
      // The caller has noticed it, too: the tools are already prompted.
      else this.#notices = [{ ...reason, model: model.id }];
    }
    await this.#compact();
    let emptyReplies = 0;
    let shrunk = false;
    for (;;) {
      const before = this.#turn;
      try {
        const outcome = await this.#stream(emptyReplies === EMPTY_REPLY_RETRIES);
        if (outcome === 'finished') return this.#turn;
        if (outcome === 'empty' && ++emptyReplies > EMPTY_REPLY_RETRIES)
          throw new StepError('empty-reply', 'The model sent an empty reply.');
      } catch (error) {
        this.#options.abortSignal?.throwIfAborted();
        if (this.#canPrompt() && isToolsRefusal(error)) this.#fallBackToPrompted({ code: 'tools-refused' });
        else if (this.#settings.wantsReasoning === undefined && isReasoningMissing(error))
          this.#settings = { ...this.#settings, wantsReasoning: true };
        else if (!shrunk && this.#prompt !== undefined && isContextTooLong(error)) {
          shrunk = true;
          this.#settings = this.#window.afterRefusal(error, this.#prompt, this.#settings);
        } else throw error;
      }
      if (this.#turn.parts !== before.parts) this.#emit({ type: 'reset-step' });
    }
  }

  #scale(toolCalling: ToolCallingMode): Pick<PromptSettings, 'tokenScale'> {
    const { messages, model, scaleOf } = this.#options;
    return { tokenScale: tokenScaleOf(messages, { model: model.id, toolCalling, remembered: scaleOf?.(toolCalling) }) };
  }

  /**
   * Compacts the conversation, if it is time to. If that fails, the failure is emitted, and the step is taken anyway. Rejects
   * with `StepError` if a known window has no room for any message, or not for the newest question.
   */
  async #compact(): Promise<void> {
    const { messages, model, catalogue, limits, compaction, abortSignal } = this.#options;
    if (compaction === undefined) return;
    const promptOptions = promptOptionsOf(model, catalogue, limits);
    const whole = wholePrompt(messages, this.#settings, promptOptions);
    // A step that cannot be taken needs no summary.
    this.#window.requireRoom(whole, this.#settings);
    const parts = await compact({
      messages,
      model,
      whole,
      abortSignal,
      settings: this.#settings,
      options: compaction,
      promptOptions,
      maxRetries: limits.maxRetries,
      onStart: () => this.#emit({ type: 'data-compacting', data: {} }),
    });
    for (const part of parts) {
      this.#emit({ type: 'data-compaction', data: part });
      const [before, after] = [totalOf(part.before), totalOf(part.after)];
      this.#log.info({ model: model.id, before, after, failed: part.failed?.reason }, 'compacted');
    }
    if (parts.length > 0)
      this.#settings = { ...this.#settings, ...appliedCompactions([...messages.slice(0, -1), this.#turn]) };
  }

  /** Checks whether the turn's step before this one ended before a call that needed the result of an earlier one. */
  #wasPostponed(): boolean {
    const before = this.#turn.parts.findLast(({ type }) => type === 'step');
    return before?.type === 'step' && before.notices.some(({ code }) => code === 'call-postponed');
  }

  #canPrompt(): boolean {
    return this.#settings.toolCalling === 'native' && this.#options.model.toolCalling === 'auto';
  }

  /** Goes on with prompted tools, for the given reason. */
  #fallBackToPrompted(reason: { code: 'tools-refused' } | { code: 'calls-in-text'; isGivenUp: true }): void {
    const { model, catalogue, onToolsRefused } = this.#options;
    onToolsRefused?.();
    this.#log.warn(
      { model: model.id, reason: reason.code },
      'native tools do not work; falling back to prompted tools',
    );
    const { mainToolsOnly: _, ...native } = this.#settings;
    const settings: PromptSettings = { ...native, toolCalling: 'prompted', ...this.#scale('prompted') };
    this.#settings = { ...settings, ...toolSettings(model, catalogue, settings) };
    this.#notices = [{ ...reason, model: model.id }];
  }

  /**
   * Makes one try at the step. `empty`: the reply is empty. `cut`: the model's server has left out a part of the prompt; the
   * next prompt is smaller. `isLastTry`: thoughts without an answer count as the answer.
   */
  async #stream(isLastTry: boolean): Promise<'finished' | 'empty' | 'cut'> {
    const { messages, model, catalogue, limits, abortSignal } = this.#options;
    const startedAt = performance.now();
    // With what was compacted in this step, but without what an earlier try at it has brought.
    const branch = [...messages.slice(0, -1), this.#turn];
    const prompt = await buildPrompt(branch, this.#settings, promptOptionsOf(model, catalogue, limits));
    this.#prompt = prompt;
    this.#window.requireRoom(prompt, this.#settings);
    let promptHash = Promise.resolve('');
    const ending = new AbortController();
    const result = callModel({
      model,
      prompt,
      settings: this.#settings,
      maxRetries: limits.maxRetries,
      // A model that writes the same again would never get to the call.
      postpones: !this.#wasPostponed(),
      abortSignal: AbortSignal.any([ending.signal, ...(abortSignal === undefined ? [] : [abortSignal])]),
      onRetry: (retry) => this.#emit({ type: 'data-retry', data: retry }),
      innermost: recordPrompt((record) => {
        promptHash = hashLater(record);
      }),
    });
    let begun = false;
    let end: StepEnd | undefined;
    let length = 0;
    for await (const part of result.stream) {
      length += lengthOf(part);
      if (length > limits.replyMaxChars) {
        ending.abort();
        const detail = `The reply is longer than the ${limits.replyMaxChars} characters that REPLY_MAX_CHARS allows.`;
        throw new StepError('reply-too-long', detail);
      }
      if (part.type === 'error') throw begun ? brokenStream(part.error) : part.error;
      if (part.type === 'abort') break;
      if (part.type === 'finish-step') end = part;
      if (part.type === 'start-step' && !begun) {
        begun = true;
        this.#emit({ type: 'start-step' });
        this.#emit({
          type: 'data-step',
          data: {
            model: model.id,
            provider: model.provider,
            settings: this.#settings,
            promptHash: await promptHash,
            estimatedTokens: prompt.tokens,
          },
        });
        this.#log.debug(
          { model: model.id, toolCalling: this.#settings.toolCalling, ms: elapsed(startedAt) },
          'step started',
        );
      }
      this.#forward(part, prompt.naming);
    }
    abortSignal?.throwIfAborted();
    if (end === undefined || end.finishReason === 'interrupted')
      throw new StepError('stream-broken', 'The model’s stream ended before its reply was finished.');
    const smaller = await this.#window.afterCut(prompt, this.#settings, end.usage);
    if (smaller !== undefined) {
      this.#settings = smaller;
      return 'cut';
    }
    if (isEmptyReply(this.#turn, end)) {
      const answer = isLastTry ? thoughtAsAnswer(this.#turn) : [];
      if (answer.length === 0) return 'empty';
      for (const chunk of answer) this.#emit(chunk);
      this.#notices = [...this.#notices, { code: 'thought-as-answer' }];
    }
    await this.#finish(end, prompt, elapsed(startedAt));
    return 'finished';
  }

  #forward(part: TextStreamPart<ToolSet>, naming: ToolNaming): void {
    switch (part.type) {
      case 'text-start':
      case 'text-delta':
      case 'text-end':
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end':
      case 'tool-input-start':
      case 'tool-input-delta':
      case 'tool-call': {
        const chunk = toUIMessageChunk(part, {
          onError: (error) => messageOf(error),
        });
        if (chunk === undefined) break;
        const sent = ('toolName' in chunk ? { ...chunk, toolName: naming.real(chunk.toolName) } : chunk) as StudioChunk;
        // Complete arguments with a number that JavaScript would round become an error, so the call does not run.
        this.#emit(sent.type === 'tool-input-available' ? exactCall(this.#turn, sent) : sent);
        break;
      }
      default:
    }
  }

  async #finish(end: StepEnd, prompt: BuiltPrompt, durationMs: number): Promise<void> {
    const { model } = this.#options;
    const { finishReason, usage } = end;
    const notices = endNotices(end, {
      ...this.#options,
      prompt,
      settings: this.#settings,
      turn: this.#turn,
      repeated: this.#repeated,
      earlier: [...this.#notices, ...(this.#window.notice === undefined ? [] : [this.#window.notice])],
    });
    if (this.#settings.toolCalling === 'native' && pendingCalls(this.#turn).length > 0)
      this.#options.onNativeCalls?.(replyNotes(end).callsInText === true);
    const counted = countedTokens(usage);
    const scale = scaleOf({ estimatedTokens: prompt.tokens, usage: counted });
    if (scale !== undefined) this.#options.onScale?.(this.#settings.toolCalling, scale);
    // Before the step counts as finished, so that no call of a finished step is without its origin.
    await this.#markOrigins(end, prompt.naming);
    this.#emit({
      type: 'data-step-end',
      data: {
        finishReason,
        usage: counted,
        durationMs,
        notices,
        ...(this.#window.wasChecked && { wasRead: true }),
      },
    });
    if (this.#settings.lastStep) {
      for (const { toolCallId } of pendingCalls(this.#turn)) {
        const errorText = this.#repeated === undefined ? OUT_OF_STEPS : REPEATED;
        this.#emit({ type: 'tool-output-error', toolCallId, errorText });
      }
    }
    this.#emit({ type: 'finish-step' });
    const calls = pendingCalls(this.#turn).length;
    this.#log.info({ model: model.id, finishReason, calls, ms: durationMs, ...counted }, 'step finished');
  }

  /** Marks calls that may not be the model's own with the origin of their text. */
  async #markOrigins(end: StepEnd, naming: ToolNaming): Promise<void> {
    const index = this.#turn.parts.findLastIndex(({ type }) => type === 'step');
    const calls = this.#turn.parts.slice(index).filter((part) => part.type === 'tool-call');
    const known = naming.known();
    const messages = [...this.#options.messages.slice(0, -1), this.#turn];
    const origins = await originsOf(calls, messages, known);
    for (const { index: at, excerpt } of replyNotes(end).doubtfulCalls ?? []) {
      const call = calls[at];
      if (call !== undefined && !origins.has(call.toolCallId) && !readsHere(known.get(call.toolName)))
        origins.set(call.toolCallId, { type: 'shown', excerpt: restore(excerpt) });
    }
    for (const [toolCallId, origin] of origins) this.#emit({ type: 'data-call-origin', data: { toolCallId, origin } });
  }

  /** Passes a chunk on and applies it to the turn, so that both sides of the wire build it by the same function. */
  #emit(chunk: StudioChunk): void {
    this.#turn = applyChunk(this.#turn, chunk);
    this.#options.emit(chunk);
  }
}

/** Returns the setting that names the compactions that apply to the next step; no settings if there are none. */
function appliedCompactions(messages: readonly Message[]): Pick<PromptSettings, 'compactions'> {
  const compactions = compactionsOf(messages).map(({ id }) => id);
  return compactions.length === 0 ? {} : { compactions };
}

/** Returns the options for `buildPrompt`: all that a model's prompts depend on, besides messages and settings. */
export const promptOptionsOf = (
  { provider, vision, traits }: AgentModel,
  catalogue: Catalogue,
  { resultShare }: Pick<AgentLimits, 'resultShare'>,
): Parameters<typeof buildPrompt>[2] => ({
  provider,
  vision,
  keepsReasoning: traits.keepsReasoning,
  takesResultImages: traits.takesResultImages,
  toolName: traits.toolName,
  catalogue,
  resultShare,
});

/**
 * Converts an error after the first part of a reply. If it says that the endpoint is unreachable, returns a `BrokenStream`
 * instead, because the endpoint had been reached; returns any other error as it is.
 */
const brokenStream = (error: unknown): unknown =>
  problemCode(error) === 'endpoint-unreachable' ? new BrokenStream(error) : error;

/** Returns the number of characters that a part adds to the reply. */
function lengthOf(part: TextStreamPart<ToolSet>): number {
  if (part.type === 'text-delta' || part.type === 'reasoning-delta') return part.text.length;
  return part.type === 'tool-input-delta' ? part.delta.length : 0;
}

const elapsed = (since: number): number => Math.round(performance.now() - since);
