import { parsePartialJsonObject } from 'assistant-stream/utils';
import { visibleText } from '#components/ui/visible-text.ts';
import { withExactNumbers } from '#lib/base/rounded-number.ts';
import type { ToolCallPart } from '#lib/messages/message.ts';
import type { Tool } from '#lib/tools/core/tool.ts';
import { touchedFiles } from '#lib/tools/touched-files.ts';

/** A call's arguments as far as they can be read: complete, or as far as they have arrived. */
export function readableInput({ input, inputText }: ToolCallPart): ReadonlyMap<string, unknown> {
  const value = input ?? (inputText === undefined ? undefined : parsePartialJsonObject(withExactNumbers(inputText)));
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}

/** The argument that a collapsed card shows. */
export function primaryText(tool: Tool | undefined, input: ReadonlyMap<string, unknown>): string {
  const name = tool?.presentation.target;
  const value = name === undefined ? [...input.values()][0] : input.get(name);
  const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
  return visibleText(text.split('\n').find((line) => line.trim() !== '') ?? '');
}

/** The file that a call's card opens, if any. */
export const touchedFile = (tool: Tool | undefined, { input }: ToolCallPart): string | undefined =>
  tool && touchedFiles(tool, input)[0];
