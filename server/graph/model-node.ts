import type { LangGraphRunnableConfig } from '@langchain/langgraph';
import { type TextStreamPart, type ToolSet, toUIMessageChunk } from 'ai';
import { applyChunk, pendingCalls } from '#lib/messages/apply-chunk.ts';
import type { StudioChunk } from '#lib/messages/chunk.ts';
import type { AssistantMessage, Notice, PromptSettings, StepPart } from '#lib/messages/message.ts';
import { DEFAULT_PROTOCOL, type ProtocolSettings } from '#lib/prompts/codec.ts';
import { CODECS } from '#lib/prompts/codecs/codecs.ts';
import { formatFragments } from '#lib/prompts/fragments.ts';
import { restore } from '#lib/prompts/inert.ts';
import type { CallOrigin } from '#lib/tools/core/call-origin.ts';
import type { AnyToolDefinition } from '#lib/tools/core/registry.ts';
import { toolRegistry } from '#lib/tools/toolsets.ts';
import type { ResolvedModelConfig } from '#server/models/config.ts';
import { describeModelError, isContextTooLong, isToolsRefusal, StepError } from '#server/models/problems.ts';
import { replyNotesSchema } from '#server/models/prompted-tools.ts';
import { callModel } from './call-model.ts';
import { type BuiltPrompt, buildPrompt } from './prompt.ts';
import { hashPrompt, recordPrompt } from './prompt-record.ts';
import { originsOf } from './provenance.ts';
import { type RunContext, type ThreadStateValue, turnOf, withTurn } from './state.ts';
import { COMPACT_ABOVE_SHARE, estimateTokens, promptBudget } from './tokens.ts';

type StepEnd = Extract<TextStreamPart<ToolSet>, { type: 'finish-step' }>;

export type NodeConfig = LangGraphRunnableConfig<Record<string, unknown>> & { context?: RunContext };

/** How often an empty reply is retried before the step fails. */
const EMPTY_REPLY_RETRIES = 1;
/** How many times in a row a model is asked again if its call could not be read. */
const MAX_CORRECTIONS = 2;
/** How far to shrink the prompt, relative to the last one, when a provider says that the context is too long. */
const SHRINK = 0.6;

/** One step of the turn: one streamed model call. A step that fails throws and leaves the state unchanged. */
export async function modelNode(state: ThreadStateValue, config: NodeConfig): Promise<ThreadStateValue> {
  const context = config.context;
  if (context === undefined) throw new Error('The graph was run without its context.');
  const step = new ModelStep(state, context, config);
  try {
    return withTurn(state, await step.run());
  } catch (error) {
    config.signal?.throwIfAborted();
    // Errors thrown by a node are checkpointed, and providers repeat keys in their errors (rule R18).
    const { code, detail } = describeModelError(error);
    throw new StepError(code, detail);
  }
}

/** The result of calls in the last allowed step. They do not run, but every call has a result (rules R1, R14). */
const OUT_OF_STEPS = 'Not run: this turn has reached its step limit.';

class ModelStep {
  #state: ThreadStateValue;
  #context: RunContext;
  #config: NodeConfig;
  #turn: AssistantMessage;
  #settings: PromptSettings;
  #notices: Notice[] = [];
  /** The size of the latest prompt, in tokens. */
  #promptTokens = 0;

  constructor(state: ThreadStateValue, context: RunContext, config: NodeConfig) {
    this.#state = state;
    this.#context = context;
    this.#config = config;
    this.#turn = turnOf(state);
    const stepsTaken = this.#turn.parts.filter(({ type }) => type === 'step').length;
    const budgetTokens = promptBudget(context.model.contextSize, context.model.maxOutputTokens);
    this.#settings = {
      systemPrompt: context.systemPrompt,
      toolsets: [...context.toolsets],
      toolCalling: context.toolCalling,
      protocol: protocolOf(context.model, toolRegistry.list(context.toolsets), budgetTokens),
      budgetTokens,
      lastStep: stepsTaken + 1 >= context.env.AGENT_MAX_STEPS,
    };
  }

  /** Retries, within limits, what a retry can fix: with prompted tools, a shorter history, or after an empty reply. */
  async run(): Promise<AssistantMessage> {
    let emptyReplies = 0;
    let shrunk = false;
    for (;;) {
      const before = this.#turn;
      try {
        const finished = await this.#stream();
        if (finished !== 'empty') return this.#turn;
        if (++emptyReplies > EMPTY_REPLY_RETRIES) throw new StepError('empty-reply', 'The model sent an empty reply.');
      } catch (error) {
        this.#config.signal?.throwIfAborted();
        if (this.#canPrompt() && isToolsRefusal(error)) this.#fallBackToPrompted();
        else if (!shrunk && isContextTooLong(error)) {
          shrunk = true;
          const sent = Math.min(this.#promptTokens, this.#settings.budgetTokens);
          this.#settings = { ...this.#settings, budgetTokens: Math.floor(sent * SHRINK) };
        } else throw error;
      }
      if (this.#turn.parts !== before.parts) this.#emit({ type: 'reset-step' });
    }
  }

  #canPrompt(): boolean {
    return this.#settings.toolCalling === 'native' && this.#context.model.toolCalling === 'auto';
  }

  #fallBackToPrompted(): void {
    const { registry, model, log } = this.#context;
    registry.rememberToolRefusal(model);
    log.warn({ model: model.id }, 'native tools refused; falling back to prompted tools');
    this.#settings = { ...this.#settings, toolCalling: 'prompted' };
    this.#notices = [{ code: 'tools-refused', model: model.id }];
  }

  async #stream(): Promise<'finished' | 'empty'> {
    const { model, apiKey, env, log } = this.#context;
    const startedAt = performance.now();
    const prompt = await buildPrompt(this.#state.messages, this.#settings, {
      provider: model.provider,
      vision: model.vision ?? true,
      resultShare: env.AGENT_RESULT_SHARE,
    });
    this.#promptTokens = prompt.tokens;
    let promptHash = '';
    const ending = new AbortController();
    const result = callModel({
      model,
      apiKey,
      prompt,
      settings: this.#settings,
      env,
      abortSignal: AbortSignal.any([
        ending.signal,
        ...(this.#config.signal === undefined ? [] : [this.#config.signal]),
      ]),
      onRetry: (retry) => this.#emit({ type: 'data-retry', data: retry }),
      innermost: recordPrompt((record) => {
        promptHash = hashPrompt(record);
      }),
    });
    let begun = false;
    let end: StepEnd | undefined;
    let length = 0;
    for await (const part of result.stream) {
      length += lengthOf(part);
      if (length > env.REPLY_MAX_CHARS) {
        ending.abort();
        const detail = `The reply is longer than the ${env.REPLY_MAX_CHARS} characters that REPLY_MAX_CHARS allows.`;
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
          data: { model: model.id, provider: model.provider, promptHash, settings: this.#settings },
        });
        log.debug({ model: model.id, toolCalling: this.#settings.toolCalling, ms: elapsed(startedAt) }, 'step started');
      }
      this.#forward(part);
    }
    this.#config.signal?.throwIfAborted();
    if (end === undefined)
      throw new StepError('stream-broken', 'The model’s stream ended before its reply was finished.');
    if (this.#isEmpty(end)) return 'empty';
    await this.#finish(end, prompt, Math.round(performance.now() - startedAt));
    return 'finished';
  }

  #forward(part: TextStreamPart<ToolSet>): void {
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
          onError: (error) => (error instanceof Error ? error.message : String(error)),
        });
        if (chunk !== undefined) this.#emit(chunk as StudioChunk);
        break;
      }
      default:
    }
  }

  #isEmpty(end: StepEnd): boolean {
    const index = this.#turn.parts.findLastIndex(({ type }) => type === 'step');
    const parts = this.#turn.parts.slice(index + 1);
    const said = parts.some((part) => part.type === 'tool-call' || (part.type === 'text' && part.text.trim() !== ''));
    const { finishReason } = end;
    return !said && finishReason !== 'length' && finishReason !== 'content-filter' && unreadableCall(end) === undefined;
  }

  async #finish(end: StepEnd, prompt: BuiltPrompt, durationMs: number): Promise<void> {
    const { finishReason, usage } = end;
    const notices: Notice[] = [...this.#notices, ...prompt.notices];
    if (finishReason === 'length' || finishReason === 'content-filter') notices.push({ code: finishReason });
    const toolName = unreadableCall(end);
    if (toolName !== undefined) notices.push({ code: 'call-unreadable', toolName, askedAgain: this.#canAskAgain() });
    if (this.#settings.lastStep) notices.push({ code: 'step-limit', steps: this.#context.env.AGENT_MAX_STEPS });
    const counted = {
      ...(usage.inputTokens === undefined ? {} : { inputTokens: usage.inputTokens }),
      ...(usage.outputTokens === undefined ? {} : { outputTokens: usage.outputTokens }),
    };
    // Before the step counts as finished, so that no call of a finished step is without its origin.
    await this.#markOrigins(end);
    this.#emit({ type: 'data-step-end', data: { finishReason, usage: counted, durationMs, notices } });
    if (this.#settings.lastStep) {
      for (const { toolCallId } of pendingCalls(this.#turn)) {
        this.#emit({ type: 'tool-output-error', toolCallId, errorText: OUT_OF_STEPS });
      }
    }
    this.#emit({ type: 'finish-step' });
    const calls = pendingCalls(this.#turn).length;
    this.#context.log.info(
      { model: this.#context.model.id, finishReason, calls, ms: durationMs, ...counted },
      'step finished',
    );
  }

  /** Marks calls that may not be the model's own with the origin of their text. */
  async #markOrigins(end: StepEnd): Promise<void> {
    const index = this.#turn.parts.findLastIndex(({ type }) => type === 'step');
    const calls = this.#turn.parts.slice(index).filter((part) => part.type === 'tool-call');
    const origins = new Map<string, CallOrigin>();
    for (const { index: at, excerpt } of replyNotes(end).doubtfulCalls ?? []) {
      const call = calls[at];
      if (call !== undefined && toolRegistry.get(call.toolName)?.effect !== 'read')
        origins.set(call.toolCallId, { type: 'shown', excerpt: restore(excerpt) });
    }
    const messages = [...this.#state.messages.slice(0, -1), this.#turn];
    for (const [toolCallId, origin] of await originsOf(calls, messages, toolRegistry)) origins.set(toolCallId, origin);
    for (const [toolCallId, origin] of origins) this.#emit({ type: 'data-call-origin', data: { toolCallId, origin } });
  }

  #canAskAgain(): boolean {
    const latest = this.#turn.parts.filter((part) => part.type === 'step').slice(-1 - MAX_CORRECTIONS, -1);
    return !this.#settings.lastStep && !(latest.length === MAX_CORRECTIONS && latest.every(isAskedAgain));
  }

  /** Sends a chunk to the browser and applies it to the turn, so that both are built by the same function. */
  #emit(chunk: StudioChunk): void {
    this.#turn = applyChunk(this.#turn, chunk);
    this.#config.writer?.(chunk);
  }
}

/** What the parser of a prompted reply found besides its parts. */
const replyNotes = ({ providerMetadata }: StepEnd) => replyNotesSchema.catch({}).parse(providerMetadata?.studio ?? {});

/** The tool of a call that could not be read, unless the reply was cut off. */
const unreadableCall = (end: StepEnd): string | undefined =>
  end.finishReason === 'stop' ? replyNotes(end).unreadableCall : undefined;

/** Whether a step's call could not be read, so that the model is asked again. */
export const isAskedAgain = (step: StepPart | undefined): boolean =>
  step?.notices.some((notice) => notice.code === 'call-unreadable' && notice.askedAgain) ?? false;

/** How the tools are described if the model's configuration does not say: briefly if the prompt is small. */
function protocolOf(
  { protocol }: ResolvedModelConfig,
  tools: readonly AnyToolDefinition[],
  budgetTokens: number,
): ProtocolSettings {
  const codec = protocol?.codec ?? DEFAULT_PROTOCOL.codec;
  const atLength = formatFragments(tools) + CODECS[codec].formatTools(tools, { compact: false, examples: true });
  const compact = protocol?.compact ?? estimateTokens(atLength) > COMPACT_ABOVE_SHARE * budgetTokens;
  return { codec, examples: protocol?.examples ?? !compact, compact };
}

/** An error after the first part: the endpoint was reached, so only its own message is of interest. */
function brokenStream(error: unknown): unknown {
  const { code, detail } = describeModelError(error);
  return code === 'endpoint-unreachable' ? new StepError('stream-broken', detail) : error;
}

/** How many characters a part adds to the reply. */
function lengthOf(part: TextStreamPart<ToolSet>): number {
  if (part.type === 'text-delta' || part.type === 'reasoning-delta') return part.text.length;
  return part.type === 'tool-input-delta' ? part.delta.length : 0;
}

const elapsed = (since: number): number => Math.round(performance.now() - since);
