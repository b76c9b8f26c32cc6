import type { ModelMessage } from 'ai';
import type { Message, Notice, PromptSettings } from '#lib/messages/message.ts';
import { DEFAULT_PROTOCOL } from '#lib/prompts/codec.ts';
import { CODECS } from '#lib/prompts/codecs/codecs.ts';
import { formatFragments } from '#lib/prompts/fragments.ts';
import { type AnyToolDefinition, toolInputJsonSchema } from '#lib/tools/core/registry.ts';
import { toolRegistry } from '#lib/tools/toolsets.ts';
import { cutResults, toUnits, trimUnits } from './history.ts';
import { type ModelMessageOptions, toModelMessages } from './model-messages.ts';
import { estimateTokens } from './tokens.ts';

export interface BuiltPrompt {
  instructions: string;
  messages: ModelMessage[];
  tools: readonly AnyToolDefinition[];
  notices: Notice[];
  /** The estimated size. */
  tokens: number;
}

export interface PromptOptions extends ModelMessageOptions {
  /** The share of the budget that one result may use. */
  resultShare: number;
}

/** Builds a model call's prompt from the messages and settings alone: the same input gives the same prompt. */
export async function buildPrompt(
  messages: readonly Message[],
  settings: PromptSettings,
  options: PromptOptions,
): Promise<BuiltPrompt> {
  const tools = toolRegistry.list(settings.toolsets);
  const instructions = [
    settings.systemPrompt.trim(),
    formatFragments(tools, settings.protocol?.compact),
    settings.lastStep ? LAST_STEP : '',
  ]
    .filter((section) => section !== '')
    .join('\n\n');
  const overhead = estimateTokens(instructions) + toolTokens(tools, settings);
  const cut = cutResults(toUnits(messages), Math.floor(settings.budgetTokens * options.resultShare));
  const trimmed = trimUnits(cut.units, settings.budgetTokens - overhead);
  const notices: Notice[] = [...cut.notices];
  if (trimmed.dropped > 0)
    notices.push({ code: 'history-trimmed', messages: trimmed.dropped, tokens: trimmed.droppedTokens });
  const modelMessages = await toModelMessages(trimmed.units, options);
  return { instructions, messages: modelMessages, tools, notices, tokens: overhead + trimmed.tokens };
}

/** The size of descriptions and schemas, sent natively or as prompt text. */
function toolTokens(
  tools: readonly AnyToolDefinition[],
  { toolCalling, protocol = DEFAULT_PROTOCOL }: PromptSettings,
): number {
  if (tools.length === 0) return 0;
  if (toolCalling === 'prompted') {
    const codec = CODECS[protocol.codec];
    return estimateTokens(codec.formatTools(tools, protocol)) + 2 * estimateTokens(codec.reminder);
  }
  return estimateTokens(JSON.stringify(tools.map((tool) => [tool.name, tool.description, toolInputJsonSchema(tool)])));
}

const LAST_STEP =
  'You have used all the steps of this turn. Do not call any more tools. Answer the user with what you have, and say what is left to do.';
