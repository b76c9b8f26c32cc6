import { createHash } from 'node:crypto';
import { textOfDataUrl } from '#lib/messages/data-url.ts';
import type { Message, ToolCallPart } from '#lib/messages/message.ts';
import { type FoundCalls, findCalls } from '#lib/prompts/find-calls.ts';
import type { ProtocolTool } from '#lib/prompts/tool-names.ts';
import type { CallOrigin } from '#lib/tools/call-origin.ts';
import { parseToolInput } from '#lib/tools/parse-input.ts';
import { type AnyToolDefinition, type ToolRegistry, toolInputJsonSchema } from '#lib/tools/registry.ts';

type Place = Extract<CallOrigin, { type: 'read' }>['in'];

/**
 * Finds the calls that write or execute and that also appear in the model's earlier input: tool results, attachments,
 * or messages. Somebody else may have written them there for the model to repeat. An echo of a call that the model has
 * already made itself does not count. `messages`: the branch up to these calls.
 */
export function originsOf(
  calls: readonly ToolCallPart[],
  messages: readonly Message[],
  registry: ToolRegistry,
): Map<string, CallOrigin> {
  const wanted = new Map<string, string[]>();
  const tools = new Set<AnyToolDefinition>();
  for (const call of calls) {
    const tool = registry.get(call.toolName);
    const key = tool === undefined || tool.effect === 'read' ? undefined : keyOf(tool, call.input);
    if (tool === undefined || key === undefined) continue;
    tools.add(tool);
    wanted.set(key, [...(wanted.get(key) ?? []), call.toolCallId]);
  }
  const origins = new Map<string, CallOrigin>();
  if (wanted.size === 0) return origins;
  const names = [...tools].flatMap((tool) => [tool.name, ...(tool.aliases ?? [])]);
  const known: ProtocolTool[] = [...tools].flatMap((tool) =>
    [tool.name, ...(tool.aliases ?? [])].map((name) => ({ name, inputSchema: toolInputJsonSchema(tool) })),
  );
  const asked = new Set(calls.map(({ toolCallId }) => toolCallId));
  /** Calls that the model has made on its own. */
  const own = new Set<string>();
  const look = (text: string, place: Place) => {
    if (!namesOne(text, names)) return;
    const { calls: found, isWhole } = search(text, known);
    const mark = (key: string, excerpt: string) => {
      if (own.has(key)) return;
      for (const toolCallId of wanted.get(key) ?? [])
        if (!origins.has(toolCallId)) origins.set(toolCallId, { type: 'read', in: place, excerpt });
    };
    for (const { name, input, excerpt } of found) {
      const tool = registry.get(name);
      const key = tool && keyOf(tool, input);
      if (key !== undefined) mark(key, excerpt);
    }
    // A text that cannot be searched to its end may hide any call.
    if (!isWhole) for (const key of wanted.keys()) mark(key, text.slice(0, UNSEARCHED_EXCERPT));
  };
  for (const part of messages.flatMap((message): Message['parts'][number][] => message.parts)) {
    if (part.type === 'file' && !part.mediaType.startsWith('image/'))
      look(textOfDataUrl(part.url), { type: 'attachment', name: part.filename ?? 'file' });
    if (part.type !== 'tool-call' || asked.has(part.toolCallId)) continue;
    const tool = registry.get(part.toolName);
    const key = tool && keyOf(tool, part.input);
    if (key !== undefined && part.origin?.type !== 'read') own.add(key);
    const { result, toolName, toolCallId } = part;
    if (result === undefined) continue;
    look(result.type === 'tool-result' ? result.output.content : result.message, {
      type: 'result',
      toolName,
      toolCallId,
    });
  }
  for (const message of messages)
    if (message.role === 'user')
      for (const part of message.parts) if (part.type === 'text') look(part.text, { type: 'message' });
  return origins;
}

/** Long texts that were searched, by a hash: a branch is looked at again at every step. */
const searched = new Map<string, FoundCalls>();
const SEARCHED_MAX = 200;
const LONG = 10_000;

function search(text: string, tools: readonly ProtocolTool[]): FoundCalls {
  if (text.length < LONG) return findCalls(text, tools);
  const key = createHash('sha256').update(JSON.stringify(tools)).update(text).digest('hex');
  const found = searched.get(key) ?? findCalls(text, tools);
  searched.delete(key);
  searched.set(key, found);
  const [oldest] = searched.keys();
  if (searched.size > SEARCHED_MAX && oldest !== undefined) searched.delete(oldest);
  return found;
}

/** How much is shown of a text that was not searched to its end, in characters. */
const UNSEARCHED_EXCERPT = 400;

/**
 * Calls that do the same have the same key, and so may a few others. Undefined for arguments that do not match the
 * tool, which never run.
 */
function keyOf(tool: AnyToolDefinition, input: unknown): string | undefined {
  const parsed = parseToolInput(tool, input);
  return parsed.success ? `${tool.name} ${JSON.stringify(sorted(parsed.data))}` : undefined;
}

/** A value with the members of its objects in a fixed order, and its texts without differences that a model may introduce unnoticed. */
function sorted(value: unknown): unknown {
  if (typeof value === 'string') return plain(value);
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, entry]) => [key, sorted(entry)]);
}

/** Line endings, invisible characters, spaces at line ends, and the spelling of a path make no difference. */
function plain(text: string): string {
  const visible = text
    .normalize('NFC')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll('\u00a0', ' ')
    .replaceAll(/[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/g, '')
    .replaceAll(/[ \t]+$/gm, '')
    .trim();
  return /\s/.test(visible) ? visible : visible.replaceAll(/\/(?:\.?\/)+/g, '/').replaceAll(/^(?:\.?\/)+|\/\.?$/g, '');
}

/** Cheap check: most texts contain no tool name in any spelling. */
function namesOne(text: string, names: readonly string[]): boolean {
  if (text.includes('\\u') || text.includes('&#')) return true;
  const letters = text.toLowerCase();
  return names.some((name) => letters.includes(name));
}
