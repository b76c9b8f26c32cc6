import {
  type AssistantModelMessage,
  type ModelMessage,
  parsePartialJson,
  type ToolResultPart,
  type UserModelMessage,
} from 'ai';
import { dataUrlPayload, textOfDataUrl } from '#lib/base/data-url.ts';
import { withExactNumbers } from '#lib/base/rounded-number.ts';
import type { AssistantPart, ToolCallPart, UserMessage } from '#lib/messages/message.ts';
import { blocksOf, blockText, type ContentBlock } from '#lib/tools/core/content.ts';
import { resultText } from '#lib/tools/core/tool-call.ts';
import type { HistoryUnit } from './history.ts';
import { OWN_TEXT } from './middleware/inert-text.ts';
import type { ToolNaming } from './tool-names.ts';

/** Options for the model that receives the messages. */
export interface ModelMessageOptions {
  /** The provider that receives the prompt. Data specific to another provider is left out (rule R17). */
  provider: string;
  /** Whether the model gets its own reasoning back in later turns, too; otherwise only within the turn. */
  keepsReasoning: boolean;
  /**
   * Present if the model's server refuses steps without reasoning: the steps of all turns then keep theirs, and steps that have
   * none get a space.
   */
  wantsReasoning?: true | undefined;
  /** False if the model is known not to support images: it gets a note instead. */
  vision: boolean;
  /** Whether images may be part of a tool's result; otherwise they follow it in a message of their own. */
  takesResultImages: boolean;
  /** The names under which the model knows its tools. */
  naming: Pick<ToolNaming, 'shown'>;
}

/** The options that decide whether a model gets the reasoning of an earlier step back. */
export type ReasoningOptions = Pick<ModelMessageOptions, 'provider' | 'keepsReasoning' | 'wantsReasoning'>;

/**
 * Checks whether the prompt sends the reasoning of a step back to the model (rule R17): only to the provider that wrote it,
 * and in later turns only if the options say so.
 */
export const sendsReasoning = (
  { provider, currentTurn }: Extract<HistoryUnit, { role: 'assistant' }>,
  { keepsReasoning, wantsReasoning, ...options }: ReasoningOptions,
): boolean => provider === options.provider && (currentTurn || keepsReasoning || wantsReasoning === true);

/**
 * Converts the history of a prompt to the AI SDK's messages. Every call in them has a result, even if it has none in `units`
 * (rule R1). A user message directly behind another one is merged with it.
 */
export async function toModelMessages(
  units: readonly HistoryUnit[],
  options: ModelMessageOptions,
): Promise<ModelMessage[]> {
  const messages: ModelMessage[] = [];
  for (const unit of units) {
    if (unit.role === 'user') pushUser(messages, toUserMessage(unit.message, options.vision));
    else {
      messages.push(...(await toStepMessages(unit, options)));
      if (unit.correction !== undefined)
        pushUser(messages, {
          role: 'user',
          content: [{ type: 'text', text: unit.correction, providerOptions: OWN_TEXT }],
        });
    }
  }
  return messages;
}

/** Adds a user message, merged with one directly before it: templates of local models require alternating turns. */
function pushUser(messages: ModelMessage[], message: UserModelMessage): void {
  const last = messages.at(-1);
  if (last?.role !== 'user' || typeof last.content === 'string' || typeof message.content === 'string')
    messages.push(message);
  else messages[messages.length - 1] = { role: 'user', content: [...last.content, ...message.content] };
}

function toUserMessage(message: UserMessage, vision: boolean): UserModelMessage {
  return {
    role: 'user',
    content: message.parts.map((part) => {
      if (part.type === 'text') return { type: 'text', text: part.text };
      const name = part.filename ?? 'file';
      if (part.mediaType.startsWith('image/')) {
        if (!vision)
          return { type: 'text', text: `[The image ${name} was attached, but this model cannot see images.]` };
        return { type: 'file', mediaType: part.mediaType, filename: name, data: dataUrlPayload(part.url) };
      }
      return { type: 'text', text: `Attached file ${name}:\n\n${textOfDataUrl(part.url)}` };
    }),
  };
}

async function toStepMessages(
  unit: Extract<HistoryUnit, { role: 'assistant' }>,
  options: ModelMessageOptions,
): Promise<ModelMessage[]> {
  const isOwn = unit.provider === options.provider;
  const withReasoning = sendsReasoning(unit, options);
  const content: Exclude<AssistantModelMessage['content'], string> = [];
  const results: ToolResultPart[] = [];
  const images: UserFilePart[] = [];
  for (const part of unit.parts) {
    const own = isOwn ? metadataOf(part) : {};
    if (part.type === 'text' && part.text !== '') content.push({ type: 'text', text: part.text, ...own });
    else if (part.type === 'reasoning' && withReasoning) content.push({ type: 'reasoning', text: part.text, ...own });
    else if (part.type === 'tool-call') {
      const { toolCallId } = part;
      const toolName = options.naming.shown(part.toolName);
      content.push({ type: 'tool-call', toolCallId, toolName, input: await inputOf(part), ...own });
      results.push({ type: 'tool-result', toolCallId, toolName, output: outputOf(part, options) });
      if (options.vision && !options.takesResultImages) images.push(...imagesOf(part).map(toFilePart));
    }
  }
  if (content.length === 0) return [];
  if (options.wantsReasoning === true && content.every(({ type }) => type !== 'reasoning'))
    content.unshift({ type: 'reasoning', text: ' ' });
  const messages: ModelMessage[] = [{ role: 'assistant', content }];
  if (results.length > 0) messages.push({ role: 'tool', content: results });
  if (images.length > 0) messages.push({ role: 'user', content: [RESULT_IMAGES, ...images] });
  return messages;
}

type UserFilePart = Extract<Exclude<UserModelMessage['content'], string>[number], { type: 'file' }>;

/** Introduces images that a provider does not take as a part of results. */
const RESULT_IMAGES = { type: 'text', text: 'The images in these results:', providerOptions: OWN_TEXT } as const;

const imagesOf = ({ result }: ToolCallPart): Extract<ContentBlock, { type: 'image' }>[] =>
  result?.type === 'tool-result' ? blocksOf(result.output.content).filter(isSeen) : [];

type ContentPart = Extract<ToolResultPart['output'], { type: 'content' }>['value'][number];

/** Checks whether a block is an image of a type that every provider takes; other images stay text. */
const isSeen = (block: ContentBlock): block is Extract<ContentBlock, { type: 'image' }> =>
  block.type === 'image' && /^image\/(?:png|jpeg|gif|webp)$/.test(block.mediaType);

const toFilePart = ({ mediaType, data }: { mediaType: string; data: string }): UserFilePart => ({
  type: 'file',
  mediaType,
  data,
});

function metadataOf(part: AssistantPart) {
  if (part.type === 'step' || part.type === 'compaction' || part.providerMetadata === undefined) return {};
  return { providerOptions: part.providerMetadata };
}

/** A call's arguments as an object, as providers require; of cut off or broken ones, as much as can be read. */
async function inputOf(part: ToolCallPart): Promise<unknown> {
  if (part.inputState === 'complete') return part.input ?? {};
  const { value } = await parsePartialJson(part.inputText && withExactNumbers(part.inputText));
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

function outputOf(
  { result }: ToolCallPart,
  { vision, takesResultImages }: ModelMessageOptions,
): ToolResultPart['output'] {
  if (result?.type !== 'tool-result') return { type: 'error-text', value: resultText(result) };
  const blocks = blocksOf(result.output.content);
  const withImages = vision && takesResultImages && blocks.some(isSeen);
  if (!withImages) return { type: 'text', value: resultText(result) };
  return {
    type: 'content',
    value: blocks.flatMap((block): ContentPart[] => {
      if (isSeen(block))
        return [{ type: 'file', mediaType: block.mediaType, data: { type: 'data', data: block.data } }];
      const text = blockText(block);
      // Some providers refuse an empty text.
      return text === '' ? [] : [{ type: 'text', text }];
    }),
  };
}
