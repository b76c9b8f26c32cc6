import type { ModelMessage } from 'ai';
import { estimateTokens } from '#lib/base/estimate-tokens.ts';
import type { Message, Notice, PromptSections, PromptSettings, StepPart } from '#lib/messages/message.ts';
import { FALLBACK_PROTOCOL } from '#lib/prompts/codec.ts';
import { codecOf, findCodec } from '#lib/prompts/codecs/codecs.ts';
import { formatFragments } from '#lib/prompts/fragments.ts';
import { makeInert } from '#lib/prompts/inert.ts';
import { formatProject } from '#lib/prompts/project.ts';
import { briefSpec } from '#lib/tools/catalogue/brief-spec.ts';
import type { Catalogue } from '#lib/tools/catalogue/catalogue.ts';
import { mainTools } from '#lib/tools/catalogue/main-tools.ts';
import type { ToolSpec } from '#lib/tools/core/spec.ts';
import { isBuiltInToolset, isToolsetOn, SKILLS, TOOL_SEARCH, TOOLSETS } from '#lib/tools/toolset-names.ts';
import { type CompactedHistory, compacted } from './compaction/applied.ts';
import { countedReasoning, fitHistory } from './fit-history.ts';
import { cutResults, type HistoryUnit, toUnits, unitTokens } from './history.ts';
import { inertSpec } from './middleware/inert-text.ts';
import { type ModelMessageOptions, toModelMessages } from './model-messages.ts';
import { type FixedSections, sectionsOf, summaryTokens, totalOf } from './prompt-sections.ts';
import { lastStepText, withTailNote } from './tail-note.ts';
import { MESSAGE_TOKENS } from './tokens.ts';
import { PROMPTED_NAME, ToolNaming } from './tool-names.ts';

/** A model call's prompt, before a provider's model gets it. */
export interface BuiltPrompt {
  /** The text before the messages: the system prompt, the workspace's instructions, and texts about the tools. */
  instructions: string;
  messages: ModelMessage[];
  /** The tools, under the names that the model sees. */
  tools: readonly ToolSpec[];
  /** Converts between the tools' own names and those that the model sees. */
  naming: ToolNaming;
  /** Notices that tell the user what was cut or left out to fit. */
  notices: Notice[];
  /** The size of the instructions and the tools, in estimated tokens, not scaled by the settings' `tokenScale`. */
  overhead: number;
  /** The size of the newest question, in estimated tokens. */
  question: number;
  /** The size of the whole prompt, in estimated tokens. */
  tokens: number;
  /** The size of each section of the prompt, in estimated tokens. */
  sections: PromptSections;
}

/** Options that a prompt depends on, besides its messages and settings. */
export interface PromptOptions extends Omit<ModelMessageOptions, 'naming' | 'wantsReasoning'> {
  catalogue: Catalogue;
  /** The names that the provider accepts for tools. */
  toolName: RegExp;
  /** The share of the budget that one result may use. */
  resultShare: number;
}

/**
 * Builds a model call's prompt from its arguments alone: the same arguments give the same prompt. Applies the compactions that
 * the settings name, and shortens the history so that it fits into the settings' budget.
 */
export async function buildPrompt(
  messages: readonly Message[],
  settings: PromptSettings,
  options: PromptOptions,
): Promise<BuiltPrompt> {
  const frame = frameOf(settings, options);
  const { instructions, note, tools, naming, overhead } = frame;
  const { units, summary } = historyOf(messages, settings, { ...options, naming, overhead });
  const besides = overhead + summaryTokens(summary);
  const fitting = fitHistory(units, { ...options, ...settings, overhead: besides });
  const history = summary === '' ? fitting.units : [summaryUnit(summary), ...fitting.units];
  // Prompted results are text.
  const takesResultImages = options.takesResultImages && settings.toolCalling !== 'prompted';
  const { wantsReasoning } = settings;
  const modelMessages = await toModelMessages(history, { ...options, wantsReasoning, takesResultImages, naming });
  return {
    instructions,
    messages: withTailNote(modelMessages, note),
    tools,
    naming,
    notices: fitting.notices,
    overhead,
    question: questionTokens(fitting.units),
    tokens: besides + fitting.tokens,
    sections: sectionsOf(
      frame.sections,
      { summary, units: fitting.units },
      countedReasoning({ ...options, ...settings }),
    ),
  };
}

/** The size of the newest question. */
function questionTokens(units: readonly HistoryUnit[]): number {
  const question = units.findLast(({ role }) => role === 'user');
  return question === undefined ? 0 : unitTokens(question);
}

/**
 * A prompt whose history is not shortened to fit into the window, except for long results, which are cut: the history, to
 * which compactions have been applied, and the sizes of the whole prompt.
 */
export interface WholePrompt extends CompactedHistory, Pick<BuiltPrompt, 'overhead' | 'question'> {
  /** The size of the whole prompt, in estimated tokens. The sections are in estimated tokens, too. */
  tokens: number;
  sections: PromptSections;
}

/**
 * Returns the history and sizes of a prompt as they would be if nothing had to be left out of its history to fit into the
 * window.
 */
export function wholePrompt(
  messages: readonly Message[],
  settings: PromptSettings,
  options: PromptOptions,
): WholePrompt {
  const { naming, overhead, sections: fixed } = frameOf(settings, options);
  const { units, summary, isShortened } = historyOf(messages, settings, { ...options, naming, overhead });
  const maxTokens = Math.floor((settings.budgetTokens / (settings.tokenScale ?? 1)) * options.resultShare);
  const cut = cutResults(units, maxTokens).units;
  const sections = sectionsOf(fixed, { summary, units: cut }, countedReasoning({ ...options, ...settings }));
  const question = questionTokens(cut);
  return { units: cut, summary, isShortened, overhead, question, sections, tokens: totalOf(sections) };
}

/** The share of a prompt that the workspace's instructions may take. */
const PROJECT_SHARE = 0.25;

/** A cautious number of characters in a token: in nearly any text, tokens have more. */
const CHARACTERS_PER_TOKEN = 2;

/** All of a prompt that does not come from its messages. */
function frameOf(settings: PromptSettings, { catalogue, toolName }: Pick<PromptOptions, 'catalogue' | 'toolName'>) {
  const isPrompted = settings.toolCalling === 'prompted';
  const offered = describedTools(catalogue, settings);
  const naming = new ToolNaming(catalogue.tools, isPrompted ? PROMPTED_NAME : toolName, offered);
  const isBrief = !isPrompted && settings.protocol?.compact === true;
  const tools = isBrief ? naming.tools.map(briefSpec) : naming.tools;
  const system = settings.systemPrompt.trim();
  const project = makeInert(
    catalogue.project === undefined
      ? ''
      : formatProject(
          catalogue.project,
          Math.floor(settings.budgetTokens * PROJECT_SHARE * CHARACTERS_PER_TOKEN),
          offered.some(({ toolset }) => toolset === SKILLS),
        ),
  );
  const instructions = [
    system,
    project,
    // Toolsets of external tools bring texts of their own.
    makeInert(formatFragments(catalogue.fragments, offered, settings.protocol?.compact)),
    offered.length > 0 && settings.protocol?.singleCalls === true ? SINGLE_CALLS : '',
    settings.layout === undefined ? lastStepText(settings) : '',
  ]
    .filter((section) => section !== '')
    .join('\n\n');
  const note = settings.layout === undefined ? '' : lastStepText(settings);
  const described = toolTokens(tools, settings);
  const instructionTokens = estimateTokens(instructions) + estimateTokens(note);
  const sections: FixedSections = {
    system: estimateTokens(system),
    tools: described,
    ...(project !== '' && { project: estimateTokens(project) }),
    protocol: instructionTokens - estimateTokens(system) - estimateTokens(project),
  };
  return { instructions, note, tools, naming, overhead: instructionTokens + described, sections };
}

const historyOf = (
  messages: readonly Message[],
  settings: PromptSettings,
  { catalogue, naming, overhead }: Pick<PromptOptions, 'catalogue'> & { naming: ToolNaming; overhead: number },
): CompactedHistory =>
  compacted(
    messages,
    toUnits(messages, (step) => correctionOf(step, catalogue, naming)),
    settings,
    Math.max(0, settings.budgetTokens / (settings.tokenScale ?? 1) - overhead),
  );

/** A summary as a message of the history. */
const summaryUnit = (text: string): HistoryUnit => ({
  role: 'user',
  at: { message: -1, part: 0 },
  message: { id: 'summary', role: 'user', createdAt: 0, parts: [{ type: 'text', text }] },
});

/**
 * The share of a prompt that the descriptions of external tools may take. If they would take more, there are two tools in their
 * place, which find and call them.
 */
const EXTERNAL_TOOLS_SHARE = 0.1;

/**
 * Returns the tools of the enabled toolsets; those for skills only if the workspace has skills. If the external tools among
 * them would take too much of each prompt, returns two tools in their place, which find and call them: the prompt then stays
 * the same whatever external tools there are.
 */
export function offeredTools(
  { tools, project }: Pick<Catalogue, 'tools' | 'project'>,
  { toolsets, budgetTokens }: Pick<PromptSettings, 'toolsets' | 'budgetTokens'>,
): readonly ToolSpec[] {
  const hasSkills = (project?.skills.length ?? 0) > 0;
  const offered = tools
    .list()
    .filter(
      ({ toolset }) => toolset !== TOOL_SEARCH && (toolset !== SKILLS || hasSkills) && isToolsetOn(toolset, toolsets),
    );
  const foreign = offered.filter(({ toolset }) => !isBuiltInToolset(toolset));
  const finders = tools.list([TOOL_SEARCH]);
  if (finders.length === 0 || nativeToolTokens(foreign) <= budgetTokens * EXTERNAL_TOOLS_SHARE) return offered;
  return [...offered.filter(({ toolset }) => isBuiltInToolset(toolset)), ...finders];
}

/**
 * Returns the tools that a prompt describes: all that are offered (`offeredTools`). With `mainToolsOnly`, only the main
 * tools (`mainTools`) of the studio's own toolsets (`TOOLSETS`), and all tools of other toolsets, which are few.
 */
export function describedTools(
  catalogue: Pick<Catalogue, 'tools' | 'project'>,
  { mainToolsOnly, ...settings }: Pick<PromptSettings, 'toolsets' | 'budgetTokens' | 'mainToolsOnly'>,
): readonly ToolSpec[] {
  const offered = offeredTools(catalogue, settings);
  if (mainToolsOnly !== true) return offered;
  const main = new Set(mainTools(offered));
  return offered.filter((tool) => main.has(tool) || !TOOLSETS.some((own) => own === tool.toolset));
}

/**
 * Returns the message that asked the model again after a step whose call could not be read. Undefined if the model was not
 * asked again, or if the tool or the step's codec does not exist any more.
 */
function correctionOf(
  { notices, settings }: StepPart,
  { tools }: Catalogue,
  naming: Pick<ToolNaming, 'shown'>,
): string | undefined {
  const notice = notices.find((entry) => entry.code === 'call-unreadable');
  const tool = notice?.askedAgain === true ? tools.get(notice.toolName) : undefined;
  // A step of another version of the studio may name a codec that is not here.
  const codec = findCodec((settings.protocol ?? FALLBACK_PROTOCOL).codec);
  return tool && codec?.formatCorrection(inertSpec({ ...tool, name: naming.shown(tool.name) }));
}

/**
 * Returns the size of the tools' descriptions and schemas as they are sent, in estimated tokens: natively, or as text of the
 * prompt together with the instructions for calls.
 */
export function toolTokens(
  tools: readonly ToolSpec[],
  { toolCalling, protocol = FALLBACK_PROTOCOL }: Pick<PromptSettings, 'toolCalling' | 'protocol'>,
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

/** The texts that are sent for tools, kept because they are counted several times for each prompt. */
const sentTexts = new WeakMap<ToolSpec, string>();

function sentText(tool: ToolSpec): string {
  const text = sentTexts.get(tool) ?? JSON.stringify([tool.name, tool.description, tool.inputSchema]);
  sentTexts.set(tool, text);
  return text;
}

/** Returns the size of the names, descriptions, and schemas of tools that are sent natively, in estimated tokens. */
export const nativeToolTokens = (tools: readonly ToolSpec[]): number =>
  estimateTokens(`[${tools.map(sentText).join(',')}]`);

const SINGLE_CALLS = 'Call only one tool at a time, and wait for its result before you call another one.';
