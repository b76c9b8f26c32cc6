import {
  type AssistantModelMessage,
  type ModelMessage,
  parsePartialJson,
  type ToolResultPart,
  type UserModelMessage,
} from 'ai';
import { textOfDataUrl } from '#lib/messages/data-url.ts';
import type { AssistantPart, FilePart, ToolCallPart, UserMessage } from '#lib/messages/message.ts';
import { OWN_TEXT } from '#server/models/inert-text.ts';
import type { HistoryUnit } from './history.ts';

export interface ModelMessageOptions {
  /** The provider that receives the prompt. Data specific to another provider is left out (rule R17). */
  provider: string;
  /** False if the model is known not to support images: it gets a note instead. */
  vision: boolean;
}

/** Providers that verify their own reasoning in the history. Others get it back only within the turn. */
const KEEPS_REASONING = new Set(['anthropic', 'google', 'openai']);

/** Converts the history to the AI SDK's messages. Every call has a result, whatever the units contain (rule R1). */
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

/** Templates of local models require alternating turns, so unanswered questions are merged into one message. */
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
        return { type: 'file', mediaType: part.mediaType, filename: name, data: base64Of(part) };
      }
      return { type: 'text', text: `Attached file ${name}:\n\n${textOfDataUrl(part.url)}` };
    }),
  };
}

const base64Of = ({ url }: FilePart): string => url.slice(url.indexOf(',') + 1);

async function toStepMessages(
  unit: Extract<HistoryUnit, { role: 'assistant' }>,
  { provider }: ModelMessageOptions,
): Promise<ModelMessage[]> {
  const isOwn = unit.provider === provider;
  const withReasoning = isOwn && (unit.currentTurn || KEEPS_REASONING.has(provider));
  const content: Exclude<AssistantModelMessage['content'], string> = [];
  const results: ToolResultPart[] = [];
  for (const part of unit.parts) {
    const own = isOwn ? metadataOf(part) : {};
    if (part.type === 'text' && part.text !== '') content.push({ type: 'text', text: part.text, ...own });
    else if (part.type === 'reasoning' && withReasoning) content.push({ type: 'reasoning', text: part.text, ...own });
    else if (part.type === 'tool-call') {
      const { toolCallId, toolName } = part;
      content.push({ type: 'tool-call', toolCallId, toolName, input: await inputOf(part), ...own });
      results.push({ type: 'tool-result', toolCallId, toolName, output: outputOf(part) });
    }
  }
  if (content.length === 0) return [];
  const messages: ModelMessage[] = [{ role: 'assistant', content }];
  if (results.length > 0) messages.push({ role: 'tool', content: results });
  return messages;
}

function metadataOf(part: AssistantPart) {
  if (part.type === 'step' || part.providerMetadata === undefined) return {};
  return { providerOptions: part.providerMetadata };
}

/** Providers accept only objects. If the arguments were cut off or broken, they get what can be read. */
async function inputOf(part: ToolCallPart): Promise<unknown> {
  if (part.inputState === 'complete') return part.input ?? {};
  const { value } = await parsePartialJson(part.inputText);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

function outputOf({ result }: ToolCallPart): ToolResultPart['output'] {
  if (result === undefined) return { type: 'error-text', value: 'Error (aborted): The call was not run.' };
  if (result.type === 'tool-result') return { type: 'text', value: result.output.content };
  return { type: 'error-text', value: `Error (${result.code}): ${result.message}` };
}
