import { estimateTokens, UNKNOWN_CONTEXT_TOKENS } from '#lib/base/estimate-tokens.ts';
import type { Message, Notice, PromptSettings } from '#lib/messages/message.ts';
import type { ProtocolSettings } from '#lib/prompts/codec.ts';
import { codecOf } from '#lib/prompts/codecs/codecs.ts';
import { formatFragments } from '#lib/prompts/fragments.ts';
import { briefSpec } from '#lib/tools/catalogue/brief-spec.ts';
import type { Catalogue } from '#lib/tools/catalogue/catalogue.ts';
import { mainTools } from '#lib/tools/catalogue/main-tools.ts';
import { isToolsetOn, TOOL_SEARCH } from '#lib/tools/toolset-names.ts';
import type { AgentModel } from './agent-model.ts';
import { describedTools, nativeToolTokens, offeredTools, toolTokens } from './prompt.ts';
import { COMPACT_ABOVE_SHARE } from './tokens.ts';

/**
 * Returns the settings that say how a prompt describes the tools to a model. `protocol`: the format of calls, and whether
 * descriptions are brief. `mainToolsOnly`: present if even brief descriptions of all tools would take too much of the prompt,
 * so that only the main ones (see `mainTools`) are described.
 */
export function toolSettings(
  model: AgentModel,
  catalogue: Catalogue,
  settings: Pick<PromptSettings, 'toolsets' | 'toolCalling' | 'budgetTokens'>,
): Pick<PromptSettings, 'protocol' | 'mainToolsOnly'> {
  const protocol = protocolOf(model, catalogue, settings);
  const offered = offeredTools(catalogue, settings);
  const main = describedTools(catalogue, { ...settings, mainToolsOnly: true });
  if (!protocol.compact || mainTools(offered).length === 0 || main.length === offered.length) return { protocol };
  const tokens =
    toolTokens(settings.toolCalling === 'native' ? offered.map(briefSpec) : offered, { ...settings, protocol }) +
    estimateTokens(formatFragments(catalogue.fragments, offered, true));
  return tokens > settings.budgetTokens * COMPACT_ABOVE_SHARE ? { protocol, mainToolsOnly: true } : { protocol };
}

/**
 * Returns the settings that say how the tools are described: as the model's configuration says; otherwise briefly if the codec
 * is made for that, or if full descriptions would take too much of the prompt.
 */
function protocolOf(
  { protocol, traits }: AgentModel,
  catalogue: Catalogue,
  { toolsets, toolCalling, budgetTokens }: Pick<PromptSettings, 'toolsets' | 'toolCalling' | 'budgetTokens'>,
): ProtocolSettings {
  const codec = protocol?.codec ?? traits.codec;
  const offered = offeredTools(catalogue, { toolsets, budgetTokens });
  const isPrompted = toolCalling === 'prompted';
  const isBrief = isPrompted && codecOf(codec).isBrief === true;
  const atLength = isPrompted
    ? estimateTokens(codecOf(codec).formatTools(offered, { compact: false, examples: true }))
    : nativeToolTokens(offered);
  const share = (atLength + estimateTokens(formatFragments(catalogue.fragments, offered))) / budgetTokens;
  const compact = protocol?.compact ?? (isBrief || share > COMPACT_ABOVE_SHARE);
  return {
    codec,
    examples: protocol?.examples ?? (isBrief || !compact),
    compact,
    ...(protocol?.singleCalls === true && { singleCalls: true }),
  };
}

/**
 * Returns for each enabled toolset the tokens, as the model is expected to count them, that its descriptions take in a prompt,
 * including those of toolsets that are switched on along with it, such as skills with files. The largest come first; toolsets
 * that take none are left out.
 */
export function toolsetCosts(catalogue: Catalogue, settings: PromptSettings): { name: string; tokens: number }[] {
  const described = describedTools(catalogue, settings);
  const isBrief = settings.toolCalling === 'native' && settings.protocol?.compact === true;
  return settings.toolsets
    .map((name) => {
      const tools = described.filter(({ toolset }) => toolset !== TOOL_SEARCH && isToolsetOn(toolset, [name]));
      const fragments = formatFragments(catalogue.fragments, tools, settings.protocol?.compact);
      const tokens = toolTokens(isBrief ? tools.map(briefSpec) : tools, settings) + estimateTokens(fragments);
      return { name, tokens: Math.round(tokens * (settings.tokenScale ?? 1)) };
    })
    .filter(({ tokens }) => tokens > 0)
    .sort((a, b) => b.tokens - a.tokens);
}

/**
 * Returns a list with a notice that names the enabled tools that the prompt does not describe, because it describes only the
 * main ones (`mainToolsOnly`). The list is empty if it describes all, or if the prompt of the step before described the same
 * ones.
 */
export function leftOutTools(
  { messages, model, catalogue }: { messages: readonly Message[]; model: AgentModel; catalogue: Catalogue },
  settings: PromptSettings,
): Notice[] {
  if (settings.mainToolsOnly !== true) return [];
  const steps = messages.flatMap((message) => (message.role === 'assistant' ? message.parts : []));
  const before = steps.findLast((part) => part.type === 'step');
  const namesOf = (one: Parameters<typeof describedTools>[1]) => describedTools(catalogue, one).map(({ name }) => name);
  const described = namesOf(settings);
  if (before?.settings.mainToolsOnly === true && `${namesOf(before.settings)}` === `${described}`) return [];
  const toolNames = namesOf({ toolsets: settings.toolsets, budgetTokens: settings.budgetTokens }).filter(
    (name) => !described.includes(name),
  );
  return [{ code: 'tools-left-out', toolNames, contextTokens: model.contextSize ?? UNKNOWN_CONTEXT_TOKENS }];
}
