import type { LanguageModelUsage } from 'ai';
import { defined } from '#lib/base/defined.ts';
import { UNKNOWN_CONTEXT_TOKENS } from '#lib/base/estimate-tokens.ts';
import type { Message, PromptSettings } from '#lib/messages/message.ts';
import type { Catalogue } from '#lib/tools/catalogue/catalogue.ts';
import type { AgentModel } from './agent-model.ts';
import { cutWindow, hasImages, looksCut } from './cut-check.ts';
import { REFUSED_PROMPT_SHARE, REFUSED_PROMPT_SHARE_KNOWN, SMALLER_WINDOWS_MAX } from './limits.ts';
import { claimedBy, contextSizeOf, usableWindow, type WindowNotice } from './observed-window.ts';
import { refusalText, StepError } from './problems.ts';
import type { BuiltPrompt } from './prompt.ts';
import { promptBudget, roomSettings } from './tokens.ts';
import { namedWindow } from './too-long.ts';
import { toolSettings, toolsetCosts } from './tool-settings.ts';

/** The step, and the model whose window it is. */
interface StepWindowOptions {
  messages: readonly Message[];
  model: AgentModel;
  catalogue: Catalogue;
  abortSignal: AbortSignal | undefined;
}

/**
 * The context window of a step's model, as far as it is known. Takes on a smaller size when the model's server accepts less.
 */
export class StepWindow {
  readonly #options: StepWindowOptions;
  #contextSize: number | undefined;
  #notice: WindowNotice | undefined;
  #cuts = 0;
  #wasChecked = false;

  constructor(options: StepWindowOptions) {
    this.#options = options;
    this.#contextSize = contextSizeOf(options.messages, options.model);
  }

  /** The notice of a smaller window, if one was learned in this step. */
  get notice(): WindowNotice | undefined {
    return this.#notice;
  }

  /** Whether the server was found to have read a prompt whole that looked as if it had been cut. */
  get wasChecked(): boolean {
    return this.#wasChecked;
  }

  /** Returns the settings that follow from the window: the budget of the prompt, and how the tools are described. */
  room(settings: Pick<PromptSettings, 'toolsets' | 'toolCalling'>) {
    const { model, catalogue } = this.#options;
    const contextSize = this.#contextSize;
    const budgetTokens = promptBudget(contextSize, model.maxOutputTokens);
    return {
      ...toolSettings(model, catalogue, { ...settings, budgetTokens }),
      ...roomSettings(budgetTokens),
      ...defined({ contextSize }),
    };
  }

  /** Throws `StepError` if the window is known and has no room for any message, or not for the newest question. */
  requireRoom(prompt: Pick<BuiltPrompt, 'overhead' | 'question'>, settings: PromptSettings): void {
    const { tokenScale = 1 } = settings;
    const contextSize = this.#contextSize;
    // Not the step's own budget, which shrinks when the provider says that the prompt is too long.
    const budgetTokens = promptBudget(contextSize, this.#options.model.maxOutputTokens);
    const overhead = Math.round(prompt.overhead * tokenScale);
    if (contextSize === undefined) return;
    if (overhead >= budgetTokens) {
      const detail = `The system prompt and the tools take about ${count(overhead)} tokens. The context of ${count(contextSize)} tokens has room for ${count(budgetTokens)}, besides the answer.`;
      const toolsets = toolsetCosts(this.#options.catalogue, settings);
      throw new StepError('context-too-small', detail, toolsets.length > 0 ? { toolsets } : {});
    }
    const question = Math.round(prompt.question * tokenScale);
    if (overhead + question <= contextSize) return;
    const detail = `The message takes about ${count(question)} tokens. The context of ${count(contextSize)} tokens has room for ${count(contextSize - overhead)}, besides the system prompt and the tools.`;
    throw new StepError('question-too-long', detail);
  }

  /**
   * Returns settings for a smaller prompt than the one that was refused. If the refusal names a smaller window than was known,
   * learns it, and keeps the prompt within it.
   */
  afterRefusal(refusal: unknown, prompt: BuiltPrompt, settings: PromptSettings): PromptSettings {
    const sent = Math.min(prompt.tokens * (settings.tokenScale ?? 1), settings.budgetTokens);
    const window = namedWindow(refusalText(refusal));
    if (window === undefined || window >= (this.#contextSize ?? UNKNOWN_CONTEXT_TOKENS))
      return { ...settings, ...roomSettings(Math.floor(sent * REFUSED_PROMPT_SHARE)) };
    this.#learn(window, sent);
    const smaller = { ...settings, ...this.room(settings) };
    return {
      ...smaller,
      ...roomSettings(Math.min(smaller.budgetTokens, Math.floor(sent * REFUSED_PROMPT_SHARE_KNOWN))),
    };
  }

  /**
   * Finds out whether the server has left out a part of a prompt. If so, learns its window and resolves with settings within
   * it; otherwise resolves with undefined. Rejects with `StepError` if the window was already made smaller
   * `SMALLER_WINDOWS_MAX` times.
   */
  async afterCut(
    prompt: BuiltPrompt,
    settings: PromptSettings,
    { inputTokens = 0 }: Pick<LanguageModelUsage, 'inputTokens'>,
  ): Promise<PromptSettings | undefined> {
    const { messages, model, abortSignal } = this.#options;
    if (model.mayCut !== true) return undefined;
    const { tokenScale = 1, toolCalling } = settings;
    const counted = { estimatedTokens: prompt.tokens, inputTokens, hasImages: hasImages(prompt.messages) };
    if (!looksCut(messages, counted, { model: model.id, toolCalling, tokenScale })) return undefined;
    const expectedTokens = prompt.tokens * tokenScale;
    const window = await cutWindow({ model, prompt, settings, abortSignal }, { inputTokens, expectedTokens });
    if (window === undefined) {
      this.#wasChecked = true;
      return undefined;
    }
    if (this.#cuts === SMALLER_WINDOWS_MAX)
      throw new StepError(
        'context-too-long',
        `The server reads only about ${count(inputTokens)} of ${count(Math.round(expectedTokens))} tokens, and the prompt cannot be made shorter.`,
      );
    this.#cuts++;
    this.#learn(window, expectedTokens, inputTokens);
    return { ...settings, ...this.room(settings) };
  }

  #learn(window: number, sent: number, read?: number): void {
    const { model } = this.#options;
    this.#contextSize = usableWindow(window);
    this.#notice = {
      code: 'window-learned',
      model: model.id,
      window: this.#contextSize,
      claimed: claimedBy(model),
      sent: Math.round(sent),
      ...defined({ read }),
    };
  }
}

const count = (tokens: number): string => tokens.toLocaleString('en');
