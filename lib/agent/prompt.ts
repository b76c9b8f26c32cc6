import type { ModelMessage } from 'ai';
import type { Message, Notice, PromptSettings, StepPart } from '#lib/messages/message.ts';
import { DEFAULT_PROTOCOL } from '#lib/prompts/codec.ts';
import { codecOf, findCodec } from '#lib/prompts/codecs/codecs.ts';
import { formatFragments } from '#lib/prompts/fragments.ts';
import { makeInert } from '#lib/prompts/inert.ts';
import { briefSpec } from '#lib/tools/core/brief-spec.ts';
import type { Catalogue } from '#lib/tools/core/catalogue.ts';
import { mainTools } from '#lib/tools/core/main-tools.ts';
import type { ToolSpec } from '#lib/tools/core/spec.ts';
import { fitHistory } from './fit-history.ts';
import { toUnits } from './history.ts';
import { inertSpec } from './middleware/inert-text.ts';
import { type ModelMessageOptions, toModelMessages } from './model-messages.ts';
import { lastStepText, withTailNote } from './tail-note.ts';
import { estimateTokens, MESSAGE_TOKENS } from './tokens.ts';
import { PROMPTED_NAME, ToolNaming } from './tool-names.ts';

/** A model call's prompt, before a provider's model gets it. */
export interface BuiltPrompt {
  instructions: string;
  messages: ModelMessage[];
  /** The tools, under the names that the model sees. */
  tools: readonly ToolSpec[];
  naming: ToolNaming;
  notices: Notice[];
  /** The estimated size of the instructions and the tools, without the settings' scale. */
  overhead: number;
  /** The estimated size, without the settings' scale. */
  tokens: number;
}

/** What a prompt depends on besides its messages and settings. */
export interface PromptOptions extends Omit<ModelMessageOptions, 'naming'> {
  catalogue: Catalogue;
  /** The names that the provider accepts for tools. */
  toolName: RegExp;
  /** The share of the budget that one result may use. */
  resultShare: number;
}

/** Builds a model call's prompt from what it is given alone: the same input gives the same prompt. */
export async function buildPrompt(
  messages: readonly Message[],
  settings: PromptSettings,
  { catalogue, toolName, resultShare, ...options }: PromptOptions,
): Promise<BuiltPrompt> {
  const isPrompted = settings.toolCalling === 'prompted';
  const offered = describedTools(catalogue, settings);
  const naming = new ToolNaming(catalogue.tools, isPrompted ? PROMPTED_NAME : toolName, offered);
  const isBrief = !isPrompted && settings.protocol?.compact === true;
  const tools = isBrief ? naming.tools.map(briefSpec) : naming.tools;
  const instructions = [
    settings.systemPrompt.trim(),
    // Toolsets from elsewhere bring texts of their own.
    makeInert(formatFragments(catalogue.fragments, offered, settings.protocol?.compact)),
    offered.length > 0 && settings.protocol?.singleCalls === true ? SINGLE_CALLS : '',
    settings.layout === undefined ? lastStepText(settings) : '',
  ]
    .filter((section) => section !== '')
    .join('\n\n');
  const note = settings.layout === undefined ? '' : lastStepText(settings);
  const overhead = estimateTokens(instructions) + toolTokens(tools, settings) + estimateTokens(note);
  const units = toUnits(messages, (step) => correctionOf(step, catalogue, naming));
  const fitting = fitHistory(units, { ...options, ...settings, overhead, resultShare });
  // Prompted results are text.
  const takesResultImages = options.takesResultImages && !isPrompted;
  const modelMessages = await toModelMessages(fitting.units, { ...options, takesResultImages, naming });
  return {
    instructions,
    messages: withTailNote(modelMessages, note),
    tools,
    naming,
    notices: fitting.notices,
    overhead,
    tokens: overhead + fitting.tokens,
  };
}

/** The tools of the enabled toolsets, or the main ones among them. */
export function describedTools(
  { tools }: Pick<Catalogue, 'tools'>,
  { toolsets, mainToolsOnly }: Pick<PromptSettings, 'toolsets' | 'mainToolsOnly'>,
): readonly ToolSpec[] {
  const offered = tools.list(toolsets);
  return mainToolsOnly === true ? mainTools(offered) : offered;
}

/** The correction for a step whose call could not be read; none for a tool that has gone since. */
function correctionOf(
  { notices, settings }: StepPart,
  { tools }: Catalogue,
  naming: Pick<ToolNaming, 'shown'>,
): string | undefined {
  const notice = notices.find((entry) => entry.code === 'call-unreadable');
  const tool = notice?.askedAgain === true ? tools.get(notice.toolName) : undefined;
  // A step of another version of the studio may name a codec that is not here.
  const codec = findCodec((settings.protocol ?? DEFAULT_PROTOCOL).codec);
  return tool && codec?.formatCorrection(inertSpec({ ...tool, name: naming.shown(tool.name) }));
}

/** The size of descriptions and schemas, sent natively or as prompt text. */
export function toolTokens(
  tools: readonly ToolSpec[],
  { toolCalling, protocol = DEFAULT_PROTOCOL }: Pick<PromptSettings, 'toolCalling' | 'protocol'>,
): number {
  if (tools.length === 0) return 0;
  if (toolCalling === 'prompted') {
    const codec = codecOf(protocol.codec);
    const turns = codec.formatExampleTurns?.(tools, protocol) ?? [];
    const texts = [codec.formatTools(tools, protocol), codec.reminder, ...turns.map(({ text }) => text)];
    return texts.reduce((sum, text) => sum + estimateTokens(text), turns.length * MESSAGE_TOKENS);
  }
  return nativeToolTokens(tools);
}

/** The size of tools that are sent natively. */
export const nativeToolTokens = (tools: readonly ToolSpec[]): number =>
  estimateTokens(JSON.stringify(tools.map((tool) => [tool.name, tool.description, tool.inputSchema])));

const SINGLE_CALLS = 'Call only one tool at a time, and wait for its result before you call another one.';
