import type { LangGraphRunnableConfig } from '@langchain/langgraph';
import { jsonSchema, streamText, type TextStreamPart, type ToolSet, toUIMessageChunk } from 'ai';
import { applyChunk, pendingCalls } from '#lib/messages/apply-chunk.ts';
import type { StudioChunk } from '#lib/messages/chunk.ts';
import type { AssistantMessage, Notice, PromptSettings } from '#lib/messages/message.ts';
import { type AnyToolDefinition, toolInputJsonSchema } from '#lib/tools/registry.ts';
import { createLanguageModel, providerOptions } from '#server/models/language-model.ts';
import { isContextTooLong, isToolsRefusal, StepError } from '#server/models/problems.ts';
import { type BuiltPrompt, buildPrompt } from './prompt.ts';
import { hashPrompt, recordPrompt } from './prompt-record.ts';
import { type RunContext, type ThreadStateValue, turnOf, withTurn } from './state.ts';
import { promptBudget } from './tokens.ts';

export type NodeConfig = LangGraphRunnableConfig<Record<string, unknown>> & { context?: RunContext };

/** How often an empty reply is asked for again before the step fails. */
const EMPTY_REPLY_RETRIES = 1;
/** What is left of the budget after a provider said that the context is too long. */
const SHRINK = 0.6;

/** One step of the turn: one model call, streamed as it comes. A step that fails throws and leaves no trace in the state. */
export async function modelNode(state: ThreadStateValue, config: NodeConfig): Promise<ThreadStateValue> {
  const context = config.context;
  if (context === undefined) throw new Error('The graph was run without its context.');
  const step = new ModelStep(state, context, config);
  return withTurn(state, await step.run());
}

/** The calls of the step limit's last step: nothing runs any more, and every call has its result (rules R1, R14). */
const OUT_OF_STEPS = 'Not run: the turn has used all the steps it may take.';

class ModelStep {
  #state: ThreadStateValue;
  #context: RunContext;
  #config: NodeConfig;
  #turn: AssistantMessage;
  #settings: PromptSettings;
  #notices: Notice[] = [];

  constructor(state: ThreadStateValue, context: RunContext, config: NodeConfig) {
    this.#state = state;
    this.#context = context;
    this.#config = config;
    this.#turn = turnOf(state);
    const stepsTaken = this.#turn.parts.filter(({ type }) => type === 'step').length;
    this.#settings = {
      systemPrompt: context.systemPrompt,
      toolsets: [...context.toolsets],
      toolCalling: context.toolCalling,
      budgetTokens: promptBudget(context.model.contextSize, context.model.maxOutputTokens),
      lastStep: stepsTaken + 1 >= context.env.AGENT_MAX_STEPS,
    };
  }

  /** Tries again, bounded, where another try can help: prompted tools, a shorter history, an empty reply. */
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
          this.#settings = { ...this.#settings, budgetTokens: Math.floor(this.#settings.budgetTokens * SHRINK) };
        } else throw error;
      }
      if (this.#turn !== before) this.#emit({ type: 'reset-step' });
    }
  }

  #canPrompt(): boolean {
    return this.#settings.toolCalling === 'native' && this.#context.model.toolCalling === 'auto';
  }

  #fallBackToPrompted(): void {
    const { registry, model, log } = this.#context;
    registry.rememberToolRefusal(model);
    log.warn({ model: model.id }, 'tools refused; prompting them instead');
    this.#settings = { ...this.#settings, toolCalling: 'prompted' };
    this.#notices = [{ code: 'tools-refused', model: model.id }];
  }

  async #stream(): Promise<'finished' | 'empty'> {
    const { model, env, log } = this.#context;
    const startedAt = performance.now();
    const prompt = await buildPrompt(this.#state.messages, this.#settings, {
      provider: model.provider,
      vision: model.vision ?? true,
      resultShare: env.AGENT_RESULT_SHARE,
    });
    let promptHash = '';
    const result = this.#call(prompt, (hash) => {
      promptHash = hash;
    });
    let begun = false;
    let end: Extract<TextStreamPart<ToolSet>, { type: 'finish-step' }> | undefined;
    for await (const part of result.stream) {
      if (part.type === 'error') throw part.error;
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
    if (this.#isEmpty(end.finishReason)) return 'empty';
    this.#finish(end, prompt, Math.round(performance.now() - startedAt));
    return 'finished';
  }

  #call(prompt: BuiltPrompt, onHash: (hash: string) => void) {
    const { model, apiKey, env } = this.#context;
    const { toolCalling, lastStep } = this.#settings;
    const languageModel = createLanguageModel(model, {
      apiKey,
      toolCalling,
      tools: prompt.tools,
      stream: env.AGENT_STREAM,
      timeoutMs: env.MODEL_TIMEOUT_MS,
      innermost: recordPrompt((record) => onHash(hashPrompt(record))),
    });
    return streamText({
      model: languageModel,
      ...(prompt.instructions === '' ? {} : { instructions: prompt.instructions }),
      messages: prompt.messages,
      ...(prompt.tools.length === 0
        ? {}
        : { tools: toToolSet(prompt.tools), toolChoice: lastStep ? 'none' : (model.toolChoice ?? 'auto') }),
      ...(model.temperature === undefined ? {} : { temperature: model.temperature }),
      ...(model.maxOutputTokens === undefined ? {} : { maxOutputTokens: model.maxOutputTokens }),
      providerOptions: providerOptions(model),
      maxRetries: env.AGENT_MAX_RETRIES,
      ...(this.#config.signal === undefined ? {} : { abortSignal: this.#config.signal }),
      // Errors arrive in the stream and are thrown from there.
      onError: () => undefined,
    });
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

  #isEmpty(finishReason: string): boolean {
    const index = this.#turn.parts.findLastIndex(({ type }) => type === 'step');
    const parts = this.#turn.parts.slice(index + 1);
    const said = parts.some((part) => part.type === 'tool-call' || (part.type === 'text' && part.text.trim() !== ''));
    return !said && finishReason !== 'length' && finishReason !== 'content-filter';
  }

  #finish(
    end: Extract<TextStreamPart<ToolSet>, { type: 'finish-step' }>,
    prompt: BuiltPrompt,
    durationMs: number,
  ): void {
    const { finishReason, usage } = end;
    const notices: Notice[] = [...this.#notices, ...prompt.notices];
    if (finishReason === 'length' || finishReason === 'content-filter') notices.push({ code: finishReason });
    if (this.#settings.lastStep) notices.push({ code: 'step-limit', steps: this.#context.env.AGENT_MAX_STEPS });
    const counted = {
      ...(usage.inputTokens === undefined ? {} : { inputTokens: usage.inputTokens }),
      ...(usage.outputTokens === undefined ? {} : { outputTokens: usage.outputTokens }),
    };
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

  /** To the browser and into the turn alike: both come from the same chunks by the same function. */
  #emit(chunk: StudioChunk): void {
    this.#turn = applyChunk(this.#turn, chunk);
    this.#config.writer?.(chunk);
  }
}

function toToolSet(tools: readonly AnyToolDefinition[]): ToolSet {
  // Without a validator: arguments are validated once, by the executor.
  return Object.fromEntries(
    tools.map((tool) => [
      tool.name,
      {
        description: tool.description,
        inputSchema: jsonSchema(toolInputJsonSchema(tool) as Parameters<typeof jsonSchema>[0]),
      },
    ]),
  );
}

const elapsed = (since: number): number => Math.round(performance.now() - since);
