import { parsePartialJsonObject } from 'assistant-stream/utils';
import { visibleText } from '#components/ui/visible-text.ts';
import type { ToolCallPart } from '#lib/messages/message.ts';
import { toolRegistry } from '#lib/tools/toolsets.ts';

/** A call's arguments as far as they can be read: complete, or as far as they have arrived. */
export function readableInput({ input, inputText }: ToolCallPart): ReadonlyMap<string, unknown> {
  const value = input ?? (inputText === undefined ? undefined : parsePartialJsonObject(inputText));
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}

/** The argument that a collapsed card shows. */
export function primaryText(part: ToolCallPart, input: ReadonlyMap<string, unknown>): string {
  const name = toolRegistry.get(part.toolName)?.primaryArgument;
  const value = name === undefined ? [...input.values()][0] : input.get(name);
  const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
  return visibleText(text.split('\n').find((line) => line.trim() !== '') ?? '');
}

/** The workspace file that a call refers to, if any. */
export function touchedFile(part: ToolCallPart): string | undefined {
  const tool = toolRegistry.get(part.toolName);
  if (tool?.touchedPaths === undefined) return undefined;
  const parsed = tool.inputSchema.safeParse(part.input);
  return parsed.success ? tool.touchedPaths(parsed.data)[0] : undefined;
}
